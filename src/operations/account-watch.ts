/**
 * Carries out what is decided about accounts and takes longer than a write:
 *
 *     each second: accounts that are due ─▶ withhold or serve some of their domains, or remove a part ─▶ again, while any is due
 *
 * Several processes on one database may take the same slice: each command names the standing that was seen, so the second
 * one changes nothing. After a restart, work goes on where it was.
 */
import type { Clock, MonotonicClock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { dueAtMs, type AccountStanding } from '../model/account-standing.ts';
import type { Account } from '../model/account.ts';
import { FailingDomains } from '../signer/failing-domains.ts';
import { WatchLoop } from '../signer/watch-loop.ts';
import { pause, spread } from '../signer/watch-options.ts';
import type { AccountReads } from '../store/account-reads.ts';
import type { Store } from '../store/store.ts';
import { CommitInDoubt, StoreUnavailable } from '../writes/store-errors.ts';
import { commitWrite } from './commit-write.ts';

export interface AccountWatchOptions {
  readonly store: Pick<Store, 'write'> & { readonly accounts: Pick<AccountReads, 'due'> };
  readonly log: Log;
  readonly clock: Clock;
  readonly monotonic: MonotonicClock;
  /** Returns why the clock cannot be trusted, a sentence; undefined if it can. Nothing is removed by a clock in doubt. */
  readonly findClockDoubt: () => string | undefined;
  /** From 0 to 1; spreads the processes on one database. */
  readonly random?: () => number;
}

export interface AccountWatchFigures {
  /** Accounts that were due at the last look, counted to `MAX_DUE`. */
  readonly due: number;
  /** Slices since the start. */
  readonly slices: number;
  /** Slices since the start that have failed. */
  readonly failures: number;
}

/** An operator waits for a spammer's domains to be gone. The query reads an index that is empty most of the time. */
const LOOK_INTERVAL_MS = 1000;

/** Accounts that are worked at in turn; those beyond wait until others are done. */
const MAX_DUE = 100;

/** After that time, the accounts are read again. */
const PASS_MS = 1000;

const LONGEST_BACK_OFF_MS = 60_000;

export class AccountWatch {
  private readonly options: AccountWatchOptions;
  private readonly failing = new FailingDomains<string>();
  private readonly loop: WatchLoop;
  private due = 0;
  private slices = 0;
  private failures = 0;

  constructor(options: AccountWatchOptions) {
    this.options = options;
    this.loop = new WatchLoop({
      log: options.log,
      away: 'the store cannot be used for work on accounts; it is tried again',
      back: 'work on accounts goes on',
    });
  }

  start(): void {
    this.loop.start(this.pauseMs(false), async () => this.pauseMs(await this.look()));
  }

  /** Resolves when the slice in progress has ended. */
  async close(): Promise<void> {
    await this.loop.close();
  }

  figures(): AccountWatchFigures {
    const { due, slices, failures } = this;
    return { due, slices, failures };
  }

  /** Takes slices of all accounts in turn for about `PASS_MS`; returns false if none was taken. Never rejects. */
  async look(): Promise<boolean> {
    const before = this.slices;
    if (!(await this.loop.pass(() => this.lookOnce()))) this.failures++;
    return this.slices > before;
  }

  private async lookOnce(): Promise<void> {
    const { store, clock } = this.options;
    const accounts = await store.accounts.due(clock.nowMs(), MAX_DUE);
    this.due = accounts.length;
    await this.pass(accounts);
  }

  private pauseMs(hasTaken: boolean): number {
    const backOffMs = this.loop.backOffMs(LOOK_INTERVAL_MS, LONGEST_BACK_OFF_MS);
    return spread(backOffMs ?? (hasTaken ? 0 : LOOK_INTERVAL_MS), this.options);
  }

  private async pass(accounts: readonly Account[]): Promise<void> {
    const { monotonic } = this.options;
    const startedMs = monotonic.elapsedMs();
    let waiting = accounts;
    while (waiting.length > 0) {
      const left: Account[] = [];
      for (const account of waiting) {
        const nowMs = monotonic.elapsedMs();
        if (this.loop.signal.aborted || nowMs - startedMs > PASS_MS) return;
        if (this.failing.isResting(account.id, nowMs)) continue;
        const next = await this.takeSlice(account);
        if (next !== undefined) left.push(next);
        // As long as the slice has taken, others have the store for themselves.
        await pause(monotonic.elapsedMs() - nowMs, this.loop.signal);
      }
      waiting = left;
    }
  }

  /**
   * Returns the account with the standing that it has then; undefined: nothing is due now. A refused or failed command
   * concerns its account alone.
   *
   * @throws StoreUnavailable or CommitInDoubt, which concern all accounts
   */
  private async takeSlice({ id, standing }: Account): Promise<Account | undefined> {
    const nowMs = this.options.clock.nowMs();
    const kind = standing === undefined ? undefined : this.findWork(standing, nowMs);
    if (standing === undefined || kind === undefined) return undefined;
    try {
      const result = await commitWrite(this.options, { kind, accountId: id, seen: standing, atMs: nowMs });
      if (!result.ok) {
        this.noteFailure(id, result.refusal.message);
        return undefined;
      }
      if (this.failing.remove(id)) this.options.log.info({ accountId: id }, 'the work on an account goes on');
      const { moved, account } = result.value;
      if (!moved) return undefined;
      this.slices++;
      if (account === null) this.options.log.info({ accountId: id }, 'a deleted account has been removed');
      return account ?? undefined;
    } catch (error) {
      if (error instanceof StoreUnavailable || error instanceof CommitInDoubt) throw error;
      this.noteFailure(id, error);
      return undefined;
    }
  }

  private findWork(standing: AccountStanding, nowMs: number): 'sweepDomains' | 'removeAccount' | undefined {
    const { deletion, sweep } = standing;
    const isPast = deletion !== null && deletion.heldUntilMs <= nowMs && (dueAtMs(standing) ?? 0) <= nowMs;
    if (isPast && this.options.findClockDoubt() === undefined) return 'removeAccount';
    return sweep === null ? undefined : 'sweepDomains';
  }

  private noteFailure(accountId: string, reason: unknown): void {
    const { log, monotonic } = this.options;
    this.failures++;
    if (!this.failing.addFailure(accountId, monotonic.elapsedMs())) return;
    const fields = reason instanceof Error ? { accountId, err: reason } : { accountId, reason };
    log.warn(fields, 'what is decided about an account cannot be carried out; this is tried again and again');
  }
}
