import { success, type ReadResult } from '../model/result.ts';
import type { Clock } from '../base/clock.ts';
import { LIVE_SECONDS, type Store } from '../store/store.ts';
import type { Settings } from './settings.ts';

export interface ServiceNameservers {
  /** The host names of the service. */
  readonly names: readonly string[];
  /** How many of them each account has; null: all. */
  readonly perAccount: number | null;
  readonly processes: readonly NameserverProcess[];
}

export interface NameserverProcess {
  readonly id: string;
  readonly name: string;
  readonly seenAtMs: number;
  /** Its last report is at most `LIVE_SECONDS` old. */
  readonly isLive: boolean;
  /** Committed changes that it did not serve when it reported. */
  readonly behind: number;
}

interface ServiceParts {
  readonly store: Pick<Store, 'lastSeq' | 'nameserverReports'>;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'nameservers' | 'nameserverSet'>;
}

/** Returns the nameservers of the whole service, and how far each process was at its last report. */
export async function listNameservers({
  store,
  clock,
  settings,
}: ServiceParts): Promise<ReadResult<ServiceNameservers>> {
  // The end of the feed is read first: a process that serves more is not behind.
  const lastSeq = await store.lastSeq();
  const reports = await store.nameserverReports();
  const { nameservers, nameserverSet } = settings;
  return success({
    names: nameservers,
    perAccount: nameserverSet !== undefined && nameserverSet < nameservers.length ? nameserverSet : null,
    processes: reports.map(({ id, name, seq, ageMs }) => ({
      ...{ id, name, seenAtMs: clock.nowMs() - ageMs },
      isLive: ageMs <= LIVE_SECONDS * 1000,
      behind: Math.max(0, lastSeq - seq),
    })),
  });
}
