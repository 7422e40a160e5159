/**
 * Signatures in a zone image, without what follows from the set that is signed and from its zone:
 *
 *     │ type, last?, distance │ run, if the distance is 0 │ octets │ type, last?, distance │ octets │ …
 *     run: │ key tag, algorithm, octets of a signature │ inception │ expiration │ previous run │
 *
 * A run holds what the signatures of one signing have in common; thousands of names refer to the same one. The distance
 * leads back, in words, to the reference of an earlier signature of the list with the same run.
 */

import type { StoredSignature } from '../dns/stored-signature.ts';
import { alignToWord } from './align-to-word.ts';
import type { ImageOffset, ImageStart, RunIndex, SignatureIndex } from './image-offsets.ts';
import { allocateCounted, lastRunOffset, setLastRunOffset, type ImagePlace } from './zone-image.ts';

const LAST = 0x10000;
const DISTANCE_SHIFT = 17;
const MAX_DISTANCE = 0x7fff;

// Words of a run.
const KEY = 0;
const INCEPTION = 1;
const EXPIRATION = 2;
/** Only the writer reads it. */
const PREVIOUS = 3;
const RUN_BYTES = 16;

// Parts of a run's first word, above the key tag. No algorithm with a number of its own is beyond 23.
const ALGORITHM_SHIFT = 16;
const MAX_ALGORITHM = 0x3f;
const LENGTH_SHIFT = 22;
/** An RSA key of 4,096 bits, the largest that validators accept, makes signatures of 512 octets (RFC 3110 section 2). */
const MAX_SIGNATURE_OCTETS = 0x3ff;

/** Runs that the writer compares: during a rollover, two keys sign in turn. */
const COMPARED_RUNS = 4;

/** Whether the layout can hold the signature; all that our keys make can be held. */
export function isStorable({ algorithm, signature }: StoredSignature): boolean {
  return algorithm <= MAX_ALGORITHM && signature.length > 0 && signature.length <= MAX_SIGNATURE_OCTETS;
}

export function signatureType(words: Int32Array, signature: SignatureIndex): number {
  return words[signature] & 0xffff;
}

/** The signature after it in the list; 0 after the last one. */
export function nextInList(words: Int32Array, image: ImageStart, signature: SignatureIndex): SignatureIndex {
  return (words[signature] & LAST) === 0 ? (listEnd(words, image, signature) as SignatureIndex) : 0;
}

/** Bytes from the start of the memory to the octets of the signature. */
export function signatureStart(words: Int32Array, signature: SignatureIndex): number {
  return words[signature] >>> DISTANCE_SHIFT === 0 ? (signature + 2) * 4 : (signature + 1) * 4;
}

/** The run of the signature. */
export function signatureRun(words: Int32Array, image: ImageStart, signature: SignatureIndex): RunIndex {
  const distance = words[signature] >>> DISTANCE_SHIFT;
  const reference = distance === 0 ? signature + 1 : signature - distance;
  return ((image + words[reference]) >> 2) as RunIndex;
}

export function runKeyTag(words: Int32Array, run: RunIndex): number {
  return words[run + KEY] & 0xffff;
}

export function runAlgorithm(words: Int32Array, run: RunIndex): number {
  return (words[run + KEY] >>> ALGORITHM_SHIFT) & MAX_ALGORITHM;
}

/** Octets of each signature. */
export function runSignatureLength(words: Int32Array, run: RunIndex): number {
  return words[run + KEY] >>> LENGTH_SHIFT;
}

/** Seconds since 1970, modulo 2^32. */
export function runInception(words: Int32Array, run: RunIndex): number {
  return words[run + INCEPTION] >>> 0;
}

export function runExpiration(words: Int32Array, run: RunIndex): number {
  return words[run + EXPIRATION] >>> 0;
}

/** Bytes of the list, without its runs. */
export function listBytes(words: Int32Array, image: ImageStart, first: SignatureIndex): number {
  let last = first;
  for (let next = first; next !== 0; next = nextInList(words, image, next)) last = next;
  return (listEnd(words, image, last) - first) * 4;
}

/** The word after the octets of the signature. */
function listEnd(words: Int32Array, image: ImageStart, signature: SignatureIndex): number {
  const length = runSignatureLength(words, signatureRun(words, image, signature));
  return (signatureStart(words, signature) + alignToWord(length)) >> 2;
}

/** Bytes that the signatures take at most in a list with all their runs. */
export function signaturesSizeLimit(signatures: readonly StoredSignature[]): number {
  let size = 0;
  for (const { signature } of signatures) size += 8 + alignToWord(signature.length) + RUN_BYTES;
  return size;
}

