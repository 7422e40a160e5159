/**
 * A node: one state of one owner name in a zone image, valid from a version until a newer node of that name is.
 *
 *     │ version │ previous node │ flags, name length, number of sets │ name │ children │ type, set │ type, set │ …
 *     … in a signed zone │ hash of the name, if it has one │ signatures │
 *
 * The node before it in time, the name and the sets are referred to by their offsets from the image's start. The name is
 * kept without the apex, which the image has once. Signatures are in the layout of `signature-list.ts`.
 */

import type { ImageOffset, ImageStart, NodeIndex, SetOffset } from './image-offsets.ts';

// Bits of a node's flags.
const ABSENT = 1;
const CUT = 2;
const DNAME = 4;
const CNAME = 8;
const WILDCARD_CHILD = 16;
const CHAINED = 32;
const HASHED = 64;
const SIGNED = 128;

/** Bits of a node's flags, for writers; readers use the functions below. */
export const nodeFlag = {
  /** The name does not exist, or no longer exists. */
  absent: ABSENT,
  /** A delegation: NS records below the apex. */
  cut: CUT,
  dname: DNAME,
  cname: CNAME,
  /** There is, or was, a name `*` directly below. A hint: it is also set in nodes that readers see. */
  wildcardChild: WILDCARD_CHILD,
  /** The name owns an NSEC or NSEC3 record. */
  chained: CHAINED,
  /** The hash of the name follows the sets. */
  hashed: HASHED,
  /** There are signatures, which come last. */
  signed: SIGNED,
} as const;

const VERSION = 0;
const PREVIOUS = 1;
const FLAGS = 2;
const NAME = 3;
const CHILDREN = 4;
const SETS = 5;
const WORDS_PER_SET = 2;

/** SHA-1, the only hash of names that is registered (RFC 5155 section 11). */
const HASH_WORDS = 5;

/** Above the flags, in the same word. */
const NAME_LENGTH_SHIFT = 8;
const SET_COUNT_SHIFT = 16;

/** Bytes of a node, without its name and signatures. */
export function nodeBytes(setCount: number): number {
  return (SETS + setCount * WORDS_PER_SET) * 4;
}

export function nodeAt(image: ImageStart, offset: ImageOffset): NodeIndex {
  return ((image + offset) >> 2) as NodeIndex;
}

export function nodeOffset(image: ImageStart, node: NodeIndex): ImageOffset {
  return (node * 4 - image) as ImageOffset;
}

/** The image's version from which on the node is valid. */
export function nodeVersion(words: Int32Array, node: NodeIndex): number {
  return words[node + VERSION];
}

export function setNodeVersion(words: Int32Array, node: NodeIndex, version: number): void {
  words[node + VERSION] = version;
}

/** The state of the name before this one, or 0. */
export function previousNode(words: Int32Array, image: ImageStart, node: NodeIndex): NodeIndex {
  const offset = words[node + PREVIOUS] as ImageOffset;
  return offset === 0 ? 0 : nodeAt(image, offset);
}

export function setPreviousNode(words: Int32Array, node: NodeIndex, previous: ImageOffset): void {
  words[node + PREVIOUS] = previous;
}

/** Bits of `nodeFlag`; the higher bits of the word hold other data. */
export function nodeFlags(words: Int32Array, node: NodeIndex): number {
  return words[node + FLAGS];
}

export function addNodeFlags(words: Int32Array, node: NodeIndex, flags: number): void {
  words[node + FLAGS] |= flags;
}

export function isAbsent(words: Int32Array, node: NodeIndex): boolean {
  return (words[node + FLAGS] & ABSENT) !== 0;
}

/** Whether the node is a delegation: it has NS records and is not the apex. */
export function isDelegation(words: Int32Array, node: NodeIndex): boolean {
  return (words[node + FLAGS] & CUT) !== 0;
}

export function hasDname(words: Int32Array, node: NodeIndex): boolean {
  return (words[node + FLAGS] & DNAME) !== 0;
}

