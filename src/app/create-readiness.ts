import type { Readiness } from '../http/http-app-options.ts';
import type { FollowerState } from '../zone-copy/zone-copy.ts';

/** What of the process's parts decides whether it can do its work. */
export interface PartsState {
  /** All parts run, and none is being stopped. */
  readonly isComplete: boolean;
  /** Of the copy that DNS is answered from; undefined where there is none. */
  readonly copy: FollowerState | undefined;
  /** Threads that answer DNS, of those that there are to be; undefined where DNS is not answered. */
  readonly dnsThreads: { readonly workers: number; readonly answering: number } | undefined;
  /** Whether PostgreSQL takes writes from here; undefined where this process makes none, or the store is embedded. */
  readonly isDatabaseReady: boolean | undefined;
}

/**
 * What `/readyz` says. A nameserver is ready as long as it has zones to answer from, however old, and a thread that
 * answers: being taken out of service for the database would make an outage of it. Whoever takes requests needs the
 * database too.
 *
 * @param look at the parts, each time it is asked.
 */
export function createReadiness(look: () => PartsState): () => Readiness {
  // A copy that is made anew is of no known moment, and has zones all the same: those of before.
  let hadZones = false;
  return () => {
    const { isComplete, copy, dnsThreads, isDatabaseReady } = look();
    hadZones ||= copy === undefined || copy.seq > 0 || copy.phase === 'following';
    const isAnswering = dnsThreads === undefined || dnsThreads.answering > 0;
    const reason = isComplete ? findMissing(hadZones, isAnswering, isDatabaseReady) : undefined;
    return {
      ready: isComplete && reason === undefined,
      ...(reason === undefined ? {} : { reason }),
      detail: {
        ...(isDatabaseReady === undefined ? {} : { database: isDatabaseReady ? 'connected' : 'away' }),
        ...(copy === undefined ? {} : { zone_copy: describeCopy(copy) }),
        ...(dnsThreads === undefined ? {} : { dns_threads: describeThreads(dnsThreads) }),
      },
    };
  };
}

function findMissing(
  hasZones: boolean,
  isAnswering: boolean,
  isDatabaseReady: boolean | undefined,
): string | undefined {
  if (isDatabaseReady === false) return 'The database is away';
  if (!isAnswering) return 'No thread answers DNS';
  return hasZones ? undefined : 'No zones have been copied from the database yet';
}

function describeThreads({ workers, answering }: NonNullable<PartsState['dnsThreads']>): object {
  return { wanted: workers, answering };
}

function describeCopy({ phase, seq, feedSeq, lagMs }: FollowerState): object {
  return { phase, seq, feed_seq: feedSeq, lag_seconds: lagMs === null ? null : lagMs / 1000 };
}
