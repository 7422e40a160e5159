import { watchProblems } from '../metrics/watch-problems.ts';
import { STEADY_HOURS, type GuardedReading } from '../base/guarded-time.ts';
import type { PostgresStore } from '../store/postgres/postgres-store.ts';
import type { SqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { NameserverCondition } from './served-gate.ts';
import { ServiceProblems, type FoundProblem } from './service-problems.ts';
import type { StartOptions } from './service-options.ts';

/** The parts whose state is checked; undefined: this process does not have it. */
export interface CheckedParts {
  readonly embedded: SqliteStore | undefined;
  readonly shared: PostgresStore | undefined;
  /** The condition of the nameserver process beside this one. */
  readonly nameserver: (() => NameserverCondition) | undefined;
}

/** Registers the checks of a process for `/readyz` and the metrics. */
export function findProblems({ metrics }: StartOptions, parts: CheckedParts): ServiceProblems {
  const problems = new ServiceProblems();
  const store = parts.embedded ?? parts.shared;
  if (store !== undefined) problems.add('deletion_held', () => describeHold(store.deletionReading()));
  const { nameserver } = parts;
  if (nameserver !== undefined) {
    problems.add('nameserver_away', () => describeAbsence(nameserver()));
    problems.add('nameserver_behind', () => describeLag(nameserver()));
  }
  watchProblems(metrics.registry, () => problems.figures());
  return problems;
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
