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
import { useHistory } from './use-history.ts';

const words = text.history;

/** The history says what was changed, by whom, when and why. @param props.domain with A-labels */
export function HistoryPage({ domain }: { readonly domain: string }) {
  useTitle(`${words.title}: ${toUnicode(domain)}`);
  const history = useHistory(domain);
  const authorOf = useAuthors();
  const mayEdit = useMayEdit(domain);
  const { sets } = history;
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
      {sets === undefined && !history.isError && <Placeholder />}
      {sets?.length === 0 && (
        <div className="empty">
          <h2>{words.empty}</h2>
          <p className="muted">{words.emptyWhy}</p>
        </div>
      )}
      {sets !== undefined && sets.length > 0 && (
        <div className="stack">
          <ol className="rows change-sets" aria-label={words.title}>
            {sets.map((set, index) => (
              <ChangeSetRow
                key={keyOf(sets, index)}
                domain={domain}
                set={set}
                author={authorOf(set.author)}
                isLatest={index === 0}
                mayEdit={mayEdit}
              />
            ))}
          </ol>
          {history.hasNextPage ? (
            <div className="line">
              <Button isBusy={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
                {words.older}
              </Button>
            </div>
          ) : (
            <p className="muted">{words.end}</p>
          )}
          <ShowRequest
            request={{ method: 'GET', path: `/domains/${domain}/changes` }}
            command={`zonewright changes ${domain} --limit 100`}
          />
        </div>
      )}
    </>
  );
}

/** Counted from the oldest of its serial, so that a row stays the same when newer ones come. */
function keyOf(sets: readonly ChangeSet[], index: number): string {
  const { serial } = sets[index];
  let older = 0;
  while (sets.at(index + older + 1)?.serial === serial) older++;
  return `${serial} ${older}`;
}
