import { useState } from 'react';
import type { PasskeyJson } from '../../../src/contract/factor-shape.ts';
import { TextField } from '../parts/field.tsx';
import { showToast } from '../parts/toasts.tsx';
import { ActionDialog } from '../proof/action-dialog.tsx';
import { service } from '../service/service-client.ts';
import { createPasskey, nameOfDevice } from '../sign-in/passkeys.ts';
import { text } from '../text/en.ts';
import { reloadFactors } from './use-factors.ts';

interface PasskeyDialogProps {
  readonly passkey: PasskeyJson;
  readonly onClose: () => void;
}

/** Only a browser can answer the challenge: there is no request to show. */
export function AddPasskeyDialog({ onClose }: Pick<PasskeyDialogProps, 'onClose'>) {
  const [name, setName] = useState(nameOfDevice);
  return (
    <ActionDialog
      title={text.user.addPasskey}
      action={text.join.createPasskey}
      unable={name.trim() === '' ? text.user.passkeyNameHint : undefined}
      run={() => createPasskey(name.trim())}
      onDone={async () => {
        await reloadFactors();
        showToast(text.join.passkeyDone);
        onClose();
      }}
      onClose={onClose}
    >
      <p>{text.join.passkeyWhy}</p>
      <PasskeyName value={name} onValue={setName} />
    </ActionDialog>
  );
}

export function RenamePasskeyDialog({ passkey, onClose }: PasskeyDialogProps) {
  const [typed, setTyped] = useState(passkey.name);
  const name = typed.trim();
  const path = `/user/passkeys/${passkey.id}`;
  return (
    <ActionDialog
      title={text.user.renamePasskey}
      action={text.user.renamePasskey}
      unable={name === '' || name === passkey.name ? text.user.passkeyNameHint : undefined}
      request={{ method: 'PATCH', path, body: { name }, by: 'user' }}
      run={() => service.factors.renamePasskey(passkey.id, name)}
      onDone={async () => {
        await reloadFactors();
        onClose();
      }}
      onClose={onClose}
    >
      <PasskeyName value={typed} onValue={setTyped} />
    </ActionDialog>
  );
}

function PasskeyName(props: { readonly value: string; readonly onValue: (name: string) => void }) {
  return (
    <TextField
      label={text.user.passkeyName}
      hint={text.user.passkeyNameHint}
      autoCapitalize="words"
      {...props}
    />
  );
}

export function RemovePasskeyDialog({ passkey: { id, name }, onClose }: PasskeyDialogProps) {
  return (
    <ActionDialog
      title={text.user.removePasskeyTitle(name)}
      action={text.user.removePasskey}
      isDanger
      request={{ method: 'DELETE', path: `/user/passkeys/${id}`, by: 'user' }}
      run={() => service.factors.removePasskey(id)}
      onDone={async () => {
        await reloadFactors();
        showToast(text.user.passkeyRemoved(name));
        onClose();
      }}
      onClose={onClose}
    >
      <p>{text.user.removePasskeyWhy}</p>
    </ActionDialog>
  );
}