/** Bytes of the list that `writeSignatures` makes, without runs. */
export function signaturesBytes(signatures: readonly StoredSignature[]): number {
  const references: Reference[] = [];
  let at = 0;
  for (const signature of signatures) at = endOf(signature, at, findReference(references, signature, at));
  return at * 4;
}

/** Writes a list of one or more signatures at a word with room for `signaturesBytes`, and the runs that are missing. */
export function writeSignatures(
  place: ImagePlace,
  first: number,
  signatures: readonly StoredSignature[],
): void {
  const { words, bytes } = place;
  const references: Reference[] = [];
  let at = first;
  signatures.forEach((signature, i) => {
    const distance = findReference(references, signature, at);
    const last = i === signatures.length - 1 ? LAST : 0;
    words[at] = signature.type | last | (distance << DISTANCE_SHIFT);
    if (distance === 0) words[at + 1] = offsetOfRun(place, signature);
    bytes.set(signature.signature, signatureStart(words, at as SignatureIndex));
    at = endOf(signature, at, distance);
  });
}

/** Copies a list to a word with room for `listBytes`; `runs` has the offsets of copied runs by those of the originals. */
export function copySignatures(
  from: ImagePlace,
  first: SignatureIndex,
  to: ImagePlace,
  copy: number,
  runs: Map<number, ImageOffset>,
): void {
  const size = listBytes(from.words, from.image, first) / 4;
  to.words.set(from.words.subarray(first, first + size), copy);
  for (let next = first; next !== 0; next = nextInList(from.words, from.image, next)) {
    if (from.words[next] >>> DISTANCE_SHIFT !== 0) continue;
    const reference = next + 1;
    to.words[reference - first + copy] = copyRun(from, from.words[reference], to, runs);
  }
}

/** A signature that names its run, and the word at which it does. */
interface Reference {
  readonly signature: StoredSignature;
  readonly at: number;
}

/** The distance to an earlier reference to the same run; 0, and the signature is noted, if there is none. */
function findReference(references: Reference[], signature: StoredSignature, at: number): number {
  const found = references.find(
    (each) => isSameRun(each.signature, signature) && at - each.at <= MAX_DISTANCE,
  );
  if (found !== undefined) return at - found.at;
  references.push({ signature, at: at + 1 });
  return 0;
}

function endOf({ signature }: StoredSignature, at: number, distance: number): number {
  return at + (distance === 0 ? 2 : 1) + alignToWord(signature.length) / 4;
}

function isSameRun(one: StoredSignature, other: StoredSignature): boolean {
  return (
    keyWord(one) === keyWord(other) &&
    one.inception === other.inception &&
    one.expiration === other.expiration
  );
}

/** The offset of an equal run among the latest, or of a new one. */
function offsetOfRun(place: ImagePlace, signature: StoredSignature): ImageOffset {
  const { words, image } = place;
  const key = keyWord(signature);
  const latest = lastRunOffset(words, image);
  let offset = latest;
  for (let compared = 0; offset !== 0 && compared < COMPARED_RUNS; compared++) {
    const run = (image + offset) >> 2;
    const isEqual =
      words[run + KEY] === key &&
      words[run + INCEPTION] === (signature.inception | 0) &&
      words[run + EXPIRATION] === (signature.expiration | 0);
    if (isEqual) return offset;
    offset = words[run + PREVIOUS] as ImageOffset;
  }
  return appendRun(place, key, signature.inception, signature.expiration);
}

function appendRun(place: ImagePlace, key: number, inception: number, expiration: number): ImageOffset {
  const { words, image } = place;
  const offset = allocateCounted(place, RUN_BYTES);
  const run = (image + offset) >> 2;
  words[run + KEY] = key;
  words[run + INCEPTION] = inception;
  words[run + EXPIRATION] = expiration;
  words[run + PREVIOUS] = lastRunOffset(words, image);
  setLastRunOffset(words, image, offset);
  return offset;
}

function copyRun(
  { words, image }: ImagePlace,
  offset: number,
  to: ImagePlace,
  runs: Map<number, ImageOffset>,
): ImageOffset {
  const found = runs.get(offset);
  if (found !== undefined) return found;
  const run = (image + offset) >> 2;
  const copy = appendRun(to, words[run + KEY], words[run + INCEPTION], words[run + EXPIRATION]);
  runs.set(offset, copy);
  return copy;
}

function keyWord({ keyTag, algorithm, signature }: StoredSignature): number {
  return keyTag | (algorithm << ALGORITHM_SHIFT) | (signature.length << LENGTH_SHIFT);
}
