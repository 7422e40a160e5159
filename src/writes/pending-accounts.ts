import type { Account, ApiKey } from '../model/account.ts';
import type { AccountCountStep } from './batch-writes.ts';
import type { RowReader } from './row-reader.ts';
import type { UndoLog } from './undo-log.ts';

/** A row in a batch: as committed, and as the batch leaves it; null if it does not exist. */
interface PendingRow<T> {
  readonly committed: T | null;
  readonly current: T | null;
}

/** Accounts and keys in a batch, with the exact counts that lists show. */
export class PendingAccounts {
  private readonly accounts = new Map<string, PendingRow<Account>>();
  private readonly keys = new Map<string, PendingRow<ApiKey>>();
  private readonly steps = new Map<string, AccountCountStep>();
  private readonly rows: RowReader;
  private readonly undoLog: UndoLog;

  constructor(rows: RowReader, undoLog: UndoLog) {
    this.rows = rows;
    this.undoLog = undoLog;
  }

  findAccount(id: string): Account | undefined {
    return this.account(id).current ?? undefined;
  }

  findKey(id: string): ApiKey | undefined {
    return this.key(id).current ?? undefined;
  }

  putAccount(account: Account): void {
    this.undoLog.setEntry(this.accounts, account.id, { ...this.account(account.id), current: account });
  }

  putKey(key: ApiKey): void {
    const before = this.key(key.id);
    this.undoLog.setEntry(this.keys, key.id, { ...before, current: key });
    if (before.current !== null) this.count(before.current.accountId, 0, -1);
    this.count(key.accountId, 0, 1);
  }

  deleteKey(id: string): void {
    const before = this.key(id);
    if (before.current === null) return;
    this.undoLog.setEntry(this.keys, id, { ...before, current: null });
    this.count(before.current.accountId, 0, -1);
  }

  /** Adds to the numbers of domains and keys of an account. */
  count(accountId: string, domains: number, keys: number): void {
    const step = this.steps.get(accountId) ?? { accountId, domains: 0, keys: 0 };
    this.undoLog.setEntry(this.steps, accountId, {
      accountId,
      domains: step.domains + domains,
      keys: step.keys + keys,
    });
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
      createdKeys: created(keys),
      changedKeys: changed(keys),
      deletedKeyIds: keys.flatMap(({ committed, current }) =>
        committed !== null && current === null ? [committed.id] : [],
      ),
      accountCounts: [...this.steps.values()].filter(({ domains, keys }) => domains !== 0 || keys !== 0),
    };
  }

  private account(id: string): PendingRow<Account> {
    return getOrLoad(this.accounts, id, () => this.rows.findAccount(id));
  }

  private key(id: string): PendingRow<ApiKey> {
    return getOrLoad(this.keys, id, () => this.rows.findKey(id));
  }
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
