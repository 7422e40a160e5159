/**
 * Reads a signed zone in one version: the signatures of each name and the chain of NSEC or NSEC3 records. Nothing here
 * creates an object. In an unsigned zone there are no signatures and no chain.
 *
 *     name ─▶ chainNode ─▶ node ─▶ nextInChain ─▶ next node        NSEC: owner, next name
 *     hash ─▶ hashedAtOrBefore ─▶ node ─▶ nextInChain ─▶ …         NSEC3: hash of owner, next hash
 *     node ─▶ findSignature, writeTypeBitmap
 */

import { rrType } from '../dns/codes.ts';
import { completeTypes, MAX_ADDED_TYPES, ownerStatus } from '../dns/proven-types.ts';
import { writeTypeBitmap as writeBitmap } from '../dns/type-bitmap-octets.ts';
import {
  hasHash,
  hasSignatures,
  isDelegation,
  nodeHashIndex,
  nodeNameLength,
  nodeSetCount,
  nodeSetType,
  nodeSignaturesIndex,
} from './image-node.ts';
import type { NodeIndex, RunIndex, SignatureIndex } from './image-offsets.ts';
import type { NameScan } from './name-scan.ts';
import {
  nextInList,
  runAlgorithm,
  runExpiration,
  runInception,
  runKeyTag,
  runSignatureLength,
  signatureRun,
  signatureStart as startOfSignature,
  signatureType as typeOfSignature,
} from './signature-list.ts';
import { soaFirstSignature } from './soa-state.ts';
import { imageApexLength } from './zone-image.ts';
import type { ZoneView } from './zone-view.ts';

// V8 folds constants of the same module only.
const { AUTHORITATIVE, DELEGATION } = ownerStatus;
const { SOA } = rrType;

/** The most types of which one record proves something; types beyond it are left out. */
const MAX_TYPES = 4096;
const types = new Uint16Array(MAX_TYPES + MAX_ADDED_TYPES + 1);

/** Whether answers need signatures. */
export function isSigned(view: ZoneView): boolean {
  return view.isSigned();
}

/** Whether a signed zone denies with NSEC3 instead of NSEC. */
export function usesNsec3(view: ZoneView): boolean {
  return view.usesNsec3();
}

/**
 * The first signature over the node's set of `type`, also over its NSEC or NSEC3 record; 0 if there is none. The SOA
 * record's are found by `findSoaSignature`.
 */
export function findSignature(view: ZoneView, node: NodeIndex, type: number): SignatureIndex {
  return ofType(view, firstSignature(view, node), type);
}

/** Another signature over the same set, made by another key; 0 if there is none. */
export function findNextSignature(view: ZoneView, signature: SignatureIndex): SignatureIndex {
  const next = nextSignature(view, signature);
  const type = typeOfSignature(view.words, signature);
  return next !== 0 && typeOfSignature(view.words, next) === type ? next : 0;
}

/** The first signature over the SOA record; 0 if there is none. `findNextSignature` finds others. */
export function findSoaSignature(view: ZoneView): SignatureIndex {
  return view.isSigned() ? soaFirstSignature(view.words, view.soa()) : 0;
}

/** The first of all signatures of the node, in the order in which `nextSignature` goes on; those of the SOA are not among them. */
export function firstSignature({ words }: ZoneView, node: NodeIndex): SignatureIndex {
  return hasSignatures(words, node) ? (nodeSignaturesIndex(words, node) as SignatureIndex) : 0;
}

/** The next of all signatures of the node; 0 after the last one. */
export function nextSignature({ words, image }: ZoneView, signature: SignatureIndex): SignatureIndex {
  return nextInList(words, image, signature);
}

/** The type of the set that is signed. */
export function signatureType({ words }: ZoneView, signature: SignatureIndex): number {
  return typeOfSignature(words, signature);
}

export function signatureAlgorithm(view: ZoneView, signature: SignatureIndex): number {
  return runAlgorithm(view.words, runOf(view, signature));
}

export function signatureKeyTag(view: ZoneView, signature: SignatureIndex): number {
  return runKeyTag(view.words, runOf(view, signature));
}

/** Seconds since 1970, modulo 2^32, not negative. */
export function signatureInception(view: ZoneView, signature: SignatureIndex): number {
  return runInception(view.words, runOf(view, signature));
}

/** Seconds since 1970, modulo 2^32, not negative. */
export function signatureExpiration(view: ZoneView, signature: SignatureIndex): number {
  return runExpiration(view.words, runOf(view, signature));
}

