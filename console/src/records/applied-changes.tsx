import { Link } from 'wouter';
import type { ChangesJson } from '../../../src/contract/response-shapes.ts';
import { useLiveReport, type LiveReport } from '../domains/use-propagation.ts';
import { Band } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { text } from '../text/en.ts';
import { formatDuration, formatNumber } from '../text/format-values.ts';

export interface Applied {
  readonly changes: ChangesJson;
  /** The serial that includes them; undefined: the service has not said it. */
  readonly serial: number | undefined;
}

interface AppliedChangesProps {
  readonly domain: string;
  readonly applied: Applied;
  /** Absent: something else is staged. */
  readonly onUndo: (() => void) | undefined;
  /** By default, how many there are. */
  readonly title?: string | undefined;
}

function LiveLine({ report: { live, behind, silent } }: { readonly report: LiveReport }) {
  const all = live.length + behind.length + silent.length;
  return (
    <p className="numbers">{all === 0 ? text.domain.noNameserver : text.review.liveIn(live.length, all)}</p>
  );
}

/** The changes that were applied, where it is live, how long others may remember the old data, and the way back. */
export function AppliedChanges({ domain, applied: { changes, serial }, onUndo, title }: AppliedChangesProps) {
  const report = useLiveReport(domain, serial);
  const count = changes.created.length + changes.updated.length + changes.deleted.length;
  const old = [...changes.updated.map(({ before }) => before), ...changes.deleted];
  const rememberedSeconds = Math.max(0, ...old.map(({ ttl }) => ttl));
  return (
    <div className="empty">
      <Band title={title ?? titleOf(count)}>
        {serial !== undefined && report !== undefined && <LiveLine report={report} />}
        {rememberedSeconds > 0 && <p>{text.review.ttlNote(formatDuration(rememberedSeconds))}</p>}
      </Band>
      <div className="line">
        <Link className="button primary" href={`/d/${encodeURIComponent(domain)}/records`}>
          {text.review.toRecords}
        </Link>
        {count > 0 && onUndo !== undefined && (
          <Button onClick={onUndo}>
            {count === 1 ? text.review.undoOne : text.review.undo(formatNumber(count))}
          </Button>
        )}
      </div>
    </div>
  );
}

function titleOf(count: number): string {
  if (count === 0) return text.review.appliedNone;
  return count === 1 ? text.review.appliedOne : text.review.applied(formatNumber(count));
}
