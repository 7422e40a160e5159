import { useState } from 'react';
import { useLocation } from 'wouter';
import { TextField } from '../parts/field.tsx';
import { ActionDialog } from '../proof/action-dialog.tsx';
import { service } from '../service/service-client.ts';
import { switchVisit, useSession } from '../service/session.ts';
import type { Visit } from '../service/visit.ts';
import { text } from '../text/en.ts';
import { reloadAccounts } from './use-accounts.ts';

/** As the contract has it. */
const MAX_REASON_CHARACTERS = 500;

interface AccessDialogProps {
  readonly account: Visit['account'];
  readonly onClose: () => void;
}

/** Asks why, and leads to the domains of the account. */
export function AccessDialog({ account: { id, name }, onClose }: AccessDialogProps) {
  const { user } = useSession().session;
  const [reason, setReason] = useState('');
  const [, navigate] = useLocation();
  const said = reason.trim();
  return (
    <ActionDialog
      title={text.accounts.accessTo(name)}
      action={text.accounts.accessAction}
      unable={said === '' ? text.accounts.noReason : undefined}
      request={{ method: 'POST', path: `/accounts/${id}/access`, body: { reason: said }, by: 'user' }}
      run={() => service.accesses.start(id, said)}
      onDone={({ date_expires }) => {
        void reloadAccounts();
        onClose();
        switchVisit({ userId: user.id, account: { id, name }, dateExpires: date_expires });
        navigate('/domains');
      }}
      onClose={onClose}
    >
      <p>{text.accounts.accessWhy}</p>
      <TextField
        label={text.accounts.reason}
        hint={text.accounts.accessReasonHint}
        maxLength={MAX_REASON_CHARACTERS}
        value={reason}
        onValue={setReason}
      />
    </ActionDialog>
  );
}
