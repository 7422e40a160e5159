import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { CodeSetupJson } from '../../../src/contract/factor-shape.ts';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/field.tsx';
import { Code, ShowRequest } from '../parts/show-request.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ActionDialog } from '../proof/action-dialog.tsx';
import { WriteProblem } from '../proof/write-problem.tsx';
import { service } from '../service/service-client.ts';
import { text } from '../text/en.ts';
import { QrCode } from './qr-code.tsx';
import { reloadFactors } from './use-factors.ts';

interface CodeSetupDialogProps {
  /** Gets the recovery codes, which no other answer has. */
  readonly onCodes: (codes: readonly string[]) => void;
  readonly onClose: () => void;
}

/** First a secret for the app of the user, then a code of it: only that makes the secret count. */
export function CodeSetupDialog({ onCodes, onClose }: CodeSetupDialogProps) {
  const [setup, setSetup] = useState<CodeSetupJson>();
  if (setup === undefined) return <StartDialog onSetup={setSetup} onClose={onClose} />;
  return <ConfirmDialog setup={setup} onCodes={onCodes} onClose={onClose} />;
}

interface StartDialogProps {
  readonly onSetup: (setup: CodeSetupJson) => void;
  readonly onClose: () => void;
}

function StartDialog({ onSetup, onClose }: StartDialogProps) {
  const start = useMutation({ mutationFn: () => service.factors.startOneTimeCodes(), onSuccess: onSetup });
  return (
    <Dialog title={text.user.setUpCodes} isOpen onClose={onClose}>
      <p>{text.user.codesWhy}</p>
      <WriteProblem write={start} />
      <ShowRequest request={{ method: 'POST', path: '/user/one_time_code', by: 'user' }} />
      <div className="actions">
        <Button onClick={onClose}>{text.cancel}</Button>
        <Button kind="primary" isBusy={start.isPending} onClick={() => start.mutate()}>
          {text.user.startCodes}
        </Button>
      </div>
    </Dialog>
  );
}

interface ConfirmDialogProps extends CodeSetupDialogProps {
  readonly setup: CodeSetupJson;
}

function ConfirmDialog({ setup: { secret, uri }, onCodes, onClose }: ConfirmDialogProps) {
  const [typed, setTyped] = useState('');
  const code = typed.replaceAll(/\s/g, '');
  return (
    <ActionDialog
      title={text.user.setUpCodes}
      action={text.user.confirmCodes}
      unable={/^\d{6}$/.test(code) ? undefined : text.user.codeHint}
      request={{ method: 'POST', path: '/user/one_time_code/confirm', body: { code }, by: 'user' }}
      run={() => service.factors.confirmOneTimeCodes(code)}
      onDone={async (codes) => {
        await reloadFactors();
        onCodes(codes);
      }}
      onClose={onClose}
    >
      <p>{text.user.scan}</p>
      <QrCode content={uri} label={text.user.qrLabel} />
      <a href={uri}>{text.user.openApp}</a>
      <Code title={text.user.secret} content={groupsOfFour(secret)} />
      <TextField
        label={text.user.codeLabel}
        hint={text.user.codeHint}
        autoComplete="one-time-code"
        inputMode="numeric"
        className="mono"
        value={typed}
        onValue={setTyped}
      />
    </ActionDialog>
  );
}

/** As it is read aloud and typed; apps leave the spaces out. */
function groupsOfFour(secret: string): string {
  return secret.replaceAll(/(.{4})(?=.)/g, '$1 ');
}
