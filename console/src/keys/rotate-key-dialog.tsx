import { useState } from 'react';
import type { KeyJson, NewKeyJson } from '../../../src/contract/key-shape.ts';
import { SelectField } from '../parts/select-field.tsx';
import { ActionDialog } from '../proof/action-dialog.tsx';
import { service } from '../service/service-client.ts';
import { text } from '../text/en.ts';
import { formatDuration } from '../text/format-values.ts';
import { nameOfKey } from './key-row.tsx';
import { reloadKeys } from './use-keys.ts';

/** Seconds; the longest is what the service allows. */
const overlaps = [0, 3600, 86_400, 7 * 86_400, 30 * 86_400];

interface RotateKeyDialogProps {
  readonly row: KeyJson;
  readonly onMade: (made: NewKeyJson) => void;
  readonly onClose: () => void;
}

/** Makes a key with the same rights. The old one goes on for a while, so that programs can change over. */
export function RotateKeyDialog({ row, onMade, onClose }: RotateKeyDialogProps) {
  const [overlap, setOverlap] = useState(86_400);
  return (
    <ActionDialog
      title={text.keys.rotateTitle(nameOfKey(row))}
      action={text.keys.rotateAction}
      request={{ method: 'POST', path: `/keys/${row.id}/rotate`, body: { overlap } }}
      command={`zonewright key rotate ${row.id} --overlap ${overlap}`}
      run={() => service.keys.rotate(row.id, overlap)}
      onDone={async (made) => {
        await reloadKeys();
        onMade(made);
      }}
      onClose={onClose}
    >
      <p>{text.keys.rotateWhy}</p>
      <SelectField
        label={text.keys.overlap}
        value={String(overlap)}
        onValue={(value) => setOverlap(Number(value))}
        options={overlaps.map((seconds) => ({
          value: String(seconds),
          label: seconds === 0 ? text.keys.atOnce : text.keys.after(formatDuration(seconds)),
        }))}
      />
    </ActionDialog>
  );
}
