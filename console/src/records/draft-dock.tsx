import { useState } from 'react';
import { Link } from 'wouter';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { text } from '../text/en.ts';
import { formatNumber } from '../text/format-values.ts';
import { countDraft, unstageAll, type Draft } from './draft.ts';

interface DraftDockProps {
  readonly domain: string;
  readonly draft: Draft;
  readonly onDraft: (edit: (draft: Draft) => Draft) => unknown;
}

/** The number of staged changes, and the way to the review. */
export function DraftDock({ domain, draft, onDraft }: DraftDockProps) {
  const [isAsking, setAsking] = useState(false);
  const counts = countDraft(draft);
  if (counts.all === 0) return null;
  const staged = stagedText(draft, counts.all);
  return (
    <div className="dock" data-region role="region" aria-label={text.records.state}>
      <span className="state" role="status">
        {staged}
        <span className="counts numbers">
          {(['created', 'changed', 'deleted'] as const).map(
            (kind) =>
              counts[kind] > 0 && (
                <span
                  key={kind}
                  className={kind}
                >{`${formatNumber(counts[kind])} ${text.records.counts[kind]}`}</span>
              ),
          )}
        </span>
      </span>
      <Button onClick={() => setAsking(true)}>{text.records.discard}</Button>
      <Link className="button primary" href={`/d/${encodeURIComponent(domain)}/review`}>
        {text.records.review}
      </Link>
      <Dialog title={text.records.discardTitle} isOpen={isAsking} onClose={() => setAsking(false)}>
        <p>{text.records.discardWhy}</p>
        <div className="actions">
          <Button onClick={() => setAsking(false)}>{text.cancel}</Button>
          <Button
            kind="danger"
            onClick={() => {
              setAsking(false);
              onDraft(unstageAll);
            }}
          >
            {text.records.discard}
          </Button>
        </div>
      </Dialog>
    </div>
  );
}

/** Whether something that was sent is live, nobody knows before the answer. */
function stagedText({ sent }: Draft, count: number): string {
  if (sent !== undefined) return text.records.stagedSent(formatNumber(count));
  return count === 1 ? text.records.stagedOne : text.records.staged(formatNumber(count));
}
