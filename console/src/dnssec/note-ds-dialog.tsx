import { useState } from 'react';
import { ChoiceField } from '../parts/choice-field.tsx';
import { DataField, TextField } from '../parts/field.tsx';
import { ActionDialog } from '../proof/action-dialog.tsx';
import { parseTtl } from '../records/parse-ttl.ts';
import { quote } from '../service/format-curl.ts';
import { service } from '../service/service-client.ts';
import { text } from '../text/en.ts';
import { reloadSigning } from './use-signing.ts';

const words = text.dnssec;

interface NoteDsDialogProps {
  readonly domain: string;
  /** Those that the parent zone has to have. */
  readonly wanted: readonly string[];
  readonly onClose: () => void;
}

/** Takes the word of the owner for the DS records of a parent zone that the service cannot ask. */
export function NoteDsDialog({ domain, wanted, onClose }: NoteDsDialogProps) {
  const [has, setHas] = useState<'none' | 'some'>(wanted.length === 0 ? 'none' : 'some');
  const [records, setRecords] = useState(wanted.join('\n'));
  const [ttl, setTtl] = useState('');
  const ds = has === 'none' ? [] : records.split('\n').flatMap((line) => line.trim() || []);
  const seconds = ttl.trim() === '' ? undefined : parseTtl(ttl);
  const isWrong = ttl.trim() !== '' && seconds === undefined;
  const body = { ds, ...(seconds !== undefined && { ttl: seconds }) };
  return (
    <ActionDialog
      title={words.note}
      action={words.noteAction}
      unable={has === 'some' && ds.length === 0 ? words.noteEmpty : isWrong ? words.noteNoTtl : undefined}
      request={{ method: 'POST', path: `/domains/${domain}/dnssec/ds_seen`, body }}
      command={commandOf(domain, ds, seconds)}
      run={() => service.domains.noteDsSeen(domain, body)}
      onDone={async () => {
        await reloadSigning(domain);
        onClose();
      }}
      onClose={onClose}
    >
      <p>{words.noteTruth}</p>
      <ChoiceField
        label={words.noteHas}
        name="has"
        value={has}
        onValue={setHas}
        choices={[
          { value: 'some', label: words.noteSome },
          { value: 'none', label: words.noteNone },
        ]}
      />
      {has === 'some' && (
        <DataField
          label={words.noteRecords}
          hint={words.noteRecordsHint}
          value={records}
          onValue={setRecords}
        />
      )}
      <TextField
        label={words.noteTtl}
        hint={words.noteTtlHint}
        problem={isWrong ? words.noteNoTtl : undefined}
        value={ttl}
        onValue={setTtl}
      />
    </ActionDialog>
  );
}

function commandOf(domain: string, ds: readonly string[], seconds: number | undefined): string {
  const said = ds.length === 0 ? '--none' : ds.map(quote).join(' ');
  return `zonewright domain dnssec seen ${domain} ${said}${seconds === undefined ? '' : ` --ttl ${seconds}`}`;
}
