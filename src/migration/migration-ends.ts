import type { TransferRow, TransferTable } from './migration-tables.ts';

/**
 * Rows read, written and compared at a time. A row is some 200 octets; a full TXT record of the default limit with its
 * text escaped is 20,000 (then a slice is 10 MB), of the highest limit there is 350,000 (180 MB).
 */
export const SLICE_ROWS = 500;

/** A store's content at one moment. */
export interface TransferSource {
  rowCount(table: TransferTable): number | Promise<number>;
  /** All rows by key, at most `SLICE_ROWS` at a time. Other work of the process runs between two slices. */
  slices(table: TransferTable): AsyncIterable<readonly TransferRow[]>;
}

export interface OpenTransferSource extends TransferSource {
  /** For people, without a password. */
  readonly place: string;
  /** Again, it does nothing. */
  close(): void | Promise<void>;
}

/** What a store holds: the same in both engines where the content is the same. */
export interface ContentSummary {
  /** Rows by table, in the order of the tables. */
  readonly rows: Readonly<Record<string, number>>;
  /** SHA-256 of all rows, hexadecimal. */
  readonly hash: string;
}

/**
 * Where a store's content goes: all of it, or nothing. Until then, and when that was broken off, no service starts
 * there.
 */
export interface TransferTarget {
  /** For people, without a password. */
  readonly place: string;
  /** What is there already; null where no store was ever kept. */
  readonly existing: TransferSource | null;
  /** What has been inserted, as the target reads it; only after `begin`. */
  readonly written: TransferSource;
  /** Before the first insert. */
  begin(): void | Promise<void>;
  /** Rows in key order, table after table. */
  insert(table: TransferTable, rows: readonly TransferRow[]): void | Promise<void>;
  /** From now on it is the store, durably. */
  commit(content: ContentSummary): void | Promise<void>;
  /** After `commit`, or instead of it: then nothing of what was inserted is left. */
  close(): void | Promise<void>;
}

/** A transfer was refused or could not be done; the message is one sentence for the operator. */
export class TransferError extends Error {
  override readonly name = 'TransferError';
}
