import type { Readiness } from '../http/http-app-options.ts';
import type { FollowerState } from '../store/followed-zones.ts';

/** The state of the parts that decides whether the process is ready. */
export interface PartsState {
  /** True if all parts run and none is being stopped. */
  readonly isComplete: boolean;
  readonly isStopping: boolean;
  /** State of the zone copy; undefined if there is none. */
  readonly copy: FollowerState | undefined;
  /** Number of nameserver threads, and of those that answer; undefined if this process does not serve DNS. */
  readonly dnsThreads: { readonly workers: number; readonly answering: number } | undefined;
  /** Whether PostgreSQL accepts writes; undefined with the embedded store, or if this process does not write. */
  readonly isDatabaseReady: boolean | undefined;
  /** Problems that exist now; absent: this process checks for none. */
  readonly problems?: Problems;
}

export interface Problems {
  /** Why the process is not ready; undefined if no problem is severe. */
  readonly reason: string | undefined;
  readonly list: readonly { readonly problem: string; readonly message: string }[];
}

/**
 * Creates the answer of `/readyz`. A nameserver is ready if it has zones, however old, and a thread that answers:
 * taking it out of service because the database is away would turn that into an outage of DNS. A process that accepts
 * requests also needs the database.
 *
 * @param look reads the state of the parts; called for each request
 */
export function createReadiness(look: () => PartsState): () => Readiness {
  // A copy that restarts has no position, but still serves its earlier zones.
  let hadZones = false;
  return () => {
    const { isComplete, isStopping, copy, dnsThreads, isDatabaseReady, problems } = look();
    hadZones ||= copy === undefined || copy.seq > 0 || copy.phase === 'following';
    const isAnswering = dnsThreads === undefined || dnsThreads.answering > 0;
    const missing = findMissing(hadZones, isAnswering, isDatabaseReady);
    // A problem says more than that the database is away, and explains a start that does not end.
    const severe = isStopping ? undefined : problems?.reason;
    const reason = severe ?? (isComplete ? missing : undefined);
    return {
      ready: isComplete && reason === undefined,
      ...(reason === undefined ? {} : { reason }),
      detail: {
        ...(isDatabaseReady === undefined ? {} : { database: isDatabaseReady ? 'connected' : 'away' }),
        ...(copy === undefined ? {} : { zone_copy: describeCopy(copy) }),
        ...(dnsThreads === undefined ? {} : { dns_threads: describeThreads(dnsThreads) }),
        ...(problems === undefined || problems.list.length === 0 ? {} : { problems: problems.list }),
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
