import { useLocation } from 'wouter';
import { showToast } from '../parts/toasts.tsx';
import { ActionDialog } from '../proof/action-dialog.tsx';
import { hasCode } from '../service/describe-error.ts';
import { service } from '../service/service-client.ts';
import { switchVisit } from '../service/session.ts';
import { currentVisit, type Visit } from '../service/visit.ts';
import { text } from '../text/en.ts';
import { reloadAccounts } from './use-accounts.ts';

interface EndAccessDialogProps {
  readonly account: Visit['account'];
  /** The page is not about this account alone. */
  readonly staysHere?: boolean;
  readonly onClose: () => void;
}

/** Ends the access of this operator, and leads back to what operators see of the account. */
export function EndAccessDialog({ account: { id, name }, staysHere = false, onClose }: EndAccessDialogProps) {
  const [, navigate] = useLocation();
  return (
    <ActionDialog
      title={text.accounts.endAccessTo(name)}
      action={text.accounts.endAccess}
      request={{ method: 'DELETE', path: `/accounts/${id}/access`, by: 'user' }}
      run={() => endAccess(id)}
      onDone={() => {
        onClose();
        if (currentVisit.get()?.account.id === id) switchVisit(undefined);
        if (!staysHere) navigate(`/operator/accounts/${id}`);
        showToast(text.accounts.accessEnded(name));
        void reloadAccounts();
      }}
      onClose={onClose}
    >
      <p>{text.accounts.endAccessWhy}</p>
    </ActionDialog>
  );
}

/** It may have ended already. */
async function endAccess(id: string): Promise<void> {
  try {
    await service.accesses.end(id);
  } catch (error) {
    if (!hasCode(error, 'unknown_access')) throw error;
  }
}
