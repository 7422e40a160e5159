/**
 * A key whose order, octet by octet, is that of the names in a zone's chain: the hash for NSEC3, and for NSEC a form of
 * the name that has the canonical order (RFC 4034 section 6.1). That form has the labels from the apex down, without the
 * apex, each closed by 0. The octets 0 and 1 become 1 1 and 1 2, so that 0 only ever closes a label.
 */

import { MAX_LABELS, MAX_NAME_OCTETS } from '../dns/name.ts';
import { hasHash, nodeHashIndex, nodeNameLength, nodeNameOffset } from './image-node.ts';
import type { NodeIndex } from './image-offsets.ts';
import type { NameScan } from './name-scan.ts';
import type { ImagePlace } from './zone-image.ts';

const HASH_OCTETS = 20;
/** Every octet of a name takes two at most. */
const MAX_KEY_OCTETS = 2 * MAX_NAME_OCTETS;
/** Zeros after a key, as many as are read beyond it: three words. */
const PADDING_OCTETS = 12;
/** Makes signed words compare as unsigned ones. */
const FLIP = 0x80000000;

/** The offsets of the labels of the name that is being read. */
const starts = new Uint8Array(MAX_LABELS);

/** One object is reused for many names, so that look-ups make no garbage. */
export class ChainKey {
  readonly bytes = new Uint8Array(MAX_KEY_OCTETS + PADDING_OCTETS);
  length = 0;

  /** The key of the suffix of `name` from `label` on, which is at or below the apex. */
  setName(name: NameScan, label: number, apexLength: number): void {
    this.length = 0;
    const apexStart = name.length - apexLength;
    for (let at = name.labels - 1; at >= label; at--) {
      if (name.starts[at] < apexStart) this.addLabel(name.bytes, name.starts[at]);
    }
    this.close();
  }

  /** The key of a hash of 20 octets. */
  setHash(hash: Uint8Array, start: number): void {
    for (let i = 0; i < HASH_OCTETS; i++) this.bytes[i] = hash[start + i];
    this.length = HASH_OCTETS;
    this.close();
  }

  /** The key of a node of the chain: of its hash if it has one, else of its name. */
  setNode(place: ImagePlace, node: NodeIndex): void {
    const { words, bytes, image } = place;
    if (hasHash(words, node)) {
      this.setHash(bytes, nodeHashIndex(words, node) * 4);
      return;
    }
    const nameStart = image + nodeNameOffset(words, node);
    const length = nodeNameLength(words, node);
    let labels = 0;
    for (let at = 0; at < length; at += bytes[nameStart + at] + 1) starts[labels++] = at;
    this.length = 0;
    while (labels > 0) this.addLabel(bytes, nameStart + starts[--labels]);
    this.close();
  }

  /** Four octets as a number; the numbers of two keys compare like the octets. The octets after a key are zeros. */
  word(at: number): number {
    const { bytes, length } = this;
    // A block may leave out more than this key has.
    if (at >= length) return FLIP | 0;
    return ((bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]) ^ FLIP;
  }

  private addLabel(source: Uint8Array, start: number): void {
    const { bytes } = this;
    const end = start + source[start];
    let { length } = this;
    for (let at = start + 1; at <= end; at++) {
      const octet = source[at];
      if (octet > 1) bytes[length++] = octet;
      else {
        bytes[length++] = 1;
        bytes[length++] = octet + 1;
      }
    }
    bytes[length++] = 0;
    this.length = length;
  }

  private close(): void {
    for (let i = 0; i < PADDING_OCTETS; i++) this.bytes[this.length + i] = 0;
  }
}

/** Negative if `one` comes before `other`, 0 if they are equal. A name comes before those below it. */
export function compareKeys(one: ChainKey, other: ChainKey): number {
  const end = Math.min(one.length, other.length);
  for (let i = 0; i < end; i++) {
    if (one.bytes[i] !== other.bytes[i]) return one.bytes[i] - other.bytes[i];
  }
  return one.length - other.length;
}
