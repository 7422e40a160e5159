import { useState } from 'react';
import type { SigningStatusJson } from '../../../src/contract/signing-status-shape.ts';
import { Band, ErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/field.tsx';
import { ShowRequest } from '../parts/show-request.tsx';
import { service } from '../service/service-client.ts';
import { text } from '../text/en.ts';
import { toAscii, toUnicode } from '../text/name-forms.ts';
import { hasDs, useSigningWrite } from './use-signing.ts';

const words = text.dnssec;

interface StopSigningDialogProps {
  readonly domain: string;
  readonly status: SigningStatusJson;
  readonly onClose: () => void;
}

/** The end of signing that can take a domain off the net: it says so, and the name has to be typed, in either form. */
export function StopSigningDialog({ domain, status, onClose }: StopSigningDialogProps) {
  const [typed, setTyped] = useState('');
  const stop = useSigningWrite(
    domain,
    () => service.domains.setDnssec(domain, 'disabled', { force: true }),
    onClose,
  );
  const shown = toUnicode(domain);
  const isTyped = toAscii(typed.trim()) === domain;
  const isInDanger = hasDs(status);
  return (
    <Dialog title={words.stopTitle(shown)} isOpen onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (isTyped && !stop.isPending) stop.mutate();
        }}
      >
        {isInDanger === true && (
          <Band kind="error" title={words.stopDs}>
            <p>{words.stopBreaks(shown)}</p>
          </Band>
        )}
        {isInDanger === undefined && (
          <Band kind="warning" title={words.stopUnknown}>
            <p>{words.stopBreaks(shown)}</p>
          </Band>
        )}
        <p>{words.stopWhy}</p>
        <TextField label={words.stopType(shown)} value={typed} onValue={setTyped} className="mono" />
        <ErrorBand error={stop.error} onRepeat={() => stop.mutate()} />
        <ShowRequest
          request={{ method: 'PATCH', path: `/domains/${domain}?force=true`, body: { dns_sec: 'disabled' } }}
          command={`zonewright domain dnssec off ${domain} --force`}
        />
        <div className="actions">
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button
            kind="danger"
            type="submit"
            isBusy={stop.isPending}
            unable={isTyped ? undefined : words.stopType(shown)}
          >
            {words.stop}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
