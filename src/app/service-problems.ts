import type { Problems } from './create-readiness.ts';

/** The names are labels of a metric, and alert rules use them. */
export const problemNames = ['deletion_held', 'nameserver_away', 'nameserver_behind'] as const;

export type ProblemName = (typeof problemNames)[number];

export interface FoundProblem {
  /** A sentence without a full stop. */
  readonly message: string;
  /** True if the process must not get requests because of it. */
  readonly isSevere: boolean;
}

/** Conditions of this process that an operator must know of: `/readyz` and the metrics show those that exist now. */
export class ServiceProblems {
  private readonly checks = new Map<ProblemName, () => FoundProblem | undefined>();

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
}
