import { useState } from 'react';
import { DataField } from '../parts/field.tsx';
import { FileButton } from '../parts/file-button.tsx';
import { showToast } from '../parts/toasts.tsx';
import { ActionDialog } from '../proof/action-dialog.tsx';
import { service } from '../service/service-client.ts';
import { text } from '../text/en.ts';
import { toUnicode } from '../text/name-forms.ts';
import { reloadSigning } from './use-signing.ts';

const words = text.dnssec;

/** The service takes no more (`MAX_PRIVATE_KEY_CHARACTERS`). */
const MAX_CHARACTERS = 8192;

interface ImportKeyDialogProps {
  readonly domain: string;
  /** Another signer has signed the zone so far. */
  readonly isPresigned: boolean;
  readonly onClose: () => void;
}

/** Signs a domain with a private key that it has elsewhere. The key is in the memory of this dialog, and nowhere else. */
export function ImportKeyDialog({ domain, isPresigned, onClose }: ImportKeyDialogProps) {
  const [content, setContent] = useState('');
  const [isUnreadable, setUnreadable] = useState(false);
  const isTooLong = content.length > MAX_CHARACTERS;
  const take = async (file: File): Promise<void> => {
    // One character more than the service takes: the sentence about that is below.
    const read = await file
      .slice(0, MAX_CHARACTERS + 1)
      .text()
      .catch(() => undefined);
    setUnreadable(read === undefined);
    setContent(read ?? '');
  };
  const name = toUnicode(domain);
  return (
    <ActionDialog
      title={words.importTitle(name)}
      action={words.importAction}
      unable={content.trim() === '' ? words.noPrivateKey : isTooLong ? words.longPrivateKey : undefined}
      request={{ method: 'POST', path: `/domains/${domain}/dnssec/keys`, body: { private_key: '…' } }}
      command={`zonewright domain dnssec key add ${domain} --private-key K${domain}.private`}
      run={() => service.domains.addZoneKey(domain, { private_key: content })}
      onDone={async ({ value: { tag } }) => {
        await reloadSigning(domain);
        showToast(words.imported(name, tag));
        onClose();
      }}
      onClose={onClose}
    >
      <p>{isPresigned ? words.takeOverWhy : words.importWhy}</p>
      <DataField
        label={words.privateKey}
        hint={words.privateKeyHint}
        problem={isUnreadable ? text.import.unreadable : isTooLong ? words.longPrivateKey : undefined}
        value={content}
        onValue={(value) => {
          setUnreadable(false);
          setContent(value);
        }}
        rows={6}
      />
      <div className="line">
        <FileButton label={text.import.choose} onFile={(file) => void take(file)} />
      </div>
    </ActionDialog>
  );
}
