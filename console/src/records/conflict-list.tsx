import { Band } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { text } from '../text/en.ts';
import { formatNumber } from '../text/format-values.ts';
import type { Draft } from './draft.ts';
import { settleConflict, type Conflict } from './merge-draft.ts';
import { shownName, valueOf, type RecordValue } from './record-value.ts';
import { newDraftKey } from './use-draft.ts';

interface ConflictListProps {
  readonly conflicts: readonly Conflict[];
  readonly onDraft: (edit: (draft: Draft) => Draft) => unknown;
}

/** Records that somebody else has changed to something else: one choice for each, which is kept at once, then the review goes on. */
export function ConflictList({ conflicts, onDraft }: ConflictListProps) {
  const choose = (conflict: Conflict, keepsMine: boolean): void => {
    const key = newDraftKey();
    onDraft((draft) => settleConflict(draft, conflict, keepsMine, key));
  };
  return (
    <div className="stack">
      <h2>{text.review.conflicts(formatNumber(conflicts.length))}</h2>
      <Band kind="warning" title={text.review.conflictWhy} />
      <ul className="rows differences">
        {conflicts.map((conflict) => (
          <li key={conflict.id}>
            <ConflictRow conflict={conflict} onChoose={(keepsMine) => choose(conflict, keepsMine)} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function ConflictRow({
  conflict: { mine, theirs },
  onChoose,
}: {
  readonly conflict: Conflict;
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
        value={other}
        action={text.review.takeTheirs}
        onChoose={() => onChoose(false)}
      />
    </div>
  );
}

interface SideProps {
  readonly title: string;
  /** Undefined: deleted. */
  readonly value: RecordValue | undefined;
  readonly action: string;
  readonly onChoose: () => void;
}

function Side({ title, value, action, onChoose }: SideProps) {
  return (
    <div className="stack-small">
      <span className="muted small">{title}</span>
      <span className="mono">
        {value === undefined ? text.review.gone : `${shownName(value.name)} ${value.ttl} ${value.data}`}
      </span>
      <Button onClick={onChoose}>{action}</Button>
    </div>
  );
}
