import { useState } from 'react';
import type { ChangeJson } from '../../../src/contract/response-shapes.ts';
import { Button } from '../parts/button.tsx';
import { DifferenceRow, differencesOfChanges } from '../records/difference-list.tsx';
import { text } from '../text/en.ts';
import { formatExactTime, formatNumber } from '../text/format-values.ts';
import type { ChangeSet } from './change-sets.ts';
import { SoaDifference } from './soa-difference.tsx';

const words = text.history;

/** More are shown on demand: the set stands among others, and a page of all of them would be too long to scroll past. */
const SHOWN_CHANGES = 100;

export function ChangeSetDetails({ set }: { readonly set: ChangeSet }) {
  const [most, setMost] = useState(SHOWN_CHANGES);
  const { serial, date, address, author, changes, others } = set;
  const rows = differencesOfChanges(changes);
  const left = rows.length - most;
  return (
    <div className="change-details stack-small">
      <dl className="facts small">
        <div className="pair">
          <dt>{words.when}</dt>
          <dd>{formatExactTime(date)}</dd>
        </div>
        <div className="pair">
          <dt>{words.serial}</dt>
          <dd className="numbers">{serial}</dd>
        </div>
        {address !== null && (
          <div className="pair">
            <dt>{words.from}</dt>
            <dd className="mono">{address}</dd>
          </div>
        )}
        {author !== '' && (
          <div className="pair">
            <dt>{words.authorId}</dt>
            <dd className="mono">{author}</dd>
          </div>
        )}
      </dl>
      {others.map((change, index) => (
        <OtherChange key={index} change={change} />
      ))}
      {rows.length > 0 && (
        <ul className="rows differences" aria-label={words.difference}>
          {rows.slice(0, most).map((row) => (
            <li key={row.key}>
              <DifferenceRow row={row} />
            </li>
          ))}
        </ul>
      )}
      {left > 0 && (
        <div className="line">
          <Button onClick={() => setMost(most + SHOWN_CHANGES * 5)}>
            {words.more(formatNumber(Math.min(left, SHOWN_CHANGES * 5)))}
          </Button>
          <span className="muted numbers">{words.left(formatNumber(left))}</span>
        </div>
      )}
    </div>
  );
}

function OtherChange({ change: { action, soa } }: { readonly change: ChangeJson }) {
  if (soa !== null) return <SoaDifference before={soa.before} after={soa.after} />;
  const explained = words.explained as Partial<Record<string, string>>;
  return explained[action] === undefined ? null : <p>{explained[action]}</p>;
}
