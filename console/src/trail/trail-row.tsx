import type { TrailEntryJson } from '../../../src/contract/trail-shape.ts';
import { text } from '../text/en.ts';
import { formatNumber, formatTime } from '../text/format-values.ts';
import type { TrailFilter } from './trail-filter.ts';

interface TrailRowProps {
  readonly entry: TrailEntryJson;
  readonly showsAccount: boolean;
  /** Shows only what has the same actor, object or address. */
  readonly onFilter: (change: TrailFilter) => void;
}

export function TrailRow({ entry, showsAccount, onFilter }: TrailRowProps) {
  const { date, action, actor, actor_name, address, object, detail, count, account } = entry;
  const who = actor_name === '' ? actor : actor_name;
  return (
    <div className="name">
      <span className="line">
        <strong>{text.trail.actions[action]}</strong>
        {action.endsWith('.refuse') && <span className="tag warning">{text.trail.refused}</span>}
        {count > 1 && <span className="tag">{text.trail.times(formatNumber(count))}</span>}
      </span>
      <span className="line tight small">
        <span className="muted numbers">{formatTime(date)}</span>
        {actor === '' ? (
          <span>{text.trail.nobody}</span>
        ) : (
          <Only value={who} onChoose={() => onFilter({ actor })} />
        )}
        {address !== null && <Only value={address} onChoose={() => onFilter({ address })} />}
        {object !== '' && <Only value={object} onChoose={() => onFilter({ object })} />}
      </span>
      {detail !== null && <span className="small">{describeDetail(detail)}</span>}
      {showsAccount && (
        <span className="small muted">
          {account === null ? text.trail.noAccount : text.trail.ofAccount(account)}
        </span>
      )}
    </div>
  );
}

function Only({ value, onChoose }: { readonly value: string; readonly onChoose: () => void }) {
  return (
    <button type="button" className="link" title={text.trail.only(value)} onClick={onChoose}>
      {value}
    </button>
  );
}

function describeDetail(detail: NonNullable<TrailEntryJson['detail']>): string {
  return Object.entries(detail)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => (value === true ? words(name) : `${words(name)}: ${String(value)}`))
    .join(', ');
}

function words(name: string): string {
  return name.replaceAll('_', ' ');
}
