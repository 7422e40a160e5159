import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AccountDeletionPlanJson, AccountJson } from '../../../src/contract/account-shape.ts';
import { TextField } from '../parts/field.tsx';
import { Placeholder } from '../parts/placeholder.tsx';
import { showToast } from '../parts/toasts.tsx';
import { ActionDialog } from '../proof/action-dialog.tsx';
import { WriteProblem } from '../proof/write-problem.tsx';
import { service } from '../service/service-client.ts';
import { text } from '../text/en.ts';
import { formatNumber, formatTime } from '../text/format-values.ts';
import { reloadAccounts } from './use-accounts.ts';

interface AccountDialogProps {
  readonly account: AccountJson;
  readonly onClose: () => void;
}

/** Says what goes with the account. The name has to be typed. */
export function DeleteAccountDialog({ account: { id, name }, onClose }: AccountDialogProps) {
  const [typed, setTyped] = useState('');
  const plan = useQuery({
    queryKey: ['operator', 'account', id, 'deletion'],
    queryFn: () => service.accounts.delete(id, { dryRun: true }),
    staleTime: 0,
    gcTime: 0,
  });
  const unable = typed.trim() === name ? undefined : text.accounts.type(name);
  return (
    <ActionDialog
      title={text.accounts.deleteTitle(name)}
      action={text.accounts.delete}
      isDanger
      unable={plan.data === undefined ? text.accounts.notKnownYet : unable}
      request={{ method: 'DELETE', path: `/accounts/${id}` }}
      command={`zonewright account delete ${id}`}
      run={() => service.accounts.delete(id)}
      onDone={async () => {
        await reloadAccounts();
        showToast(text.accounts.deleted(name));
        onClose();
      }}
      onClose={onClose}
    >
      <p>{text.accounts.deleteWhy}</p>
      {plan.isLoading && <Placeholder />}
      <WriteProblem
        write={{
          error: plan.error,
          mutate: () => void plan.refetch(),
          reset: onClose,
          variables: undefined,
        }}
      />
      {plan.data && <Removed plan={plan.data} />}
      <TextField label={text.accounts.type(name)} value={typed} onValue={setTyped} />
    </ActionDialog>
  );
}

function Removed({ plan: { account, removes } }: { readonly plan: AccountDeletionPlanJson }) {
  const kinds = ['domains', 'records', 'keys', 'users', 'invitations'] as const;
  return (
    <>
      {account.deletion && <p>{text.accounts.restorable(formatTime(account.deletion.date_removed))}</p>}
      <p className="label">{text.accounts.removes}</p>
      <dl className="facts numbers">
        {kinds.map((kind) => (
          <div key={kind} className="pair">
            <dt>{text.accounts.removed[kind]}</dt>
            <dd>{formatNumber(removes[kind])}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

export function RestoreAccountDialog({ account: { id, name }, onClose }: AccountDialogProps) {
  return (
    <ActionDialog
      title={text.accounts.restoreTitle(name)}
      action={text.accounts.restore}
      request={{ method: 'POST', path: `/accounts/${id}/restore` }}
      command={`zonewright account restore ${id}`}
      run={() => service.accounts.restore(id)}
      onDone={async () => {
        await reloadAccounts();
        showToast(text.accounts.restored(name));
        onClose();
      }}
      onClose={onClose}
    >
      <p>{text.accounts.restoreWhy}</p>
    </ActionDialog>
  );
}
