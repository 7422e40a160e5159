import { useQuery } from '@tanstack/react-query';
import { useAuthors } from '../history/use-authors.ts';
import { service } from '../service/service-client.ts';
import { text } from '../text/en.ts';
import { formatList, formatNumber } from '../text/format-values.ts';
import { findLastChanges, type LastChange } from './last-changes.ts';
import type { MergedDraft } from './merge-draft.ts';

/** Two pages of the history: what others have changed while somebody edits is near its end. */
const MOST_CHANGES = 1_000;

/** The changes that others have made to records that are staged, too. */
export interface Others {
  /** `Anna changed 2 records: 1 merged, 1 to choose`; undefined: nothing. */
  readonly summary: string | undefined;
  /** By id of the record; those whose change is not known are absent. */
  readonly changes: ReadonlyMap<string, LastChange>;
  readonly nameOf: (author: string) => string;
}

/** Asks the history who it was. @param revision of the records that were compared */
export function useOthers(domain: string, revision: string, { merged, conflicts }: MergedDraft): Others {
  const ids = [...merged, ...conflicts.map(({ id }) => id)];
  const { nameOf } = useAuthors(ids.length > 0);
  const { data = nothingKnown } = useQuery({
    queryKey: ['last-changes', domain, revision, ids],
    queryFn: () => findLastChanges(service.domains.changes(domain), ids, MOST_CHANGES),
    enabled: ids.length > 0,
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const names = new Set(
    ids.map((id) => {
      const change = data.get(id);
      return change === undefined ? text.review.somebody : nameOf(change.author);
    }),
  );
  const outcomes = [
    ...(merged.length > 0 ? [text.review.countMerged(formatNumber(merged.length))] : []),
    ...(conflicts.length > 0 ? [text.review.conflicts(formatNumber(conflicts.length))] : []),
  ];
  const who = formatList([...names]);
  const summary =
    ids.length === 0
      ? undefined
      : text.review.others(who, formatNumber(ids.length), ids.length === 1, outcomes.join(', '));
  return { summary, changes: data, nameOf };
}

const nothingKnown: ReadonlyMap<string, LastChange> = new Map();
