import type { ResourceLimits } from 'node:worker_threads';

const MEBIBYTE = 2 ** 20;

/**
 * Memory for large work that is assumed if nothing else is said: an import of 200,000 short records, which is the largest,
 * takes about 240 MB on the main thread.
 */
export const DEFAULT_WORK_MEMORY_BYTES = 256 * MEBIBYTE;

/** A thread's heap without work: code, statements, short commands. */
const BASE_MB = 64;

/**
 * A preparing thread holds a command as text and as records, and beside it the rows and changes that it leads to: under
 * 400 MB for 200,000 records.
 */
const PREPARER_SHARE = 1.5;

/**
 * The largest zone replaced by another of its size takes twice as much: old and new records, and a change for each. Only the
 * thread for large commands comes near it.
 */
const REPLACING_SHARE = 2 * PREPARER_SHARE;

/** Objects of large work live for a second: with a small young generation they are all copied twice. */
const WORK_YOUNG_MB = 48;

/** A page has up to 500 records of 65,535 octets, as shown up to four characters for each. */
const READER_MB = 192;
const READER_YOUNG_MB = 16;

/**
 * The most that the heaps of the store's threads take; the thread for large writes on PostgreSQL is a preparing thread, too.
 * Node would let each grow to some gigabytes before it collects garbage. A thread that needs more ends: a preparing or
 * reading thread fails its request, and the next one starts another; if the writer ends, the process does.
 */
export interface ThreadHeaps {
  readonly writer: ResourceLimits;
  readonly preparer: ResourceLimits;
  readonly reader: ResourceLimits;
}

export function threadHeaps(workMemoryBytes = DEFAULT_WORK_MEMORY_BYTES): ThreadHeaps {
  const workMb = workMemoryBytes / MEBIBYTE;
  const heap = (oldMb: number, youngMb: number): ResourceLimits => ({
    maxOldGenerationSizeMb: Math.ceil(oldMb),
    maxYoungGenerationSizeMb: youngMb,
  });
  return {
    writer: heap(BASE_MB + PREPARER_SHARE * workMb, WORK_YOUNG_MB),
    preparer: heap(BASE_MB + REPLACING_SHARE * workMb, WORK_YOUNG_MB),
    reader: heap(READER_MB, READER_YOUNG_MB),
  };
}
