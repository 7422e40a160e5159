import { watchProblems } from '../metrics/watch-problems.ts';
import { STEADY_HOURS, type GuardedReading } from '../base/guarded-time.ts';
import type { PostgresStore } from '../store/postgres/postgres-store.ts';
import type { SqliteStore } from '../store/sqlite/sqlite-store.ts';
import { ServiceProblems, type FoundProblem } from './service-problems.ts';
import type { StartOptions } from './service-options.ts';

/** The parts whose state is checked; undefined: this process does not have it. */
export interface CheckedParts {
  readonly embedded: SqliteStore | undefined;
  readonly shared: PostgresStore | undefined;
}

/** Registers the checks of a process for `/readyz` and the metrics. */
export function findProblems({ metrics }: StartOptions, parts: CheckedParts): ServiceProblems {
  const problems = new ServiceProblems();
  const store = parts.embedded ?? parts.shared;
  if (store !== undefined) problems.add('deletion_held', () => describeHold(store.deletionReading()));
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
