import { countedNames, type CountedName } from '../model/account-limits.ts';

/** Amounts that a batch adds to the usage of an account; negative if it frees more than it takes. */
export type UsageStep = Record<CountedName, number>;

interface PendingStep {
  /** The amounts of commands that were kept. */
  readonly kept: UsageStep;
  /** With the current command. */
  readonly now: UsageStep;
}

/** Changes of the usage of accounts by the commands of a batch. Numbers are changed in place: each record counts here. */
export class PendingUsage {
  private readonly steps = new Map<string, PendingStep>();
  /** Accounts that the current command has counted for. */
  private readonly touched = new Set<string>();

  add(accountId: string, name: CountedName, amount: number): void {
    let step = this.steps.get(accountId);
    if (step === undefined) {
      step = { kept: noStep(), now: noStep() };
      this.steps.set(accountId, step);
    }
    this.touched.add(accountId);
    step.now[name] += amount;
  }

  /** Ends a command that succeeded. */
  keep(): void {
    for (const accountId of this.touched) {
      const step = this.steps.get(accountId);
      if (step !== undefined) Object.assign(step.kept, step.now);
    }
    this.touched.clear();
  }

  /** Ends a command that was refused or failed. */
  undo(): void {
    for (const accountId of this.touched) {
      const step = this.steps.get(accountId);
      if (step !== undefined) Object.assign(step.now, step.kept);
    }
    this.touched.clear();
  }

  touchedAccounts(): readonly string[] {
    return [...this.touched];
  }

  /** Returns the amount that the whole batch adds, with the current command. */
  ofBatch(accountId: string, name: CountedName): number {
    return this.steps.get(accountId)?.now[name] ?? 0;
  }

  /** Returns the amount that the current command adds. */
  ofCommand(accountId: string, name: CountedName): number {
    const step = this.steps.get(accountId);
    return step === undefined ? 0 : step.now[name] - step.kept[name];
  }

  /** The sum over all accounts. */
  total(name: CountedName): number {
    let total = 0;
    for (const { now } of this.steps.values()) total += now[name];
    return total;
  }

  /** Accounts whose usage the batch changes, by id: all changes of several rows of usage are made in this order. */
  writes(): { readonly accountId: string; readonly step: Readonly<UsageStep> }[] {
    return Array.from(this.steps, ([accountId, { now }]) => ({ accountId, step: now }))
      .filter(({ step }) => countedNames.some((name) => step[name] !== 0))
      .sort((a, b) => (a.accountId < b.accountId ? -1 : 1));
  }
}

function noStep(): UsageStep {
  return { domains: 0, records: 0, octets: 0, historyOctets: 0, outcomeOctets: 0, keys: 0 };
}
