import { Link } from 'wouter';
import type { ChangesJson } from '../../../src/contract/response-shapes.ts';
import { propagationOf, usePropagation } from '../domains/use-propagation.ts';
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
}

/** The changes that were applied, where it is live, how long others may remember the old data, and the way back. */
export function AppliedChanges({ domain, applied: { changes, serial }, onUndo }: AppliedChangesProps) {
  const data = propagationOf(usePropagation(domain).data, serial);
  const count = changes.created.length + changes.updated.length + changes.deleted.length;
  const old = [...changes.updated.map(({ before }) => before), ...changes.deleted];
  const rememberedSeconds = Math.max(0, ...old.map(({ ttl }) => ttl));
  const live = data?.nameservers.filter((server) => server.current).length ?? 0;
  return (
    <div className="empty">
      <Band title={count === 1 ? text.review.appliedOne : text.review.applied(formatNumber(count))}>
        {data !== undefined && <p className="numbers">{text.review.liveIn(live, data.nameservers.length)}</p>}
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
