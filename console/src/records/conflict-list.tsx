import { Band } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { text } from '../text/en.ts';
import { formatDistance, formatNumber } from '../text/format-values.ts';
import type { Draft } from './draft.ts';
import { settleConflict, type Conflict } from './merge-draft.ts';
import { shownName, valueOf, type RecordValue } from './record-value.ts';
import { newDraftKey } from './use-draft.ts';
import type { Others } from './use-others.ts';

interface ConflictListProps {
  readonly conflicts: readonly Conflict[];
  readonly others: Others;
  readonly onDraft: (edit: (draft: Draft) => Draft) => unknown;
}

/** Records that somebody else has changed to something else: one choice for each, which is kept at once, then the review goes on. */
export function ConflictList({ conflicts, others, onDraft }: ConflictListProps) {
  const choose = (conflict: Conflict, keepsMine: boolean): void => {
    const key = newDraftKey();
    onDraft((draft) => settleConflict(draft, conflict, keepsMine, key));
  };
  return (
    <div className="stack">
      <h2>{text.review.conflicts(formatNumber(conflicts.length))}</h2>
      <Band kind="warning" title={others.summary ?? text.review.conflicts(formatNumber(conflicts.length))}>
        <p>{text.review.conflictWhy}</p>
      </Band>
      <ul className="rows differences">
        {conflicts.map((conflict) => (
          <li key={conflict.id}>
            <ConflictRow
              conflict={conflict}
              by={describeChange(conflict, others)}
              onChoose={(keepsMine) => choose(conflict, keepsMine)}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** `Anna changed this record 2 minutes ago.`; undefined: it is not known. */
function describeChange({ id, theirs }: Conflict, { changes, nameOf }: Others): string | undefined {
  const change = changes.get(id);
  if (change === undefined) return undefined;
  const describe = theirs === undefined ? text.review.deletedThis : text.review.changedThis;
  return describe(nameOf(change.author), formatDistance(change.date));
}

function ConflictRow({
  conflict: { mine, theirs },
  by,
  onChoose,
}: {
  readonly conflict: Conflict;
  readonly by: string | undefined;
  readonly onChoose: (keepsMine: boolean) => void;
}) {
  const other = theirs && valueOf(theirs);
  const value = mine ?? other;
  return (
    <div className="conflict">
      <strong className="mono">
        {shownName(value?.name ?? '')} {value?.type}
      </strong>
      <Side
        title={text.review.yours}
        value={mine}
        action={text.review.keepMine}
        onChoose={() => onChoose(true)}
      />
      <Side
        title={text.review.theirs}
        by={by}
        value={other}
        action={text.review.takeTheirs}
        onChoose={() => onChoose(false)}
      />
    </div>
  );
}

interface SideProps {
  readonly title: string;
  /** A sentence on who it was. */
  readonly by?: string | undefined;
  /** Undefined: deleted. */
  readonly value: RecordValue | undefined;
  readonly action: string;
  readonly onChoose: () => void;
}

function Side({ title, by, value, action, onChoose }: SideProps) {
  return (
    <div className="stack-small">
      <span className="muted small">{title}</span>
      <span className="mono">
        {value === undefined ? text.review.gone : `${shownName(value.name)} ${value.ttl} ${value.data}`}
      </span>
      {by !== undefined && <span className="muted small">{by}</span>}
      <Button onClick={onChoose}>{action}</Button>
    </div>
  );
}
