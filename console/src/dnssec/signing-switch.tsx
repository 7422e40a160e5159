import { useState } from 'react';
import type { SigningStatusJson } from '../../../src/contract/signing-status-shape.ts';
import { ErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { ShowRequest } from '../parts/show-request.tsx';
import { service } from '../service/service-client.ts';
import { text } from '../text/en.ts';
import { ImportKeyDialog } from './import-key-dialog.tsx';
import { StopSigningDialog } from './stop-signing-dialog.tsx';
import { isPresigned, isSigned, isStopBlocked, useSigningWrite } from './use-signing.ts';
import { WithdrawSigningDialog } from './withdraw-signing-dialog.tsx';

const words = text.dnssec;

export interface SigningControlProps {
  readonly domain: string;
  readonly status: SigningStatusJson;
  /** Why nothing can be changed. */
  readonly unable: string | undefined;
}

/** Switches signing on and off. Off means without an outage; the way with one asks for the name of the domain. */
export function SigningSwitch({ domain, status, unable }: SigningControlProps) {
  const [dialog, setDialog] = useState<'withdraw' | 'stop' | 'import'>();
  const enabling = useSigningWrite(domain, () => service.domains.setDnssec(domain, 'enabled'));
  const { state } = status;
  const isOff = !isSigned(status);
  const isEnding = state === 'going_insecure';
  const isBlocked = isStopBlocked(status);
  return (
    <>
      <ErrorBand error={enabling.error} onRepeat={() => enabling.mutate()} />
      <div className="line">
        {(isOff || isEnding) && (
          <Button
            kind="primary"
            isBusy={enabling.isPending}
            unable={unable}
            onClick={() => enabling.mutate()}
          >
            {isOff ? words.sign : words.takeBack}
          </Button>
        )}
        {isOff && (
          <Button unable={unable} onClick={() => setDialog('import')}>
            {words.withImported}
          </Button>
        )}
        {!isOff && !isEnding && !isPresigned(status) && (
          <Button unable={unable} onClick={() => setDialog('withdraw')}>
            {words.off}
          </Button>
        )}
        {!isOff && (
          <Button
            kind="danger"
            unable={unable ?? (isBlocked ? words.stopBlocked : undefined)}
            onClick={() => setDialog('stop')}
          >
            {words.stop}
          </Button>
        )}
      </div>
      {!isOff && isBlocked && <p className="muted">{words.stopBlocked}</p>}
      {isOff && <p className="muted">{words.signWhy}</p>}
      {(isOff || isEnding) && (
        <ShowRequest
          request={{ method: 'PATCH', path: `/domains/${domain}`, body: { dns_sec: 'enabled' } }}
          command={`zonewright domain dnssec on ${domain}`}
        />
      )}
      {dialog === 'withdraw' && (
        <WithdrawSigningDialog domain={domain} onClose={() => setDialog(undefined)} />
      )}
      {dialog === 'import' && (
        <ImportKeyDialog domain={domain} isPresigned={false} onClose={() => setDialog(undefined)} />
      )}
      {dialog === 'stop' && (
        <StopSigningDialog domain={domain} status={status} onClose={() => setDialog(undefined)} />
      )}
    </>
  );
}
