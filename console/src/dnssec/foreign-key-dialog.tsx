import { useState } from 'react';
import { DataField } from '../parts/field.tsx';
import { showToast } from '../parts/toasts.tsx';
import { ActionDialog } from '../proof/action-dialog.tsx';
import { quote } from '../service/format-curl.ts';
import { service } from '../service/service-client.ts';
import { text } from '../text/en.ts';
import { readDnskeyData } from './read-dnskey-data.ts';
import { reloadSigning } from './use-signing.ts';

const words = text.dnssec;

interface ForeignKeyDialogProps {
  readonly domain: string;
  readonly onClose: () => void;
}

/** Publishes the key of another provider that signs the same domain. */
export function ForeignKeyDialog({ domain, onClose }: ForeignKeyDialogProps) {
  const [content, setContent] = useState('');
  const dnskey = readDnskeyData(content);
  return (
    <ActionDialog
      title={words.foreignTitle}
      action={words.foreignAction}
      unable={dnskey === '' ? words.noDnskey : undefined}
      request={{ method: 'POST', path: `/domains/${domain}/dnssec/keys`, body: { dnskey } }}
      command={`zonewright domain dnssec key add ${domain} --dnskey ${quote(dnskey)}`}
      run={() => service.domains.addZoneKey(domain, { dnskey })}
      onDone={async ({ value: { tag } }) => {
        await reloadSigning(domain);
        showToast(words.foreignAdded(tag));
        onClose();
      }}
      onClose={onClose}
    >
      <p>{words.foreignWhy}</p>
      <p>{words.foreignNext}</p>
      <DataField label={words.dnskey} hint={words.dnskeyHint} value={content} onValue={setContent} />
    </ActionDialog>
  );
}
