/** Record sets of an image that is being written. */

import { encodeRecordSet, type RecordSet } from './encode-record-set.ts';
import type { ImageOffset, SetOffset } from './image-offsets.ts';
import { rrsetSizeBytes } from './record-set-block.ts';
import { allocate, imageUsedBytes, type ImagePlace } from './zone-image.ts';

/** Appends a set to the image, which must have room for `recordSetSizeLimit()`. */
export function appendSet(place: ImagePlace, set: RecordSet, apex: Uint8Array): ImageOffset {
  const { words, image } = place;
  const at = (image + imageUsedBytes(words, image)) as SetOffset;
  return allocate(place, encodeRecordSet(place, at, set, apex));
}

/** Bytes of a set of the image. */
export function setBytes({ words, image }: ImagePlace, offset: ImageOffset): number {
  return rrsetSizeBytes(words, (image + offset) as SetOffset);
}
