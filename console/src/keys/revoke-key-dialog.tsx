import { useState } from 'react';
import type { KeyJson } from '../../../src/contract/key-shape.ts';
import { TextField } from '../parts/field.tsx';
import { showToast } from '../parts/toasts.tsx';
import { ActionDialog } from '../proof/action-dialog.tsx';
import { service } from '../service/service-client.ts';
import { text } from '../text/en.ts';
import { nameOfKey } from './key-row.tsx';
import { reloadKeys } from './use-keys.ts';

interface RevokeKeyDialogProps {
  readonly row: KeyJson;
  readonly onClose: () => void;
}

/** The label has to be typed: programs that use the key stop working at once. */
export function RevokeKeyDialog({ row, onClose }: RevokeKeyDialogProps) {
  const [typed, setTyped] = useState('');
  const name = nameOfKey(row);
  return (
    <ActionDialog
      title={text.keys.revokeTitle(name)}
      action={text.keys.revoke}
      isDanger
      unable={typed.trim() === name.trim() ? undefined : text.keys.type(name)}
      request={{ method: 'DELETE', path: `/keys/${row.id}` }}
      command={`zonewright key revoke ${row.id}`}
      run={() => service.keys.revoke(row.id)}
      onDone={async () => {
        await reloadKeys();
        showToast(text.keys.revoked(name));
        onClose();
      }}
      onClose={onClose}
    >
      <p>{text.keys.revokeWhy}</p>
      <TextField label={text.keys.type(name)} value={typed} onValue={setTyped} />
    </ActionDialog>
  );
}
