import type { TrailOptions } from '../../../src/client/trail-client.ts';
import { ErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { Placeholder } from '../parts/placeholder.tsx';
import { ShowRequest } from '../parts/show-request.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { text } from '../text/en.ts';
import { commandOf, queryOf, type TrailFilter } from './trail-filter.ts';
import { TrailRow } from './trail-row.tsx';
import { useTrail } from './use-trail.ts';

/** The height of a row with three lines, in pixels. */
const ROW_HEIGHT = 72;

interface TrailListProps {
  readonly options: TrailOptions;
  readonly onFilter: (change: TrailFilter) => void;
}

export function TrailList({ options, onFilter }: TrailListProps) {
  const trail = useTrail(options);
  const rows = trail.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <div className="stack">
      <ErrorBand error={trail.error} onRepeat={() => void trail.refetch()} />
      {trail.isPending && <Placeholder />}
      {rows.length > 0 && (
        <VirtualList
          rows={rows}
          keyOf={({ id }) => String(id)}
          rowHeight={ROW_HEIGHT}
          label={text.trail.title}
        >
          {(entry) => (
            <TrailRow entry={entry} showsAccount={options.account !== undefined} onFilter={onFilter} />
          )}
        </VirtualList>
      )}
      {trail.data && rows.length === 0 && (
        <div className="empty">
          <h2>{text.trail.empty}</h2>
          <p className="muted">{trail.hasNextPage ? text.trail.emptySoFar : text.trail.emptyWhy}</p>
        </div>
      )}
      {trail.hasNextPage && (
        <div>
          <Button isBusy={trail.isFetchingNextPage} onClick={() => void trail.fetchNextPage()}>
            {text.trail.more}
          </Button>
        </div>
      )}
      <ShowRequest
        request={{ method: 'GET', path: `/trail${queryOf(options)}` }}
        command={commandOf(options)}
      />
    </div>
  );
}
