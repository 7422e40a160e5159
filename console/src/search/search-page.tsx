import '../style/domain-pages.css';
import '../style/grid.css';
import { useRef } from 'react';
import { Link, useSearchParams } from 'wouter';
import { recordEntry } from '../palette/palette-entries.ts';
import { MIN_SEARCH_CHARACTERS, useMaySearchRecords } from '../palette/use-found-records.ts';
import { Band, ErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { Placeholder } from '../parts/placeholder.tsx';
import { SearchInput } from '../parts/search-input.tsx';
import { ShowRequest } from '../parts/show-request.tsx';
import { useTitle } from '../parts/use-title.ts';
import { VirtualList } from '../parts/virtual-list.tsx';
import { familyOf } from '../records/type-family.ts';
import { quote } from '../service/format-curl.ts';
import { text } from '../text/en.ts';
import { formatNumber } from '../text/format-values.ts';
import { useRecordSearch } from './use-record-search.ts';

const words = text.search;

/** The height of a row with two lines, in pixels. */
const ROW_HEIGHT = 56;

/** Finds records in all domains of the account, however many there are. */
export function SearchPage() {
  useTitle(words.title);
  const [query, setQuery] = useSearchParams();
  const input = useRef<HTMLInputElement>(null);
  const search = (query.get('q') ?? '').trim();
  const setSearch = (value: string): void => setQuery(value === '' ? {} : { q: value }, { replace: true });
  const maySearch = useMaySearchRecords();
  const found = useRecordSearch(search);
  const total = found.data?.pages[0].total;
  const isShort = search.length < MIN_SEARCH_CHARACTERS;
  return (
    <>
      <div className="head">
        <h1>{words.title}</h1>
      </div>
      {!maySearch ? (
        <Band title={text.palette.noRecords} />
      ) : (
        <>
          <div className="tools">
            <SearchInput ref={input} label={words.label} value={search} onValue={setSearch} />
            <span className="count muted numbers" role="status">
              {total !== undefined &&
                !isShort &&
                (total === 1 ? words.one : text.records.all(formatNumber(total)))}
            </span>
          </div>
          {isShort ? <SearchHint /> : <FoundRecords search={search} found={found} />}
        </>
      )}
    </>
  );
}

function SearchHint() {
  return (
    <div className="empty">
      <h2>{words.emptyTitle}</h2>
      <p className="muted">{words.emptyWhy}</p>
    </div>
  );
}

interface FoundRecordsProps {
  readonly search: string;
  readonly found: ReturnType<typeof useRecordSearch>;
}

function FoundRecords({ search, found }: FoundRecordsProps) {
  const rows = found.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <div className="stack">
      <ErrorBand error={found.error} onRepeat={() => void found.refetch()} />
      {found.isPending && found.isFetching && <Placeholder />}
      {found.data !== undefined && rows.length === 0 && <p className="empty">{text.palette.none(search)}</p>}
      {rows.length > 0 && (
        <VirtualList
          rows={rows.map(recordEntry)}
          keyOf={({ key }) => key}
          rowHeight={ROW_HEIGHT}
          label={words.found}
        >
          {({ href, label, type = '', detail }) => (
            <>
              <div className="name">
                <Link href={href}>{label}</Link>
                <span className="small mono found-data" title={detail}>
                  {detail}
                </span>
              </div>
              <span className={`type ${familyOf(type) ?? ''}`}>{type}</span>
            </>
          )}
        </VirtualList>
      )}
      {found.hasNextPage && (
        <div>
          <Button isBusy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
            {words.more}
          </Button>
        </div>
      )}
      <ShowRequest
        request={{ method: 'GET', path: `/records?${new URLSearchParams({ search }).toString()}` }}
        command={`zonewright record search ${quote(search)}`}
      />
    </div>
  );
}
