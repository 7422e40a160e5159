import { useState } from 'react';
import type { SigningStatusJson } from '../../../src/contract/signing-status-shape.ts';
import type { ZoneKeyJson } from '../../../src/contract/zone-key-shape.ts';
import { ErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { ShowRequest } from '../parts/show-request.tsx';
import { text } from '../text/en.ts';
import { formatTime } from '../text/format-values.ts';
import { ForeignKeyDialog } from './foreign-key-dialog.tsx';
import { ImportKeyDialog } from './import-key-dialog.tsx';
import { RolloverState } from './rollover-state.tsx';
import type { SigningControlProps } from './signing-switch.tsx';
import { StartRolloverDialog } from './start-rollover-dialog.tsx';
import { isPresigned, useZoneKeys } from './use-signing.ts';
import { AnnounceKeyDialog, RemoveKeyDialog } from './zone-key-dialogs.tsx';
import { ZoneKeyRow, type ZoneKeyAction } from './zone-key-row.tsx';

const words = text.dnssec;

type OpenDialog =
  | { readonly kind: 'roll' | 'foreign' | 'import' }
  | { readonly kind: ZoneKeyAction; readonly zoneKey: ZoneKeyJson };

interface KeySectionProps extends SigningControlProps {
  /** Why the user may change nothing; `unable` is about what the service would refuse as well. */
  readonly mayNot: string | undefined;
}

/** The keys of a domain: its own and their exchange, and those from elsewhere. */
export function KeySection({ domain, status, unable, mayNot }: KeySectionProps) {
  const [dialog, setDialog] = useState<OpenDialog>();
  const details = useZoneKeys(domain);
  const { keys, rollover, earliest_expiry } = status;
  return (
    <section className="stack">
      <h2>{words.keys}</h2>
      <ErrorBand error={details.error} onRepeat={() => void details.refetch()} />
      {keys.length === 0 ? (
        <p className="muted">{words.noKeys}</p>
      ) : (
        <ul className="rows" aria-label={words.keys}>
          {keys.map((key) => (
            <ZoneKeyRow
              key={key.id}
              zoneKey={key}
              details={details.data?.find(({ id }) => id === key.id)}
              onChoose={unable === undefined ? (kind, zoneKey) => setDialog({ kind, zoneKey }) : undefined}
            />
          ))}
        </ul>
      )}
      {earliest_expiry !== null && <p className="muted">{words.expiry(formatTime(earliest_expiry))}</p>}
      {rollover !== null && <RolloverState domain={domain} rollover={rollover} unable={unable} />}
      <KeyButtons status={status} unable={unable} mayNot={mayNot} onChoose={(kind) => setDialog({ kind })} />
      <ShowRequest
        request={{ method: 'GET', path: `/domains/${domain}/dnssec/keys` }}
        command={`zonewright domain dnssec key list ${domain}`}
      />
      {dialog && (
        <KeyDialog domain={domain} status={status} dialog={dialog} onClose={() => setDialog(undefined)} />
      )}
    </section>
  );
}

interface KeyButtonsProps extends Omit<KeySectionProps, 'domain'> {
  readonly onChoose: (kind: 'roll' | 'foreign' | 'import') => void;
}

function KeyButtons({ status, unable, mayNot, onChoose }: KeyButtonsProps) {
  const { rollover, state } = status;
  if (isPresigned(status))
    return (
      <div className="line">
        <Button unable={mayNot} onClick={() => onChoose('import')}>
          {words.takeOver}
        </Button>
      </div>
    );
  const reason = unable ?? (state === 'signing' ? words.wait : undefined);
  return (
    <div className="line">
      {rollover === null && (
        <Button unable={reason} onClick={() => onChoose('roll')}>
          {words.roll}
        </Button>
      )}
      <Button
        unable={reason ?? (rollover === null ? undefined : words.foreignLater)}
        onClick={() => onChoose('foreign')}
      >
        {words.foreign}
      </Button>
    </div>
  );
}

function hasForeign({ keys }: SigningStatusJson): boolean {
  return keys.some(({ origin }) => origin === 'foreign');
}

interface KeyDialogProps {
  readonly domain: string;
  readonly status: SigningStatusJson;
  readonly dialog: OpenDialog;
  readonly onClose: () => void;
}

function KeyDialog({ domain, status, dialog, onClose }: KeyDialogProps) {
  const shared = { domain, onClose };
  switch (dialog.kind) {
    case 'roll': {
      const algorithm = status.keys.find(({ role }) => role === 'csk')?.algorithm;
      return <StartRolloverDialog {...shared} algorithm={algorithm} isShared={hasForeign(status)} />;
    }
    case 'foreign':
      return <ForeignKeyDialog {...shared} />;
    case 'import':
      return <ImportKeyDialog {...shared} isPresigned />;
    case 'announce':
      return <AnnounceKeyDialog {...shared} zoneKey={dialog.zoneKey} />;
    case 'remove':
      return <RemoveKeyDialog {...shared} zoneKey={dialog.zoneKey} />;
  }
}
