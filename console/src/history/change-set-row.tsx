import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { ErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { newDraftKey, useDraft } from '../records/use-draft.ts';
import { updateRecords } from '../records/use-records.ts';
import { text } from '../text/en.ts';
import { formatExactTime, formatNumber, formatTime } from '../text/format-values.ts';
import { canUndo, countChanges, stageInverse, type ChangeSet } from './change-sets.ts';
import { ChangeSetDetails } from './change-set-details.tsx';

const words = text.history;

interface ChangeSetRowProps {
  readonly domain: string;
  readonly set: ChangeSet;
  readonly author: string;
  /** The zone is as it left it. */
  readonly isLatest: boolean;
  readonly mayEdit: boolean;
}

export function ChangeSetRow({ domain, set, author, isLatest, mayEdit }: ChangeSetRowProps) {
  const [isOpen, setOpen] = useState(false);
  const { undoing, isReady } = useUndo(domain, set);
  const id = useId();
  const { serial, date, note } = set;
  const when = formatTime(date);
  const about = `${when}, ${author}`;
  return (
    <li>
      <div className="change-set">
        <time className="when numbers" dateTime={date} title={formatExactTime(date)}>
          {when}
        </time>
        <div className="what">
          <span>
            <strong>{author}</strong> {note !== null && <q>{note}</q>}
          </span>
          <Summary set={set} />
        </div>
        <div className="line">
          <Button
            aria-expanded={isOpen}
            aria-controls={id}
            aria-label={`${isOpen ? words.hide : words.show}: ${about}`}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? words.hide : words.show}
          </Button>
          {!isLatest && (
            <Link
              className="button"
              href={`/d/${encodeURIComponent(domain)}/at/${serial}`}
              aria-label={`${words.zoneThen}: ${about}`}
            >
              {words.zoneThen}
            </Link>
          )}
          {canUndo(set) && mayEdit && (
            <Button
              isBusy={undoing.isPending || !isReady}
              aria-label={`${words.undo}: ${about}`}
              title={words.undoWhy}
              onClick={() => undoing.mutate()}
            >
              {words.undo}
            </Button>
          )}
        </div>
      </div>
      <ErrorBand error={undoing.error} onRepeat={() => undoing.mutate()} />
      <div id={id}>{isOpen && <ChangeSetDetails set={set} />}</div>
    </li>
  );
}

function Summary({ set: { changes, others, isPart } }: { readonly set: ChangeSet }) {
  const { created, updated, deleted } = changes;
  const counts = { created, changed: updated, deleted };
  const count = countChanges(changes);
  return (
    <span className="small numbers line">
      {others.map(({ action }, index) => (
        <span key={index}>
          {action in words.actions ? words.actions[action as keyof typeof words.actions] : action}
        </span>
      ))}
      {(['created', 'changed', 'deleted'] as const).map(
        (kind) =>
          counts[kind].length > 0 && (
            <span key={kind} className={`count-of ${kind}`}>
              {formatNumber(counts[kind].length)} {text.records.counts[kind]}
            </span>
          ),
      )}
      {isPart && <span className="muted">{words.part}</span>}
      {count === 0 && others.length === 0 && <span className="muted">{words.nothing}</span>}
    </span>
  );
}

/** Stages the inverse. The review compares it with what is there now, checks it, and applies it. */
function useUndo(domain: string, { changes }: ChangeSet) {
  const { draft, change } = useDraft(domain);
  const [, navigate] = useLocation();
  const undoing = useMutation({
    mutationFn: async () => {
      // Later changes of others are only seen in records that are up to date.
      await updateRecords(domain);
      // The edit may run twice: the keys of new records are the same then.
      const keys: string[] = [];
      await change((staged) => {
        let used = 0;
        const nextKey = (): string => {
          if (used === keys.length) keys.push(newDraftKey());
          return keys[used++];
        };
        return stageInverse(staged, changes, nextKey);
      });
    },
    onSuccess: () => navigate(`/d/${encodeURIComponent(domain)}/review`),
  });
  return { undoing, isReady: draft !== undefined };
}
