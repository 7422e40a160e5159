import { useState } from 'react';
import type { SigningStatusJson } from '../../../src/contract/signing-status-shape.ts';
import { Button } from '../parts/button.tsx';
import { text } from '../text/en.ts';
import { formatTime } from '../text/format-values.ts';
import { RolloverState } from './rollover-state.tsx';
import type { SigningControlProps } from './signing-switch.tsx';
import { StartRolloverDialog } from './start-rollover-dialog.tsx';

const words = text.dnssec;

/** The keys of a domain, and their exchange. */
export function KeySection({ domain, status, unable }: SigningControlProps) {
  const [isStarting, setStarting] = useState(false);
  const { keys, rollover, state, earliest_expiry } = status;
  return (
    <section className="stack">
      <h2>{words.keys}</h2>
      {keys.length === 0 ? (
        <p className="muted">{words.noKeys}</p>
      ) : (
        <ul className="rows">
          {keys.map((key) => (
            <KeyRow key={key.id} zoneKey={key} />
          ))}
        </ul>
      )}
      {earliest_expiry !== null && <p className="muted">{words.expiry(formatTime(earliest_expiry))}</p>}
      {rollover === null ? (
        <div className="line">
          <Button
            unable={unable ?? (state === 'signing' ? words.wait : undefined)}
            onClick={() => setStarting(true)}
          >
            {words.roll}
          </Button>
        </div>
      ) : (
        <RolloverState domain={domain} rollover={rollover} unable={unable} />
      )}
      {isStarting && (
        <StartRolloverDialog
          domain={domain}
          algorithm={keys.find(({ role }) => role === 'csk')?.algorithm}
          onClose={() => setStarting(false)}
        />
      )}
    </section>
  );
}

function KeyRow({ zoneKey }: { readonly zoneKey: SigningStatusJson['keys'][number] }) {
  const { tag, algorithm, state, role, origin, date_created } = zoneKey;
  const algorithms: Partial<Record<string, string>> = words.algorithms;
  return (
    <li>
      <div className="name">
        <span>
          <strong className="numbers">{words.keyTag(tag)}</strong>{' '}
          <span className="muted">
            {algorithm} {algorithms[algorithm]}
          </span>
        </span>
        <span className="small muted">
          {words.roles[role]} {words.origins[origin]} {words.created(formatTime(date_created))}
        </span>
      </div>
      <span className={state === 'active' ? 'tag' : 'tag warning'}>{words.keyStates[state]}</span>
    </li>
  );
}
