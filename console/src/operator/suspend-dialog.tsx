import { useState } from 'react';
import type { AccountJson } from '../../../src/contract/account-shape.ts';
import { ChoiceField } from '../parts/choice-field.tsx';
import { TextField } from '../parts/field.tsx';
import { showToast } from '../parts/toasts.tsx';
import { ActionDialog } from '../proof/action-dialog.tsx';
import { quote } from '../service/format-curl.ts';
import { service } from '../service/service-client.ts';
import { text } from '../text/en.ts';
import { reloadAccounts } from './use-accounts.ts';

/** As the contract has it. */
const MAX_REASON_CHARACTERS = 200;

const answerChoices = (['go_on', 'stop'] as const).map((value) => ({
  value,
  ...text.accounts.answers[value],
}));

interface StandingDialogProps {
  readonly account: AccountJson;
  readonly onClose: () => void;
}

/** Suspends an account, or changes reason and answers of its suspension. */
export function SuspendDialog({ account: { id, name, suspension }, onClose }: StandingDialogProps) {
  const [reason, setReason] = useState(suspension?.reason ?? '');
  const [answers, setAnswers] = useState(suspension?.answers ?? 'go_on');
  const body = { reason: reason.trim(), answers };
  const stop = answers === 'stop' ? ' --stop-answers' : '';
  return (
    <ActionDialog
      title={text.accounts.suspendTitle(name)}
      action={suspension === null ? text.accounts.suspend : text.accounts.saveSuspension}
      isDanger={answers === 'stop'}
      unable={body.reason === '' ? text.accounts.noReason : undefined}
      request={{ method: 'PUT', path: `/accounts/${id}/suspension`, body }}
      command={`zonewright account suspend ${id} --reason ${quote(body.reason)}${stop}`}
      run={() => service.accounts.suspend(id, body)}
      onDone={async () => {
        await reloadAccounts();
        showToast(text.accounts.suspended(name));
        onClose();
      }}
      onClose={onClose}
    >
      <p>{text.accounts.suspendWhy}</p>
      <TextField
        label={text.accounts.reason}
        hint={text.accounts.suspendReasonHint}
        maxLength={MAX_REASON_CHARACTERS}
        value={reason}
        onValue={setReason}
      />
      <ChoiceField
        label={text.accounts.answersTitle}
        name="answers"
        value={answers}
        onValue={setAnswers}
        choices={answerChoices}
      />
    </ActionDialog>
  );
}

export function ResumeDialog({ account: { id, name }, onClose }: StandingDialogProps) {
  return (
    <ActionDialog
      title={text.accounts.resumeTitle(name)}
      action={text.accounts.resume}
      request={{ method: 'DELETE', path: `/accounts/${id}/suspension` }}
      command={`zonewright account resume ${id}`}
      run={() => service.accounts.resume(id)}
      onDone={async () => {
        await reloadAccounts();
        showToast(text.accounts.resumed(name));
        onClose();
      }}
      onClose={onClose}
    >
      <p>{text.accounts.resumeWhy}</p>
    </ActionDialog>
  );
}
