import type { Log } from '../base/log.ts';
import type { Problems } from './create-readiness.ts';

/** The names are labels of a metric, and alert rules use them. */
export const problemNames = [
  'clock_off',
  'copy_damaged',
  'deletion_held',
  'disk_full',
  'lagging',
  'login_refused',
  'nameserver_away',
  'nameserver_behind',
  'no_commit',
] as const;

export type ProblemName = (typeof problemNames)[number];

export interface FoundProblem {
  /** A sentence without a full stop. */
  readonly message: string;
  /** True if the process must not get requests because of it. */
  readonly isSevere: boolean;
}

/** As often as the state of the database is asked for. */
const LOG_INTERVAL_MS = 1_000;

/** Conditions of this process that an operator must know of: `/readyz` and the metrics show those that exist now, the log when each begins and ends. */
export class ServiceProblems {
  private readonly checks = new Map<ProblemName, () => FoundProblem | undefined>();
  private readonly logged = new Set<ProblemName>();
  private readonly log: Log;
  private readonly timer: NodeJS.Timeout;

  constructor(log: Log, intervalMs = LOG_INTERVAL_MS) {
    this.log = log;
    this.timer = setInterval(() => this.logChanges(), intervalMs).unref();
  }

  close(): void {
    clearInterval(this.timer);
  }

  /** @param find returns undefined while there is no such problem */
  add(name: ProblemName, find: () => FoundProblem | undefined): void {
    this.checks.set(name, find);
  }

  look(): Problems {
    const found = Array.from(this.checks, ([name, find]) => ({ problem: name, ...find() }));
    const present = found.flatMap(({ problem, message, isSevere }) =>
      message === undefined ? [] : [{ problem, message, isSevere }],
    );
    return {
      reason: present.find(({ isSevere }) => isSevere)?.message,
      list: present.map(({ problem, message }) => ({ problem, message })),
    };
  }

  /** 1 for each problem that exists now, 0 for each other one that this process checks for. */
  figures(): readonly { readonly problem: string; readonly exists: boolean }[] {
    return Array.from(this.checks, ([problem, find]) => ({ problem, exists: find() !== undefined }));
  }

  private logChanges(): void {
    for (const [problem, find] of this.checks) {
      const found = find();
      if (found !== undefined && !this.logged.has(problem)) {
        this.logged.add(problem);
        this.log.warn({ problem }, found.message);
      } else if (found === undefined && this.logged.delete(problem)) {
        this.log.info({ problem }, 'the problem is over');
      }
    }
  }
}