/** Index into `view.bytes` of the octets of the signature. */
export function signatureStart({ words }: ZoneView, signature: SignatureIndex): number {
  return startOfSignature(words, signature);
}

/** Octets of the signature. */
export function signatureLength(view: ZoneView, signature: SignatureIndex): number {
  return runSignatureLength(view.words, runOf(view, signature));
}

/**
 * The owner of the NSEC record that matches or covers the suffix of `name` from `label` on: the last name of the chain at
 * or before it in canonical order (RFC 4034 section 6.1), beyond the end the last of all.
 *
 * @param name at or below the apex from `label` on
 * @returns 0 in a zone without a chain, and with NSEC3
 */
export function chainNode(view: ZoneView, name: NameScan, label: number): NodeIndex {
  if (!view.isSigned() || view.usesNsec3()) return 0;
  view.chain.key.setName(name, label, imageApexLength(view.words, view.image));
  return findInChain(view);
}

/**
 * The owner of the NSEC3 record that matches or covers a hash: the name of the chain with the last hash at or before it;
 * before the first one, the last of all. Empty non-terminals are among them.
 *
 * @param hash 20 octets
 * @returns 0 in a zone without a chain, and with NSEC
 */
export function hashedAtOrBefore(view: ZoneView, hash: Uint8Array): NodeIndex {
  if (!view.usesNsec3()) return 0;
  view.chain.key.setHash(hash, 0);
  return findInChain(view);
}

/**
 * The name after that of `node` in the chain; after the last one the first, which for NSEC is the apex. Cheapest right
 * after `node` was found.
 *
 * @param node from `chainNode`, `hashedAtOrBefore`, this function, or any that is in the chain
 */
export function nextInChain(view: ZoneView, node: NodeIndex): NodeIndex {
  const { chain } = view;
  if (!chain.isAt(view, view.version, node)) {
    chain.key.setNode(view, node);
    if (findInChain(view) === 0) return 0;
  }
  chain.next(view);
  return chain.node(view);
}

/** Index into `view.bytes` of the 20 octets of a node's hash; 0 if it has none. */
export function hashStart({ words }: ZoneView, node: NodeIndex): number {
  return hasHash(words, node) ? nodeHashIndex(words, node) * 4 : 0;
}

/** Whether the hash of the node is `hash` (20 octets): the node's NSEC3 record matches the name instead of covering it. */
export function hashMatches(view: ZoneView, node: NodeIndex, hash: Uint8Array): boolean {
  const start = hashStart(view, node);
  if (start === 0) return false;
  for (let i = 0; i < hash.length; i++) if (view.bytes[start + i] !== hash[i]) return false;
  return true;
}

/** The longest bitmap: all 256 windows of 32 octets, each with two octets before it (RFC 4034 section 4.1.2). */
export const MAX_TYPE_BITMAP_OCTETS = 256 * 34;

/**
 * Writes the type bitmap of the NSEC or NSEC3 record of a node in the chain, also of an empty non-terminal.
 *
 * @param into has `MAX_TYPE_BITMAP_OCTETS` left from `at`, or less where the types are known
 * @returns the octets written
 */
export function writeTypeBitmap(view: ZoneView, node: NodeIndex, into: Uint8Array, at: number): number {
  const { words } = view;
  let count = Math.min(nodeSetCount(words, node), MAX_TYPES);
  for (let i = 0; i < count; i++) types[i] = nodeSetType(words, node, i);
  if (nodeNameLength(words, node) === 0) types[count++] = SOA;
  const status = isDelegation(words, node) ? DELEGATION : AUTHORITATIVE;
  count = completeTypes(types, count, status, view.usesNsec3() ? 'nsec3' : 'nsec');
  return writeBitmap(types, count, into, at) - at;
}

function findInChain(view: ZoneView): NodeIndex {
  const { chain, version } = view;
  if (!chain.find(view, version)) {
    if (chain.block === 0) return 0;
    chain.previous(view);
  }
  return chain.node(view);
}

function ofType(view: ZoneView, first: SignatureIndex, type: number): SignatureIndex {
  let signature = first;
  while (signature !== 0 && typeOfSignature(view.words, signature) !== type)
    signature = nextSignature(view, signature);
  return signature;
}

function runOf({ words, image }: ZoneView, signature: SignatureIndex): RunIndex {
  return signatureRun(words, image, signature);
}