export function hasCname(words: Int32Array, node: NodeIndex): boolean {
  return (words[node + FLAGS] & CNAME) !== 0;
}

/** Whether the name `*` may exist directly below. */
export function mayHaveWildcard(words: Int32Array, node: NodeIndex): boolean {
  return (words[node + FLAGS] & WILDCARD_CHILD) !== 0;
}

/** Sets the word that holds both lengths, without any flag. */
export function setNodeLengths(words: Int32Array, node: NodeIndex, nameLength: number, sets: number): void {
  words[node + FLAGS] = (nameLength << NAME_LENGTH_SHIFT) | (sets << SET_COUNT_SHIFT);
}

/** Copies flags and lengths from a node of other memory. */
export function copyNodeFlags(to: Int32Array, copy: NodeIndex, from: Int32Array, node: NodeIndex): void {
  to[copy + FLAGS] = from[node + FLAGS];
}

/** Whether the name owns an NSEC or NSEC3 record. */
export function isChained(words: Int32Array, node: NodeIndex): boolean {
  return (words[node + FLAGS] & CHAINED) !== 0;
}

export function hasHash(words: Int32Array, node: NodeIndex): boolean {
  return (words[node + FLAGS] & HASHED) !== 0;
}

export function hasSignatures(words: Int32Array, node: NodeIndex): boolean {
  return (words[node + FLAGS] & SIGNED) !== 0;
}

/** Octets of the name without the apex: 0 for the apex. */
export function nodeNameLength(words: Int32Array, node: NodeIndex): number {
  return (words[node + FLAGS] >>> NAME_LENGTH_SHIFT) & 0xff;
}

export function nodeSetCount(words: Int32Array, node: NodeIndex): number {
  return words[node + FLAGS] >>> SET_COUNT_SHIFT;
}

/** The labels of the name below the apex, in lower case, without the root's octet. */
export function nodeNameOffset(words: Int32Array, node: NodeIndex): ImageOffset {
  return words[node + NAME] as ImageOffset;
}

export function setNodeNameOffset(words: Int32Array, node: NodeIndex, offset: ImageOffset): void {
  words[node + NAME] = offset;
}

/** Names that exist directly below. */
export function nodeChildren(words: Int32Array, node: NodeIndex): number {
  return words[node + CHILDREN];
}

export function setNodeChildren(words: Int32Array, node: NodeIndex, children: number): void {
  words[node + CHILDREN] = children;
}

export function nodeSetType(words: Int32Array, node: NodeIndex, index: number): number {
  return words[node + SETS + index * WORDS_PER_SET];
}

export function nodeSetOffset(words: Int32Array, node: NodeIndex, index: number): ImageOffset {
  return words[node + SETS + index * WORDS_PER_SET + 1] as ImageOffset;
}

export function setNodeSet(
  words: Int32Array,
  node: NodeIndex,
  index: number,
  type: number,
  set: ImageOffset,
): void {
  words[node + SETS + index * WORDS_PER_SET] = type;
  words[node + SETS + index * WORDS_PER_SET + 1] = set;
}

/** The word after the sets: the hash of the name, if it has one, and then the signatures. */
export function nodeHashIndex(words: Int32Array, node: NodeIndex): number {
  return node + SETS + nodeSetCount(words, node) * WORDS_PER_SET;
}

/** The word at which the signatures begin. */
export function nodeSignaturesIndex(words: Int32Array, node: NodeIndex): number {
  const at = nodeHashIndex(words, node);
  return hasHash(words, node) ? at + HASH_WORDS : at;
}

/** The node's record set of `type`, or 0. */
export function findSet(words: Int32Array, image: ImageStart, node: NodeIndex, type: number): SetOffset {
  const first = node + SETS;
  const end = first + nodeSetCount(words, node) * WORDS_PER_SET;
  for (let at = first; at < end; at += WORDS_PER_SET) {
    if (words[at] === type) return (image + words[at + 1]) as SetOffset;
  }
  return 0;
}
