// Messages between the main thread and a reader thread, which runs one read at a time and answers in order.
import type { SqliteReads } from './sqlite-reads.ts';

export interface ReaderData {
  readonly path: string;
}

/** Reads that may scan many rows. */
export type LongRead =
  | 'listDomains'
  | 'listDeletedDomains'
  | 'listRecords'
  | 'searchRecords'
  | 'listChanges'
  | 'listTrail'
  | 'sliceTrail';

export type ReadArguments<K extends LongRead> = Parameters<SqliteReads[K]>;
export type ReadResult<K extends LongRead> = ReturnType<SqliteReads[K]>;

/** Why a read was stopped between two steps. */
export type StopReason = 'aborted' | 'timeout';

export interface ReadMessage {
  readonly kind: 'read';
  readonly read: LongRead;
  readonly args: ReadArguments<LongRead>;
  /** Shared memory; its first element is 1 if the read is aborted. */
  readonly aborted: Int32Array;
  /** A read that takes longer is stopped. */
  readonly limitMs: number;
}

export type ToReader =
  | ReadMessage
  /** Ends the thread after all reads sent before. */
  | { readonly kind: 'close' };

export type FromReader =
  | { readonly kind: 'ready' }
  | { readonly kind: 'result'; readonly result: ReadResult<LongRead> }
  | { readonly kind: 'stopped'; readonly reason: StopReason }
  /** `isOurFault`: a bug; otherwise the store cannot be read. */
  | { readonly kind: 'failed'; readonly message: string; readonly isOurFault: boolean };
