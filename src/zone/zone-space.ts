/**
 * The zone space: one block of shared memory that holds every zone image and the directory of hosted names. One
 * thread writes it (the publisher), nameserver threads read it without waiting. It never holds anything that can't
 * be rebuilt from the store.
 *
 *     header │ reader epochs │ arena: blocks of 2^n bytes (zone images, the directory)
 *
 * A block taken out of sight is used again only when every reader that might still look at it has left: readers
 * announce the epoch at which they entered, the writer raises the epoch with every block it retires.
 */

import { assert } from '../base/assert.ts';

const MAGIC = 0x5a6f6e65; // "Zone"

/** Threads that may read at once; the header has one cache line for each. */
export const MAX_READERS = 64;

const READER_SLOTS_WORD = 64;
const WORDS_PER_READER = 16; // a cache line each, so that readers don't slow each other
/** Where blocks begin. */
export const ARENA_START_BYTES = 8192;

/** Offsets inside the space are signed 32-bit byte offsets. */
export const MAX_SPACE_BYTES = 2 ** 31 - ARENA_START_BYTES;

/** Below this not even the directory of a small installation fits beside a zone. */
export const MIN_SPACE_BYTES = 2 ** 20;

const headerWord = { magic: 0, seed: 1, readers: 2, directory: 3, epoch: 4 } as const;
const IDLE = 0;

export interface ZoneSpace {
  readonly memory: SharedArrayBuffer;
  readonly words: Int32Array;
  readonly bytes: Uint8Array;
  /** Start value of every name hash. */
  readonly seed: number;
  readonly readers: number;
}

/**
 * @param seed any 32 bits that outsiders can't guess: they must not be able to choose names that collide
 * @param firstEpoch any number but 0
 */
export function createZoneSpace(sizeBytes: number, readers: number, seed: number, firstEpoch = 1): ZoneSpace {
  assert(readers >= 1 && readers <= MAX_READERS, `1 to ${MAX_READERS} readers`);
  assert(sizeBytes >= MIN_SPACE_BYTES && sizeBytes <= MAX_SPACE_BYTES, 'size of the zone space');
  const words = new Int32Array(new SharedArrayBuffer(ARENA_START_BYTES + (sizeBytes & ~1023)));
  words[headerWord.magic] = MAGIC;
  words[headerWord.seed] = seed | 0;
  words[headerWord.readers] = readers;
  words[headerWord.epoch] = firstEpoch;
  return openZoneSpace(words.buffer);
}

/** The same space, seen from another thread. */
export function openZoneSpace(memory: SharedArrayBuffer): ZoneSpace {
  const words = new Int32Array(memory);
  assert(words[headerWord.magic] === MAGIC, 'not a zone space');
  return {
    memory,
    words,
    bytes: new Uint8Array(memory),
    seed: words[headerWord.seed],
    readers: words[headerWord.readers],
  };
}

/** From here until `leaveSpace` nothing that this reader can see is overwritten. */
export function enterSpace(words: Int32Array, reader: number): void {
  Atomics.store(words, epochWord(reader), Atomics.load(words, headerWord.epoch));
}

export function leaveSpace(words: Int32Array, reader: number): void {
  Atomics.store(words, epochWord(reader), IDLE);
}

/** Ends the current epoch; what was taken out of sight before may go once `hasEveryoneLeft(thisEpoch)`. */
export function endEpoch(words: Int32Array): number {
  const epoch = Atomics.load(words, headerWord.epoch);
  // Epochs go round; 0 would say that a reader is idle.
  Atomics.store(words, headerWord.epoch, epoch === -1 ? 1 : epoch + 1);
  return epoch;
}

/** True when no reader is left that entered during `epoch` or before. */
export function hasEveryoneLeft(space: ZoneSpace, epoch: number): boolean {
  for (let reader = 0; reader < space.readers; reader++) {
    const entered = Atomics.load(space.words, epochWord(reader));
    // The difference, because epochs go on past the largest number (as in RFC 1982).
    if (entered !== IDLE && ((entered - epoch) | 0) <= 0) return false;
  }
  return true;
}

/** Byte offset of the directory's block. */
export function directoryOffset(words: Int32Array): number {
  return Atomics.load(words, headerWord.directory);
}

export function publishDirectory(words: Int32Array, offset: number): void {
  Atomics.store(words, headerWord.directory, offset);
}

function epochWord(reader: number): number {
  return READER_SLOTS_WORD + reader * WORDS_PER_READER;
}
