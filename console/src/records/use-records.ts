import { useQuery } from '@tanstack/react-query';
import type { ChangesJson, RecordJson } from '../../../src/contract/response-shapes.ts';
import { collectPages } from '../service/collect-pages.ts';
import { queryClient } from '../service/query-client.ts';
import { service } from '../service/service-client.ts';

/** All records of a domain. */
export interface RecordSet {
  /** A revision that is not later than what was read: a write with it is refused if anybody has changed something since. */
  readonly revision: string;
  readonly records: readonly RecordJson[];
  /** More are being loaded. */
  readonly isPart: boolean;
}

const recordsKey = (domain: string) => ['records', domain] as const;
const revisionKey = (domain: string) => ['revision', domain] as const;

/** How often the service is asked whether somebody else has changed the domain. */
const LOOK_MS = 15_000;

export function useRecords(domain: string) {
  return useQuery({
    queryKey: recordsKey(domain),
    queryFn: ({ signal }) => loadRecords(domain, signal),
    staleTime: Infinity,
  });
}

async function loadRecords(domain: string, signal: AbortSignal): Promise<RecordSet> {
  const revision = plainTag(await service.domains.revision(domain));
  const isFirstLoad = queryClient.getQueryData(recordsKey(domain)) === undefined;
  const records = await collectPages(
    service.records.list(domain),
    (first) => {
      if (isFirstLoad)
        queryClient.setQueryData(recordsKey(domain), { revision, records: first, isPart: true });
    },
    signal,
  );
  queryClient.setQueryData(revisionKey(domain), revision);
  return { revision, records, isPart: false };
}

/** Whether somebody else has changed the domain since its records were read. Nothing is exchanged before somebody asks for it. */
export function useIsOutdated(domain: string, set: RecordSet | undefined): boolean {
  const { data } = useQuery({
    queryKey: revisionKey(domain),
    queryFn: async () => plainTag(await service.domains.revision(domain)),
    refetchInterval: LOOK_MS,
    enabled: set !== undefined && !set.isPart,
    staleTime: LOOK_MS,
  });
  return data !== undefined && set !== undefined && !set.isPart && data !== set.revision;
}

/** Reads all records again. */
export async function reloadRecords(domain: string): Promise<RecordSet | undefined> {
  await queryClient.refetchQueries({ queryKey: recordsKey(domain) }, { throwOnError: true });
  return queryClient.getQueryData<RecordSet>(recordsKey(domain));
}

/** Shows what was applied, without reading everything again. */
export function noteApplied(domain: string, changes: ChangesJson, revision: string | undefined): void {
  const set = queryClient.getQueryData<RecordSet>(recordsKey(domain));
  if (set === undefined || revision === undefined) {
    void queryClient.invalidateQueries({ queryKey: recordsKey(domain) });
    return;
  }
  const gone = new Set(changes.deleted.map(({ id }) => id));
  const updated = new Map(changes.updated.map(({ after }) => [after.id, after]));
  const kept = set.records
    .filter(({ id }) => !gone.has(id))
    .map((record) => updated.get(record.id) ?? record);
  const tag = plainTag(revision);
  queryClient.setQueryData(recordsKey(domain), {
    revision: tag,
    records: [...kept, ...changes.created],
    isPart: false,
  });
  queryClient.setQueryData(revisionKey(domain), tag);
}

/** Without the mark of a domain that is withheld, which changes by itself. */
function plainTag(tag: string | undefined): string {
  return (tag ?? '').replace(/\.[^".]*"$/, '"');
}
