import type { ZoneKeyJson } from '../../../src/contract/zone-key-shape.ts';
import { showToast } from '../parts/toasts.tsx';
import { ActionDialog } from '../proof/action-dialog.tsx';
import { service } from '../service/service-client.ts';
import { text } from '../text/en.ts';
import { reloadSigning } from './use-signing.ts';

const words = text.dnssec;

interface ZoneKeyDialogProps {
  readonly domain: string;
  readonly zoneKey: ZoneKeyJson;
  readonly onClose: () => void;
}

/** Asks the parent zone for the DS record of a key, or no longer. */
export function AnnounceKeyDialog({ domain, zoneKey, onClose }: ZoneKeyDialogProps) {
  const { id, tag, announced, origin } = zoneKey;
  const why = announced
    ? origin === 'foreign'
      ? words.withdrawForeignWhy
      : words.withdrawOwnWhy
    : words.announceWhy;
  return (
    <ActionDialog
      title={announced ? words.withdrawTitle(tag) : words.announceTitle(tag)}
      action={announced ? words.withdrawKey : words.announceKey}
      request={{
        method: 'PATCH',
        path: `/domains/${domain}/dnssec/keys/${id}`,
        body: { announced: !announced },
      }}
      command={`zonewright domain dnssec key ${announced ? 'withdraw' : 'announce'} ${domain} ${id}`}
      run={() => service.domains.announceZoneKey(domain, id, !announced)}
      onDone={async () => {
        await reloadSigning(domain);
        onClose();
      }}
      onClose={onClose}
    >
      <p>{why}</p>
    </ActionDialog>
  );
}

/** Removes the key of another provider. */
export function RemoveKeyDialog({ domain, zoneKey: { id, tag }, onClose }: ZoneKeyDialogProps) {
  return (
    <ActionDialog
      title={words.removeTitle(tag)}
      action={words.removeKey}
      isDanger
      request={{ method: 'DELETE', path: `/domains/${domain}/dnssec/keys/${id}` }}
      command={`zonewright domain dnssec key remove ${domain} ${id}`}
      run={() => service.domains.removeZoneKey(domain, id)}
      onDone={async () => {
        await reloadSigning(domain);
        showToast(words.keyRemoved(tag));
        onClose();
      }}
      onClose={onClose}
    >
      <p>{words.removeWhy}</p>
    </ActionDialog>
  );
}
