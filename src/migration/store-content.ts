import type { Row, StoreTable } from './store-tables.ts';

/**
 * Rows that are read, written and compared together. A row takes some 200 octets; a TXT record at the default size limit
 * with all its text escaped takes 20,000 (10 MB a slice), at the highest configurable limit 350,000 (180 MB a slice).
 */
export const SLICE_ROWS = 500;

/** The content of a store at one moment. */
export interface StoreContent {
  rowCount(table: StoreTable): number | Promise<number>;
  /** All rows in key order, at most `SLICE_ROWS` at a time. Other work of the process runs between two slices. */
  slices(table: StoreTable): AsyncIterable<readonly Row[]>;
}

export interface MigrationSource extends StoreContent {
  /** For messages; holds no password. */
  readonly place: string;
  /** Further calls do nothing. */
  close(): void | Promise<void>;
}

/** Identifies the content of a store; equal content gives equal summaries in both engines. */
export interface ContentSummary {
  /** Rows by table, in the order of the tables. */
  readonly rows: Readonly<Record<string, number>>;
  /** SHA-256 of all rows, hexadecimal. */
  readonly hash: string;
}

/**
 * Receives the content of a store, all of it or nothing. No service starts there while it is being filled or after that
 * was interrupted.
 */
export interface MigrationTarget {
  /** For messages; holds no password. */
  readonly place: string;
  /** The store that exists there; null if there is none. */
  readonly existing: StoreContent | null;
  /** The inserted rows as the target reads them; only after `begin`. */
  readonly written: StoreContent;
  /** Before the first insert. */
  begin(): void | Promise<void>;
  /** Rows in key order, table after table. */
  insert(table: StoreTable, rows: readonly Row[]): void | Promise<void>;
  /** Makes the inserted rows the store, durably. */
  commit(content: ContentSummary): void | Promise<void>;
  /** Must be called at the end; without a `commit` before, all inserted rows are discarded. */
  close(): void | Promise<void>;
}

/** A migration was refused or failed; the message is one sentence for the operator. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}
