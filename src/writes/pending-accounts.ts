import type { Account, ApiKey } from '../model/account.ts';
import { noUsage, type LimitOverrides } from '../model/account-limits.ts';
import type { AccountStanding } from '../model/account-standing.ts';
import type { ZoneName } from '../model/domain.ts';
import { hasSome } from '../model/rights.ts';
import { rightsOf } from '../model/scope-rights.ts';
import type { PendingUsage } from './pending-usage.ts';
import type { StoredQuota } from './check-quotas.ts';
import type { RowReader } from './row-reader.ts';
import type { UndoLog } from './undo-log.ts';

/** A row in a batch: as committed, and as the batch leaves it; null if it does not exist. */
interface PendingRow<T> {
  readonly committed: T | null;
  readonly current: T | null;
}

/** Accounts, keys and limits in a batch. */
export class PendingAccounts {
  private readonly accounts = new Map<string, PendingRow<Account>>();
  private readonly keys = new Map<string, PendingRow<ApiKey>>();
  /** As committed, with the overrides of this batch. */
  private readonly quotas = new Map<string, StoredQuota | undefined>();
  private readonly limits = new Map<string, LimitOverrides>();
  private readonly nameservers = new Map<string, readonly string[]>();
  private readonly usage: PendingUsage;
  private readonly rows: RowReader;
  private readonly undoLog: UndoLog;

  constructor(rows: RowReader, usage: PendingUsage, undoLog: UndoLog) {
    this.rows = rows;
    this.usage = usage;
    this.undoLog = undoLog;
  }

  findAccount(id: string): Account | undefined {
    return this.account(id).current ?? undefined;
  }

  findKey(id: string): ApiKey | undefined {
    return this.key(id).current ?? undefined;
  }

  findKeysOfUser(userId: string): readonly ApiKey[] {
    for (const { id } of this.rows.findKeysOfUser(userId)) this.key(id);
    const known = Array.from(this.keys.values(), ({ current }) => current);
    return known.filter((key): key is ApiKey => key !== null && key.userId === userId);
  }

  /** Some of the keys of an account, see `RowReader`; none if it has none. */
  findKeysOfAccount(accountId: string, onlyManaging: boolean): readonly ApiKey[] {
    for (const { id } of this.rows.findKeysOfAccount(accountId, onlyManaging)) this.key(id);
    const known = Array.from(this.keys.values(), ({ current }) => current);
    return known.filter(
      (key): key is ApiKey => key?.accountId === accountId && (!onlyManaging || managesAccounts(key)),
    );
  }

  /** The ids of users who were operators and in the account when the batch began. */
  operatorsOf(accountId: string): readonly string[] {
    return this.rows.operatorsOf(accountId);
  }

  /** Absent: the account is neither suspended nor deleted, or there is none. */
  standingOf(accountId: string): AccountStanding | undefined {
    const pending = this.accounts.get(accountId);
    return pending === undefined ? this.quotaOf(accountId)?.standing : pending.current?.standing;
  }

  /** The committed domains of an account, see `RowReader`. */
  domainNamesAfter(accountId: string, after: string, limit: number): readonly ZoneName[] {
    return this.rows.domainNamesAfter(accountId, after, limit);
  }

  putAccount(account: Account): void {
    this.undoLog.setEntry(this.accounts, account.id, { ...this.account(account.id), current: account });
  }

  /** Nothing may be left of it. */
  deleteAccount(id: string): void {
    this.undoLog.setEntry(this.accounts, id, { ...this.account(id), current: null });
  }

  putKey(key: ApiKey): void {
    const before = this.key(key.id);
    this.undoLog.setEntry(this.keys, key.id, { ...before, current: key });
    if (before.current !== null) this.usage.add(before.current.accountId, 'keys', -1);
    this.usage.add(key.accountId, 'keys', 1);
  }

  deleteKey(id: string): void {
    const before = this.key(id);
    if (before.current === null) return;
    this.undoLog.setEntry(this.keys, id, { ...before, current: null });
    this.usage.add(before.current.accountId, 'keys', -1);
  }

  putLimits(accountId: string, overrides: LimitOverrides): void {
    this.undoLog.setEntry(this.limits, accountId, overrides);
  }

  /** The nameservers of its own that an account was given, sorted. */
  findNameservers(accountId: string): readonly string[] | undefined {
    return this.nameservers.get(accountId) ?? this.rows.findNameservers(accountId);
  }

  /** Whether another account was given just these. @param names sorted */
  isNameserverSetTaken(names: readonly string[], accountId: string): boolean {
    for (const [id, given] of this.nameservers)
      if (id !== accountId && given.join() === names.join()) return true;
    return this.rows.isNameserverSetTaken(names, accountId);
  }

  putNameservers(accountId: string, names: readonly string[]): void {
    this.undoLog.setEntry(this.nameservers, accountId, names);
  }

  /** Returns the committed usage of the account, and its overrides; undefined if it has neither. */
  quotaOf(accountId: string): StoredQuota | undefined {
    if (!this.quotas.has(accountId)) this.quotas.set(accountId, this.rows.findQuota(accountId));
    const stored = this.quotas.get(accountId);
    const overrides = this.limits.get(accountId);
    return overrides === undefined ? stored : { ...stored, usage: stored?.usage ?? noUsage, overrides };
  }

  /** The domains of the account, with those of the batch. */
  domainCountOf(accountId: string): number {
    return (this.quotaOf(accountId)?.usage.domains ?? 0) + this.usage.ofBatch(accountId, 'domains');
  }

  createdCount(): number {
    return created([...this.accounts.values()]).length;
  }

  writes() {
    const accounts = [...this.accounts.values()];
    const keys = [...this.keys.values()];
    return {
      createdAccounts: created(accounts),
      changedAccounts: changed(accounts),
      deletedAccountIds: deletedIds(accounts),
      createdKeys: created(keys),
      changedKeys: changed(keys),
      deletedKeyIds: deletedIds(keys),
      changedNameservers: Array.from(this.nameservers, ([accountId, names]) => ({ accountId, names })),
      changedLimits: Array.from(this.limits, ([accountId, overrides]) => ({ accountId, overrides })),
    };
  }

  private account(id: string): PendingRow<Account> {
    return getOrLoad(this.accounts, id, () => this.rows.findAccount(id));
  }

  private key(id: string): PendingRow<ApiKey> {
    return getOrLoad(this.keys, id, () => this.rows.findKey(id));
  }
}

/** Whether a key makes its account one that manages others. */
export function managesAccounts(key: ApiKey): boolean {
  return hasSome(rightsOf(key), 'accounts:write');
}

function getOrLoad<T>(map: Map<string, PendingRow<T>>, id: string, load: () => T | undefined): PendingRow<T> {
  const known = map.get(id);
  if (known !== undefined) return known;
  const committed = load() ?? null;
  const row = { committed, current: committed };
  map.set(id, row);
  return row;
}

function created<T>(rows: readonly PendingRow<T>[]): T[] {
  return rows.flatMap(({ committed, current }) => (committed === null && current !== null ? [current] : []));
}

function changed<T>(rows: readonly PendingRow<T>[]): T[] {
  return rows.flatMap(({ committed, current }) =>
    committed !== null && current !== null && committed !== current ? [current] : [],
  );
}

function deletedIds(rows: readonly PendingRow<{ readonly id: string }>[]): string[] {
  return rows.flatMap(({ committed, current }) =>
    committed !== null && current === null ? [committed.id] : [],
  );
}
