import type { Log } from '../base/log.ts';
import type { Problems } from './create-readiness.ts';

/** The names are labels of a metric, and alert rules use them. */
export const problemNames = [
  'certificate_expiring',
  'certificate_unusable',
  'clock_off',
  'copy_damaged',
  'deletion_held',
  'disk_full',
  'lagging',
  'login_refused',
  'nameserver_away',
  'nameserver_behind',
  'no_commit',
  'renewal_held',
  'renewal_overdue',
  'signed_writes_held',
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

/** A severe problem is logged again after so many looks: a minute, so that it is in any part of the log that is read. */
const REPEAT_LOOKS = 60;

/**
 * Conditions of this process that an operator must know of. `/readyz` and the metrics show those that exist now. The log
 * says when each begins and ends, and repeats the severe ones while they last.
 */
export class ServiceProblems {
  private readonly checks = new Map<ProblemName, () => FoundProblem | undefined>();
  /** Looks since the problem was logged. */
  private readonly logged = new Map<ProblemName, number>();
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
      if (found !== undefined) this.logExisting(problem, found);
      else if (this.logged.delete(problem)) this.log.info({ problem }, 'the problem is over');
    }
  }

  private logExisting(problem: ProblemName, { message, isSevere }: FoundProblem): void {
    const looks = this.logged.get(problem);
    const isDue = looks === undefined || (isSevere && looks >= REPEAT_LOOKS);
    this.logged.set(problem, isDue ? 1 : looks + 1);
    if (isDue) this.log.warn({ problem }, message);
  }
}
