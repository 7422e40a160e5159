/**
 * The zone space: one block of shared memory with every zone image and the directory of hosted names. One thread (the
 * publisher's) writes it, nameserver threads read it without waiting. Everything in it can be rebuilt from the store.
 *
 *     header │ reader epochs │ arena: blocks of 2^n bytes (zone images, the directory)
 *
 * A block taken out of sight is reused only after every reader that may still read it has left: readers announce the
 * epoch in which they entered, and the writer advances the epoch with every block it retires.
 */

import { assert } from '../base/assert.ts';
import type { BlockOffset } from './image-offsets.ts';

const MAGIC = 0x5a6f6e65; // "Zone"

/** Threads that may read at the same time; the header has one cache line for each. */
export const MAX_READERS = 64;

const READER_SLOTS_WORD = 64;
const WORDS_PER_READER = 16; // a cache line each, so that readers do not slow down each other
/** Bytes before the first block. */
export const ARENA_START_BYTES = 8192;

/** Byte offsets inside the space are signed 32-bit numbers. */
export const MAX_SPACE_BYTES = 2 ** 31 - ARENA_START_BYTES;

/** A smaller space would not hold the directory of a small installation and a zone. */
export const MIN_SPACE_BYTES = 2 ** 20;

// Words of the header.
const MAGIC_WORD = 0;
const SEED = 1;
const READERS = 2;
const DIRECTORY = 3;
const EPOCH = 4;

/** In place of the epoch of a reader that reads nothing. */
const IDLE = 0;

export interface ZoneSpace {
  readonly memory: SharedArrayBuffer;
  readonly words: Int32Array;
  readonly bytes: Uint8Array;
  /** The start value of every name hash. */
  readonly seed: number;
  readonly readers: number;
}

/**
 * @param seed 32 bits that outsiders cannot guess, so that they cannot choose names that collide
 * @param firstEpoch any number but 0
 */
export function createZoneSpace(sizeBytes: number, readers: number, seed: number, firstEpoch = 1): ZoneSpace {
  assert(readers >= 1 && readers <= MAX_READERS, `1 to ${MAX_READERS} readers`);
  assert(sizeBytes >= MIN_SPACE_BYTES && sizeBytes <= MAX_SPACE_BYTES, 'size of the zone space');
  const words = new Int32Array(new SharedArrayBuffer(ARENA_START_BYTES + (sizeBytes & ~1023)));
  words[MAGIC_WORD] = MAGIC;
  words[SEED] = seed | 0;
  words[READERS] = readers;
  words[EPOCH] = firstEpoch;
  return openZoneSpace(words.buffer);
}

/** Opens a space that was created, in this or another thread. */
export function openZoneSpace(memory: SharedArrayBuffer): ZoneSpace {
  const words = new Int32Array(memory);
  assert(words[MAGIC_WORD] === MAGIC, 'not a zone space');
  return {
    memory,
    words,
    bytes: new Uint8Array(memory),
    seed: words[SEED],
    readers: words[READERS],
  };
}

/** Until `leaveSpace()`, nothing that this reader can see is overwritten. */
export function enterSpace(words: Int32Array, reader: number): void {
  Atomics.store(words, epochWord(reader), Atomics.load(words, EPOCH));
}

export function leaveSpace(words: Int32Array, reader: number): void {
  Atomics.store(words, epochWord(reader), IDLE);
}

/** Ends the current epoch and returns it. Blocks taken out of sight before may be reused after `hasEveryoneLeft()` of it. */
export function endEpoch(words: Int32Array): number {
  const epoch = Atomics.load(words, EPOCH);
  // Epochs wrap around; 0 would mean that a reader is idle.
  Atomics.store(words, EPOCH, epoch === -1 ? 1 : epoch + 1);
  return epoch;
}

/** Whether every reader that entered during `epoch` or before has left. */
export function hasEveryoneLeft(space: ZoneSpace, epoch: number): boolean {
  for (let reader = 0; reader < space.readers; reader++) {
    const entered = Atomics.load(space.words, epochWord(reader));
    // Compares by difference, because epochs wrap around (as serials in RFC 1982).
    if (entered !== IDLE && ((entered - epoch) | 0) <= 0) return false;
  }
  return true;
}

/** The block of the directory; 0 before there is one. */
export function directoryOffset(words: Int32Array): BlockOffset {
  return Atomics.load(words, DIRECTORY) as BlockOffset;
}

export function publishDirectory(words: Int32Array, offset: BlockOffset): void {
  Atomics.store(words, DIRECTORY, offset);
}

function epochWord(reader: number): number {
  return READER_SLOTS_WORD + reader * WORDS_PER_READER;
}
