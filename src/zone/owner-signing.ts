/** The signatures of a name and its place in the chain, as they are given and as a node of an image holds them. */

import { rrType } from '../dns/codes.ts';
import { ownerStatus, type OwnerStatus } from '../dns/proven-types.ts';
import type { StoredSignature } from '../dns/stored-signature.ts';
import {
  addNodeFlags,
  hasHash,
  hasSignatures,
  nodeFlag,
  nodeFlags,
  nodeHashIndex,
  nodeSignaturesIndex,
} from './image-node.ts';
import type { ImageOffset, ImageStart, NodeIndex, SignatureIndex } from './image-offsets.ts';
import {
  copySignatures,
  isStorable,
  listBytes,
  signaturesBytes,
  signaturesSizeLimit,
  writeSignatures,
} from './signature-list.ts';
import { imageHint, imageHints, type ImagePlace } from './zone-image.ts';

/** The octets of the hash of a name. */
const HASH_OCTETS = 20;

export interface OwnerSigning {
  /** An empty non-terminal is authoritative. */
  readonly status: OwnerStatus;
  /** Those of the owner's sets, and of its NSEC or NSEC3 record. */
  readonly signatures: readonly StoredSignature[];
  /** The hash of the name, 20 octets, if its chain has NSEC3 records. */
  readonly hash?: Uint8Array;
}

/** `OwnerSigning` as one image holds it. */
export interface NodeSigning {
  readonly flags: number;
  readonly hash: Uint8Array | undefined;
  readonly signatures: readonly StoredSignature[];
}

const unsigned: NodeSigning = { flags: 0, hash: undefined, signatures: [] };

/** The hints of the image of a zone whose apex is signed like that. */
export function signedHints({ hash }: OwnerSigning): number {
  return hash === undefined ? imageHint.signed : imageHint.signed | imageHint.nsec3;
}

/**
 * The image of an unsigned zone takes no signatures. One with NSEC records takes no hashes, and none takes signatures of the
 * other chain: while a zone gets another chain, its rows have both.
 */
export function nodeSigning({ words, image }: ImagePlace, signing: OwnerSigning | undefined): NodeSigning {
  const hints = imageHints(words, image);
  if (signing === undefined || (hints & imageHint.signed) === 0) return unsigned;
  // Signatures of one type follow each other: see `findNextSignature`.
  const isHashed = (hints & imageHint.nsec3) !== 0;
  const otherChain = isHashed ? rrType.NSEC : rrType.NSEC3;
  const signatures = signing.signatures
    .filter((signature) => isStorable(signature) && signature.type !== otherChain)
    .sort((a, b) => a.type - b.type);
  const flags = signatures.length > 0 ? nodeFlag.signed : 0;
  if (!isHashed) {
    // An empty non-terminal has no signature here: only the other chain has it.
    const isChained = signing.status !== ownerStatus.OCCLUDED && (flags !== 0 || signing.hash === undefined);
    return { flags: isChained ? flags | nodeFlag.chained : flags, hash: undefined, signatures };
  }
  if (signing.hash?.length !== HASH_OCTETS) return { flags, hash: undefined, signatures };
  return { flags: flags | nodeFlag.chained | nodeFlag.hashed, hash: signing.hash, signatures };
}

/** Bytes that a node takes for it at most, with the runs of its signatures. */
export function signingSizeLimit({ hash, signatures }: NodeSigning): number {
  return (hash === undefined ? 0 : HASH_OCTETS) + signaturesSizeLimit(signatures);
}

/** Bytes that a node takes for it. */
export function signingBytes({ hash, signatures }: NodeSigning): number {
  return (hash === undefined ? 0 : HASH_OCTETS) + signaturesBytes(signatures);
}

/** Adds it to a node that has its sets, and room for `signingBytes`. */
export function writeSigning(place: ImagePlace, node: NodeIndex, signing: NodeSigning): void {
  const { words, bytes } = place;
  addNodeFlags(words, node, signing.flags);
  if (signing.hash !== undefined) bytes.set(signing.hash, nodeHashIndex(words, node) * 4);
  if (signing.signatures.length > 0)
    writeSignatures(place, nodeSignaturesIndex(words, node), signing.signatures);
}

/** Bytes of a node's hash and signatures. */
export function nodeSigningBytes(words: Int32Array, image: ImageStart, node: NodeIndex): number {
  const bytes = hasHash(words, node) ? HASH_OCTETS : 0;
  if (!hasSignatures(words, node)) return bytes;
  return bytes + listBytes(words, image, nodeSignaturesIndex(words, node) as SignatureIndex);
}

/** Copies the hash and the signatures of a node to another node of the same image, with as many sets as it has. */
export function carrySigning({ words, image }: ImagePlace, from: NodeIndex, to: NodeIndex): void {
  const { chained, hashed, signed } = nodeFlag;
  addNodeFlags(words, to, nodeFlags(words, from) & (chained | hashed | signed));
  const start = nodeHashIndex(words, from);
  const end = start + nodeSigningBytes(words, image, from) / 4;
  words.copyWithin(nodeHashIndex(words, to), start, end);
}

/** Copies the hash and the signatures of a node to one of another image, which has the flags and the sets. */
export function copySigning(
  from: ImagePlace,
  node: NodeIndex,
  to: ImagePlace,
  copy: NodeIndex,
  runs: Map<number, ImageOffset>,
): void {
  if (hasHash(from.words, node)) {
    const start = nodeHashIndex(from.words, node);
    const target = nodeHashIndex(to.words, copy);
    for (let i = 0; i < HASH_OCTETS / 4; i++) to.words[target + i] = from.words[start + i];
  }
  if (!hasSignatures(from.words, node)) return;
  const first = nodeSignaturesIndex(from.words, node) as SignatureIndex;
  copySignatures(from, first, to, nodeSignaturesIndex(to.words, copy), runs);
}

/** Whether a name has the same place in the chain, or none, as its former node (0: it has none). */
export function keepsPlace({ words, bytes }: ImagePlace, former: NodeIndex, signing: NodeSigning): boolean {
  const { chained, hashed } = nodeFlag;
  const formerFlags = former === 0 ? 0 : nodeFlags(words, former);
  if (((formerFlags ^ signing.flags) & (chained | hashed)) !== 0) return false;
  if (signing.hash === undefined) return true;
  const start = nodeHashIndex(words, former) * 4;
  return signing.hash.every((octet, i) => octet === bytes[start + i]);
}
