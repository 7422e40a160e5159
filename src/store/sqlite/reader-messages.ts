// What the main thread and a reader thread say to each other: one read at a time, answered in the order in which they
// were asked.
import type { SqliteReads } from './sqlite-reads.ts';

export interface ReaderData {
  readonly path: string;
}

/** Reads that may look at many rows. */
export type LongRead = 'listDomains' | 'listDeletedDomains' | 'listRecords' | 'searchRecords' | 'listChanges';

export type ReadArguments<K extends LongRead> = Parameters<SqliteReads[K]>;
export type ReadResult<K extends LongRead> = ReturnType<SqliteReads[K]>;

/** Why a read was ended between two steps. */
export type EndReason = 'gone' | 'late';

export interface ReadMessage {
  readonly kind: 'read';
  readonly read: LongRead;
  readonly args: ReadArguments<LongRead>;
  /** Shared: 1 in its first place when nobody wants the answer any more. */
  readonly gone: Int32Array;
  /** A read that takes longer is ended. */
  readonly limitMs: number;
}

export type ToReader =
  | ReadMessage
  /** After everything asked before: end. */
  | { readonly kind: 'close' };

export type FromReader =
  | { readonly kind: 'ready' }
  | { readonly kind: 'result'; readonly result: ReadResult<LongRead> }
  | { readonly kind: 'ended'; readonly reason: EndReason }
  /** `isOurFault`: a bug; else the store cannot be read. */
  | { readonly kind: 'failed'; readonly message: string; readonly isOurFault: boolean };
