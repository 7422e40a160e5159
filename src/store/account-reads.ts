// Reads about accounts as a whole: which are due, and long lists in slices, for the export of an account.
import type { Account } from '../model/account.ts';
import type { DeletedDomain, Domain } from '../model/domain.ts';
import type { HistoryEntry } from '../writes/history-entry.ts';

/** All use an index and read few rows, and none of them counts its list. They reject with StoreUnavailable. */
export interface AccountReads {
  /** Accounts about which the service has to do something by then, the longest due first. */
  due(nowMs: number, limit: number): Promise<readonly Account[]>;
  /** Those of some accounts that are deleted. */
  deletedAmong(accountIds: readonly string[]): Promise<readonly string[]>;
  /**
   * The entries of a domain's history before a place of the feed, newest first.
   *
   * @param before `next` of the slice before; undefined: from the end
   */
  historyBefore(domain: Pick<Domain, 'id'>, before?: number): Promise<HistorySlice>;
  /** Deleted domains that can be restored, the latest deletion first, those before `before`, at most `SLICE_ROWS`. */
  deletedBefore(
    accountId: string,
    before?: Pick<DeletedDomain, 'id' | 'deletedAtMs'>,
  ): Promise<readonly DeletedDomain[]>;
  /**
   * Whose some objects are; those that nobody has are left out.
   *
   * @param ids of keys or accounts, or names of domains, at most `SLICE_ROWS`
   */
  holdersOf(kind: HeldKind, ids: readonly string[]): Promise<readonly Holder[]>;
}

export type HeldKind = 'domain' | 'key' | 'account';

export interface Holder {
  readonly id: string;
  readonly accountId: string;
  /** The account has deleted the domain last, can restore it, and nobody else has it. */
  readonly isDeleted: boolean;
}

export interface HistorySlice {
  readonly entries: readonly HistoryEntry[];
  /** Undefined: there are no more. */
  readonly next: number | undefined;
}

/** Rows of a slice: a millisecond. Changes may have 64 kB each. */
export const SLICE_ROWS = 125;
