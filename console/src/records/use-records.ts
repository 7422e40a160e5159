import { useQuery } from '@tanstack/react-query';
import type { RecordsChanged } from '../../../src/client/send-write.ts';
import { queryClient } from '../service/query-client.ts';
import { service } from '../service/service-client.ts';
import { loadRecords } from './load-records.ts';
import { plainTag, type RecordSet } from './record-set.ts';
import { collectChanges, replayChanges } from './replay-changes.ts';

const recordsKey = (domain: string) => ['records', domain] as const;
const revisionKey = (domain: string) => ['revision', domain] as const;

/** How often the service is asked whether somebody else has changed the domain. */
const LOOK_MS = 15_000;

export function useRecords(domain: string) {
  return useQuery({
    queryKey: recordsKey(domain),
    queryFn: ({ signal }) => readRecords(domain, signal),
    // A page that was left while it was loading has left a part behind.
    staleTime: ({ state }) => (state.data?.isPart === false ? Infinity : 0),
    refetchOnWindowFocus: false,
    // Comparing a hundred thousand records with those before helps nobody.
    structuralSharing: false,
  });
}

async function readRecords(domain: string, signal: AbortSignal): Promise<RecordSet> {
  const isFirstLoad = getRecords(domain)?.isPart !== false;
  const showFirst = (part: RecordSet): void => {
    if (isFirstLoad) queryClient.setQueryData(recordsKey(domain), part);
  };
  const set = await loadRecords(domain, showFirst, signal);
  queryClient.setQueryData(revisionKey(domain), set.revision);
  return set;
}

function getRecords(domain: string): RecordSet | undefined {
  return queryClient.getQueryData<RecordSet>(recordsKey(domain));
}

function setRecords(domain: string, set: RecordSet): void {
  queryClient.setQueryData(recordsKey(domain), set);
  queryClient.setQueryData(revisionKey(domain), set.revision);
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

/** Brings the records up to date: by what has changed since they were read or, if that is not possible, by reading them again. */
export async function updateRecords(domain: string): Promise<void> {
  const set = getRecords(domain);
  const next = set && (await replaySince(domain, set).catch(() => undefined));
  if (next !== undefined && getRecords(domain) === set) setRecords(domain, next);
  else await queryClient.refetchQueries({ queryKey: recordsKey(domain) }, { throwOnError: true });
}

async function replaySince(domain: string, set: RecordSet): Promise<RecordSet | undefined> {
  if (set.isPart || set.serial === undefined) return undefined;
  const { etag, serial } = await service.domains.version(domain);
  const most = Math.max(FEW_CHANGES, set.records.length);
  const changes = await collectChanges(service.domains.changes(domain), set.serial, most);
  return (
    changes && { ...set, revision: plainTag(etag), serial, records: replayChanges(set.records, changes) }
  );
}

/** As many as a page of the history has. */
const FEW_CHANGES = 500;

/** Shows what was applied, without reading everything again. @param from the revision that the changes were made to */
export function noteApplied(
  domain: string,
  from: string,
  { changes, etag, serial }: Pick<RecordsChanged, 'changes' | 'etag' | 'serial'>,
): void {
  const set = getRecords(domain);
  if (set?.isPart !== false || set.revision !== from || etag === undefined || serial === undefined) {
    // Others have changed something in between.
    void updateRecords(domain).catch(() => undefined);
    return;
  }
  const gone = new Set(changes.deleted.map(({ id }) => id));
  const updated = new Map(changes.updated.map(({ after }) => [after.id, after]));
  const kept = set.records
    .filter(({ id }) => !gone.has(id))
    .map((record) => updated.get(record.id) ?? record);
  const records = [...kept, ...changes.created];
  setRecords(domain, { revision: plainTag(etag), serial, records, isPart: false });
}
