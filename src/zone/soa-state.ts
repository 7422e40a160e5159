/**
 * A state of an image's SOA record, valid from a version until a newer state is.
 *
 *     │ version │ previous state │ record set │ TTL in negative answers │
 *     … in a signed zone │ bytes of signatures │ signatures │
 */

import type { ImageOffset, ImageStart, SetOffset, SignatureIndex, SoaIndex } from './image-offsets.ts';
import { isSignedImage, newestSoaOffset, type ImagePlace } from './zone-image.ts';

const VERSION = 0;
const PREVIOUS = 1;
const SET = 2;
const NEGATIVE_TTL = 3;
const SIGNATURES_BYTES = 4;
const SIGNATURES = 5;

/** Bytes of a state, without signatures. */
export function soaStateBytes(place: ImagePlace): number {
  return (isSignedImage(place) ? SIGNATURES : SIGNATURES_BYTES) * 4;
}

/** The state that is valid in `version`. */
export function findSoa(words: Int32Array, image: ImageStart, version: number): SoaIndex {
  let offset = newestSoaOffset(words, image);
  for (;;) {
    const soa = soaAt(image, offset);
    const previous = words[soa + PREVIOUS] as ImageOffset;
    if (words[soa + VERSION] <= version || previous === 0) return soa;
    offset = previous;
  }
}

export function soaAt(image: ImageStart, offset: ImageOffset): SoaIndex {
  return ((image + offset) >> 2) as SoaIndex;
}

export function soaSetOffset(words: Int32Array, soa: SoaIndex): ImageOffset {
  return words[soa + SET] as ImageOffset;
}

export function soaSet(words: Int32Array, image: ImageStart, soa: SoaIndex): SetOffset {
  return (image + words[soa + SET]) as SetOffset;
}

/** TTL of the SOA record in negative answers (RFC 2308 section 3). */
export function soaNegativeTtl(words: Int32Array, soa: SoaIndex): number {
  return words[soa + NEGATIVE_TTL];
}

/** The first signature of the state, which is in a signed zone; 0 if it has none. */
export function soaFirstSignature(words: Int32Array, soa: SoaIndex): SignatureIndex {
  return words[soa + SIGNATURES_BYTES] === 0 ? 0 : ((soa + SIGNATURES) as SignatureIndex);
}

/** Bytes of the signatures. */
export function soaSignaturesBytes(place: ImagePlace, soa: SoaIndex): number {
  return isSignedImage(place) ? place.words[soa + SIGNATURES_BYTES] : 0;
}

/**
 * Makes room for signatures in a state of a signed zone.
 *
 * @returns the word at which they begin
 */
export function setSoaSignaturesBytes(words: Int32Array, soa: SoaIndex, bytes: number): number {
  words[soa + SIGNATURES_BYTES] = bytes;
  return soa + SIGNATURES;
}

export function writeSoaState(
  words: Int32Array,
  soa: SoaIndex,
  state: {
    readonly version: number;
    readonly previous: ImageOffset;
    readonly set: ImageOffset;
    readonly negativeTtl: number;
  },
): void {
  words[soa + VERSION] = state.version;
  words[soa + PREVIOUS] = state.previous;
  words[soa + SET] = state.set;
  words[soa + NEGATIVE_TTL] = state.negativeTtl;
}
