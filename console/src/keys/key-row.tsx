import type { KeyJson } from '../../../src/contract/key-shape.ts';
import { Menu } from '../parts/menu.tsx';
import { MoreIcon } from '../parts/more-icon.tsx';
import { text } from '../text/en.ts';
import { formatDate, formatDistance } from '../text/format-values.ts';

interface KeyRowProps {
  readonly row: KeyJson;
  /** Absent: the user may not. */
  readonly onChoose?: (kind: 'rotate' | 'revoke') => void;
}

export function KeyRow({ row, onChoose }: KeyRowProps) {
  const { summary, networks } = row;
  const name = nameOfKey(row);
  return (
    <>
      <div className="name">
        <span className="line">
          <strong>{name}</strong>
          {hasEnded(row) && <span className="tag warning">{text.keys.ended}</span>}
        </span>
        <span>{summary}</span>
        {networks !== null && <span className="small muted mono">{text.keys.from(networks.join(', '))}</span>}
        <span className="small muted numbers">{timesOf(row)}</span>
      </div>
      {onChoose && (
        <Menu
          label={text.keys.actions(name)}
          className="button quiet icon"
          groups={[
            {
              entries: [
                { label: text.keys.rotate, onChoose: () => onChoose('rotate') },
                { label: text.keys.revoke, isDanger: true, onChoose: () => onChoose('revoke') },
              ],
            },
          ]}
        >
          <MoreIcon />
        </Menu>
      )}
    </>
  );
}

/** The label, or the id of a key without one. */
export function nameOfKey({ label, id }: Pick<KeyJson, 'label' | 'id'>): string {
  return label === '' ? id : label;
}

function hasEnded({ date_expires }: KeyJson): boolean {
  return date_expires !== null && new Date(date_expires).getTime() <= Date.now();
}

function timesOf(row: KeyJson): string {
  const { date_created, date_used, date_expires } = row;
  const used = date_used === null ? text.keys.neverUsed : text.keys.used(formatDistance(date_used));
  const end = date_expires === null ? text.keys.noEnd : text.keys.ends(formatDate(date_expires));
  return [text.keys.created(formatDate(date_created)), used, hasEnded(row) ? '' : end].join(' ').trim();
}
