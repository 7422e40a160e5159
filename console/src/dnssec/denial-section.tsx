import { useState } from 'react';
import { ErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { ShowRequest } from '../parts/show-request.tsx';
import { service } from '../service/service-client.ts';
import { text } from '../text/en.ts';
import type { SigningControlProps } from './signing-switch.tsx';
import { useSigningWrite } from './use-signing.ts';

const words = text.dnssec;
const kinds = ['nsec', 'nsec3'] as const;

/** How the domain proves that a name does not exist. */
export function DenialSection({ domain, status: { denial, state }, unable }: SigningControlProps) {
  const [picked, setPicked] = useState<'nsec' | 'nsec3'>();
  const chosen = picked ?? denial;
  const change = useSigningWrite(
    domain,
    (kind: 'nsec' | 'nsec3') => service.domains.setDenial(domain, kind),
    () => setPicked(undefined),
  );
  if (denial === null || chosen === null) return null;
  const reason = unable ?? (state === 'signing' ? words.wait : undefined);
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (reason === undefined && chosen !== denial && !change.isPending) change.mutate(chosen);
      }}
    >
      <fieldset className="choices" aria-label={words.denial}>
        <h2>{words.denial}</h2>
        {kinds.map((kind) => (
          <label key={kind}>
            <input
              type="radio"
              name="denial"
              checked={kind === chosen}
              disabled={unable !== undefined}
              onChange={() => setPicked(kind)}
            />
            <span>
              <strong>{words.denials[kind]}</strong>
              <span className="muted"> {words.denialWhy[kind]}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <ErrorBand error={change.error} onRepeat={() => change.mutate(chosen)} />
      <ShowRequest
        request={{ method: 'PATCH', path: `/domains/${domain}/dnssec`, body: { denial: chosen } }}
        command={`zonewright domain dnssec denial ${domain} ${chosen}`}
      />
      <div className="line">
        <Button
          type="submit"
          isBusy={change.isPending}
          unable={reason ?? (chosen === denial ? words.denialSame : undefined)}
        >
          {words.denialChange}
        </Button>
      </div>
    </form>
  );
}
