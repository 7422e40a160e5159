import { monotonicClock } from '../base/clock.ts';
import { STEADY_HOURS, type GuardedReading } from '../base/guarded-time.ts';
import type { SqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { FollowerState } from '../store/followed-zones.ts';
import { watchProblems } from '../metrics/watch-problems.ts';
import { DiskWatch, MIN_FREE_BYTES } from './disk-watch.ts';
import type { SharedStore } from './open-stores.ts';
import type { RunningParts } from './running-parts.ts';
import type { NameserverCondition } from './served-gate.ts';
import type { StartOptions } from './service-options.ts';
import { ServiceProblems, type FoundProblem } from './service-problems.ts';

/** The parts whose state is checked; undefined: this process does not have it. */
export interface CheckedParts {
  readonly embedded: SqliteStore | undefined;
  readonly shared: SharedStore | undefined;
  /** The zone copy of this process, or of the nameserver process beside it. */
  readonly copy: FollowedCopy | undefined;
  /** The zones that this process or the one beside it serves, of either engine; undefined: none. */
  readonly zones: ServedZones | undefined;
  /** The condition of the nameserver process beside this one. */
  readonly nameserver: (() => NameserverCondition) | undefined;
}

/** A zone copy, as far as it is checked. */
export interface FollowedCopy {
  state(): FollowerState;
}

/** Zones that are served, as far as they are checked; the state is undefined until the process beside has sent it. */
export interface ServedZones {
  state(): Pick<FollowerState, 'doubt'> | undefined;
}

/** More than any clock that is synchronised; less than what makes a history or a retry wrong. */
const CLOCK_LIMIT_MS = 60_000;

/** A copy is current within two seconds of a change, and applies the largest zone in less than this. */
const LAG_LIMIT_MS = 60_000;

/** Registers the checks of a process for `/readyz`, the metrics and the log. */
export function findProblems(
  options: StartOptions,
  checked: CheckedParts,
  parts: RunningParts,
): ServiceProblems {
  const { config, log, metrics } = options;
  const { embedded, shared, copy, zones } = checked;
  const problems = new ServiceProblems(log);
  parts.add(() => problems.close());
  const disk = embedded === undefined && copy === undefined ? undefined : new DiskWatch(config.data);
  if (disk !== undefined) {
    parts.add(() => disk.close());
    problems.add('disk_full', () => describeDisk(disk.freeBytes, embedded?.health.failure));
  }
  const store = embedded ?? shared?.store;
  if (store !== undefined) problems.add('deletion_held', () => describeHold(store.deletionReading()));
  // Before the problems that it causes: the first severe one is the reason in `/readyz`.
  if (embedded === undefined) problems.add('login_refused', () => describeRefusal(shared, copy));
  const { nameserver } = checked;
  if (nameserver !== undefined) {
    problems.add('nameserver_away', () => describeAbsence(nameserver()));
    problems.add('nameserver_behind', () => describeLag(nameserver()));
  }
  if (embedded !== undefined) problems.add('no_commit', () => describeStall(embedded.health.failure));
  const offsetMs = (): number | undefined => shared?.database.clockOffsetMs ?? copy?.state().clockOffsetMs;
  if (embedded === undefined) problems.add('clock_off', () => describeOffset(offsetMs()));
  if (shared !== undefined) problems.add('no_commit', () => describeStall(shared.database.stalledWrites));
  if (zones !== undefined) problems.add('copy_damaged', () => describeDamage(zones.state()));
  if (copy !== undefined)
    problems.add(
      'lagging',
      lagCheck(() => copy.state()),
    );
  watchProblems(metrics.registry, {
    problems: () => problems.figures(),
    freeBytes: () => disk?.freeBytes ?? null,
    clockOffsetMs: () => offsetMs() ?? null,
  });
  return problems;
}

const FULL = /disk is full|no space left/i;

export function describeDisk(
  freeBytes: number | undefined,
  failure: string | undefined,
): FoundProblem | undefined {
  if (failure !== undefined && FULL.test(failure)) {
    return { message: `The disk is full: ${failure}`, isSevere: true };
  }
  if (freeBytes === undefined || freeBytes >= MIN_FREE_BYTES) return undefined;
  const [free, least] = [freeBytes, MIN_FREE_BYTES].map((bytes) => Math.floor(bytes / 1024 ** 2));
  return {
    message: `The disk of the data folder is full: ${free} MiB are free, and at least ${least} MiB are needed`,
    isSevere: true,
  };
}

function describeHold(reading: GuardedReading | undefined): FoundProblem | undefined {
  if (reading?.isHeld !== true) return undefined;
  const aheadHours = Math.round(reading.aheadMs / 3_600_000);
  return {
    message: `The clock has jumped ahead by ${aheadHours} hours; nothing is deleted because of its age until it has returned or run on steadily for ${STEADY_HOURS} hours`,
    isSevere: false,
  };
}

function describeAbsence(condition: NameserverCondition): FoundProblem | undefined {
  if (condition === 'away')
    return { message: 'The nameserver process is away; writes are refused', isSevere: true };
  if (condition === 'silent')
    return { message: 'The nameserver process does not respond; writes are refused', isSevere: true };
  return undefined;
}

function describeLag(condition: NameserverCondition): FoundProblem | undefined {
  if (condition !== 'behind') return undefined;
  return { message: 'The nameserver process does not follow the store; writes are refused', isSevere: true };
}

export function describeStall(reason: string | undefined): FoundProblem | undefined {
  return reason === undefined ? undefined : { message: `No write commits: ${reason}`, isSevere: true };
}

export function describeDamage(state: Pick<FollowerState, 'doubt'> | undefined): FoundProblem | undefined {
  const doubt = state?.doubt;
  return doubt?.isDamage === true ? { message: doubt.reason, isSevere: true } : undefined;
}

/** A nameserver goes on answering from its copy. */
function describeRefusal(
  shared: SharedStore | undefined,
  copy: FollowedCopy | undefined,
): FoundProblem | undefined {
  const reason = shared === undefined ? copy?.state().refusedLogin : shared.database.refusedLogin;
  if (reason === undefined) return undefined;
  return { message: `The database refuses the log-in: ${reason}`, isSevere: shared !== undefined };
}

export function describeOffset(offsetMs: number | undefined): FoundProblem | undefined {
  if (offsetMs === undefined || Math.abs(offsetMs) <= CLOCK_LIMIT_MS) return undefined;
  const seconds = Math.round(Math.abs(offsetMs) / 1000);
  return {
    message: `The clock is ${seconds} seconds ${offsetMs > 0 ? 'ahead of' : 'behind'} that of the database`,
    isSevere: true,
  };
}

/** Without its database, a nameserver cannot be current and goes on answering. */
export function lagCheck(
  read: () => Pick<FollowerState, 'phase' | 'lagMs'>,
  clock = monotonicClock,
): () => FoundProblem | undefined {
  // Counted from the time at which the database was last away: only since then could the copy catch up.
  let reachableSinceMs: number | undefined;
  return () => {
    const { phase, lagMs } = read();
    const nowMs = clock.elapsedMs();
    reachableSinceMs = phase === 'away' ? undefined : (reachableSinceMs ?? nowMs);
    if (reachableSinceMs === undefined || lagMs === 0) return undefined;
    const behindMs = Math.min(lagMs ?? Infinity, nowMs - reachableSinceMs);
    if (behindMs <= LAG_LIMIT_MS) return undefined;
    const seconds = Math.round((lagMs ?? behindMs) / 1000);
    return {
      message: `The zones are ${seconds} seconds behind the database, which can be reached`,
      isSevere: true,
    };
  };
}
