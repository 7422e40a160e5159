/**
 * The layout of a zone image, and reading it. An image is one block of the zone space; every reference inside is
 * relative to the block, so that an image is moved by copying.
 *
 *     │ header │ apex name │ … nodes, names, record sets, a hash table of names, in the order they came │ room │
 *
 * But for hints, nothing in an image is ever changed that a reader could see; a new state of a name is a new node in
 * front of the old one, and counts from a version on. A reader takes the image's version once and sees exactly that
 * version of every name: no answer mixes two states of a zone, and nobody waits.
 */

import { suffixEquals, type NameScan } from './name-scan.ts';

/** Words of an image's header. `Atomics` for `version`; `referenced` may be set by anyone at any time. */
export const header = {
  version: 0,
  referenced: 1,
  used: 2,
  size: 3,
  table: 4,
  tableMask: 5,
  tableUsed: 6,
  garbage: 7,
  hints: 8,
  soa: 9,
  serial: 10,
  domainId: 11,
  apexLength: 12,
} as const;
export const HEADER_BYTES = 64;

/** Hints are only ever set: without one, readers skip a look-up that could find nothing. */
export const hint = { cuts: 1, wildcards: 2 } as const;

/** Words of a table slot. */
export const TABLE_SLOT_WORDS = 2;

/** Words of a node: one state of one name. Then two words a record set: its type, where it stands. */
export const node = { version: 0, previous: 1, flags: 2, name: 3, children: 4, sets: 5 } as const;

/** Bits of a node's flags word; the name's length and the number of sets stand above them. */
export const nodeFlag = {
  /** The name does not exist (any more). */
  absent: 1,
  /** A delegation: NS records below the apex. */
  cut: 2,
  dname: 4,
  cname: 8,
  /** There is, or was, a name `*` right below: a hint, set also in a node that readers see. */
  wildcardChild: 16,
} as const;
export const NODE_NAME_LENGTH_SHIFT = 8;
export const NODE_SET_COUNT_SHIFT = 16;

/** Words of a state of the SOA record. */
export const soaState = { version: 0, previous: 1, set: 2, negativeTtl: 3, words: 4 } as const;

export function imageApexEquals(
  words: Int32Array,
  bytes: Uint8Array,
  image: number,
  name: NameScan,
  label: number,
): boolean {
  return suffixEquals(name, label, bytes, image + HEADER_BYTES, words[(image >> 2) + header.apexLength]);
}

/** The image's version that is complete now. */
export function imageVersion(words: Int32Array, image: number): number {
  return Atomics.load(words, (image >> 2) + header.version);
}

/**
 * The node of the suffix of `name` from `label` on, as of `version`.
 *
 * @returns its word index in the space, or 0 when the name does not exist in that version
 */
export function findNode(
  words: Int32Array,
  bytes: Uint8Array,
  image: number,
  version: number,
  name: NameScan,
  label: number,
): number {
  const slot = findNameSlot(words, bytes, image, name, label);
  return slot < 0 ? 0 : nodeInVersion(words, image, slot, version);
}

/** Word index of the name's slot in the table, or −1 − the empty slot where it would go. */
export function findNameSlot(
  words: Int32Array,
  bytes: Uint8Array,
  image: number,
  name: NameScan,
  label: number,
): number {
  const hash = name.hashes[label];
  const base = image >> 2;
  const mask = words[base + header.tableMask];
  const table = (image + words[base + header.table]) >> 2;
  for (let i = hash & mask; ; i = (i + 1) & mask) {
    const slot = table + i * TABLE_SLOT_WORDS;
    const newest = Atomics.load(words, slot + 1);
    if (newest === 0) return -1 - slot;
    if (words[slot] !== hash) continue;
    const entry = (image + newest) >> 2;
    if (suffixEquals(name, label, bytes, image + words[entry + node.name], nodeNameLength(words, entry)))
      return slot;
  }
}

function nodeInVersion(words: Int32Array, image: number, slot: number, version: number): number {
  let offset = Atomics.load(words, slot + 1);
  while (offset !== 0) {
    const entry = (image + offset) >> 2;
    if (words[entry + node.version] <= version) {
      return (words[entry + node.flags] & nodeFlag.absent) !== 0 ? 0 : entry;
    }
    offset = words[entry + node.previous];
  }
  return 0;
}

/** Word index of the SOA state that belongs to `version`. */
export function findSoa(words: Int32Array, image: number, version: number): number {
  let offset = Atomics.load(words, (image >> 2) + header.soa);
  for (;;) {
    const state = (image + offset) >> 2;
    const previous = words[state + soaState.previous];
    if (words[state + soaState.version] <= version || previous === 0) return state;
    offset = previous;
  }
}

/** Byte offset in the space of the node's record set of `type`, or 0. */
export function findSet(words: Int32Array, image: number, entry: number, type: number): number {
  const end = entry + node.sets + nodeSetCount(words, entry) * 2;
  for (let i = entry + node.sets; i < end; i += 2) {
    if (words[i] === type) return image + words[i + 1];
  }
  return 0;
}

export function nodeSetCount(words: Int32Array, entry: number): number {
  return words[entry + node.flags] >>> NODE_SET_COUNT_SHIFT;
}

export function nodeNameLength(words: Int32Array, entry: number): number {
  return (words[entry + node.flags] >>> NODE_NAME_LENGTH_SHIFT) & 0xff;
}
