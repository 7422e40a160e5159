import '../style/grid.css';
import '../style/domain-pages.css';
import { DomainHead } from '../domains/domain-head.tsx';
import { Band, ErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { Placeholder } from '../parts/placeholder.tsx';
import { ShowRequest } from '../parts/show-request.tsx';
import { useTitle } from '../parts/use-title.ts';
import { useMayEdit } from '../service/session.ts';
import { text } from '../text/en.ts';
import { formatClock } from '../text/format-values.ts';
import { toUnicode } from '../text/name-forms.ts';
import type { ChangeSet } from './change-sets.ts';
import { ChangeSetRow } from './change-set-row.tsx';
import { useAuthors } from './use-authors.ts';
import { commandOf, pathOf } from './history-filter.ts';
import { HistoryTools } from './history-tools.tsx';
import { useHistory } from './use-history.ts';
import { useHistoryFilter } from './use-history-filter.ts';

const words = text.history;

/** The history says what was changed, by whom, when and why. @param props.domain with A-labels */
export function HistoryPage({ domain }: { readonly domain: string }) {
  useTitle(`${words.title}: ${toUnicode(domain)}`);
  const { filter, options, setFilter } = useHistoryFilter();
  const history = useHistory(domain, options);
  const { nameOf, choices } = useAuthors();
  const isFiltered = Object.keys(filter).length > 0;
  const mayEdit = useMayEdit(domain);
  const { sets } = history;
  const seen = (sets ?? []).flatMap(({ author }) => (author === '' ? [] : author));
  const authors = choices(filter.actor === undefined ? seen : [...seen, filter.actor]);
  return (
    <>
      <DomainHead domain={domain} />
      <div className="bands">
        <ErrorBand
          error={history.error}
          onRepeat={() => void (sets === undefined ? history.refetch() : history.fetchNextPage())}
          asOf={sets && text.errors.asOf(formatClock(history.dataUpdatedAt))}
        />
        {!mayEdit && <Band title={text.rights.viewer} />}
      </div>
      <HistoryTools filter={filter} onFilter={setFilter} authors={authors} />
      {sets === undefined && !history.isError && <Placeholder />}
      {sets?.length === 0 && <NoChanges isFiltered={isFiltered} goesOn={history.hasNextPage} />}
      {sets !== undefined && (
        <div className="stack">
          {sets.length > 0 && (
            <ol className="rows change-sets" aria-label={words.title}>
              {sets.map((set, index) => (
                <ChangeSetRow
                  key={keyOf(sets, index)}
                  domain={domain}
                  set={set}
                  author={nameOf(set.author)}
                  isLatest={index === 0 && !isFiltered}
                  mayEdit={mayEdit}
                />
              ))}
            </ol>
          )}
          {history.hasNextPage ? (
            <div className="line">
              <Button isBusy={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
                {isFiltered ? text.trail.more : words.older}
              </Button>
            </div>
          ) : (
            sets.length > 0 && <p className="muted">{words.end}</p>
          )}
          <ShowRequest
            request={{ method: 'GET', path: pathOf(domain, options) }}
            command={commandOf(domain, options)}
          />
        </div>
      )}
    </>
  );
}

interface NoChangesProps {
  readonly isFiltered: boolean;
  readonly goesOn: boolean;
}

function NoChanges({ isFiltered, goesOn }: NoChangesProps) {
  const title = isFiltered ? words.noMatch : words.empty;
  const why = isFiltered ? words.noMatchWhy : words.emptyWhy;
  return (
    <div className="empty">
      <h2>{goesOn ? words.noMatchYet : title}</h2>
      {!goesOn && <p className="muted">{why}</p>}
    </div>
  );
}

/** Counted from the oldest of its serial, so that a row stays the same when newer ones come. */
function keyOf(sets: readonly ChangeSet[], index: number): string {
  const { serial } = sets[index];
  let older = 0;
  while (sets.at(index + older + 1)?.serial === serial) older++;
  return `${serial} ${older}`;
}
