/**
 * A state of an image's SOA record, valid from a version until a newer state is.
 *
 *     │ version │ previous state │ record set │ TTL in negative answers │
 */

import type { ImageOffset, ImageStart, SetOffset, SoaIndex } from './image-offsets.ts';
import { newestSoaOffset } from './zone-image.ts';

const VERSION = 0;
const PREVIOUS = 1;
const SET = 2;
const NEGATIVE_TTL = 3;
export const SOA_STATE_BYTES = 16;

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
