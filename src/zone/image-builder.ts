/**
 * Builds images from the parts of a zone, and larger or tighter copies of images. Works in steps, so that a large zone
 * does not block the thread. Never shows an image to readers.
 *
 *     parts ─▶ private memory, up to 1 MiB ─▶ block of the arena, as large as all records are expected to need
 *                   └── small zone: block of the arena, as large as it needs
 */

import { finishSteps, type Steps } from '../base/steps.ts';
import type { DomainName } from '../dns/name.ts';
import type { RecordSet } from './encode-record-set.ts';
import type { ImageArena } from './image-arena.ts';
import { NO_IMAGE, type ImageStart } from './image-offsets.ts';
import { createImage, imageBytesFor, liveBytes } from './image-room.ts';
import { NameScan } from './name-scan.ts';
import { copyImage } from './zone-image-copy.ts';
import {
  imageNames,
  imageSizeBytes,
  isSignedImage,
  type ImagePlace,
  type ZoneIdentity,
} from './zone-image.ts';
import type { OwnerSigning } from './owner-signing.ts';
import { putSoa, type SoaContent } from './soa-writer.ts';
import { putOwner } from './zone-image-writer.ts';
import type { ZoneSpace } from './zone-space.ts';

/** Room for later changes in an image that outgrew its block, as a share of its content. */
const SLACK = 0.25;
/** Size of the private memory in which every zone starts; one such memory is kept for the next zone. */
const SCRATCH_BYTES = 65_536;
/**
 * Largest image in private memory, which only a few zones use at a time. Its 8,000 or so names show how much a name of
 * the zone takes on average, so that the first block in the arena is usually the final one; copying it takes 2 ms.
 */
const PRIVATE_BYTES = 2 ** 20;
/** About what a name takes with its data, so that the memory and its table fill up together. */
const BYTES_PER_NAME = 128;
const BYTES_PER_SIGNED_NAME = 256;
/** Margin for the first names, which usually take less than the average name. */
const ESTIMATE_MARGIN = 0.125;

/** All records of one owner name. */
export interface OwnerSets {
  /** Absolute. */
  readonly owner: DomainName;
  readonly sets: readonly RecordSet[];
  /** In a signed zone, of which the apex must come first. */
  readonly signing?: OwnerSigning;
}

export type ZonePart = OwnerSets | { readonly soa: SoaContent };

export class ImageBuilder {
  private readonly space: ZoneSpace;
  private readonly arena: ImageArena;
  private readonly owner: NameScan;
  private spareScratch: Int32Array | undefined;

  constructor(space: ZoneSpace, arena: ImageArena) {
    this.space = space;
    this.arena = arena;
    this.owner = new NameScan(space.seed);
  }

  /** Puts a part, valid from `version` on; false, with nothing changed, if there is no room. */
  put(place: ImagePlace, version: number, part: ZonePart, { apex }: ZoneIdentity): boolean {
    if ('soa' in part) return putSoa(place, version, part.soa, apex);
    this.owner.scan(part.owner, 0, part.owner.length);
    return putOwner(place, version, this.owner, part.sets, apex, part.signing);
  }

  /**
   * Builds a zone's image in a pinned block of its own, one part per step.
   *
   * @param zone `expectedRecords` is an estimate; 0 means unknown
   * @param nextPart returns undefined if no part is left at the moment. It is called again after the image was tightened;
   *   if it returns undefined then too, the image is finished in the same step.
   * @returns undefined if the image does not fit into the zone space
   */
  *build(
    zone: ZoneIdentity & { readonly expectedRecords: number },
    nextPart: () => ZonePart | undefined,
  ): Steps<ImagePlace | undefined> {
    let place = this.createScratch(zone, SCRATCH_BYTES);
    let isBuilt = false;
    let isTight = false;
    let records = 0;
    try {
      for (;;) {
        const part = nextPart();
        if (part === undefined) {
          isBuilt = isTight;
          if (isBuilt) return place;
          const tight = yield* this.tighten(place, zone);
          if (tight === undefined) return undefined;
          place = tight;
          isTight = true;
          continue;
        }
        while (!this.put(place, 1, part, zone)) {
          const larger = yield* this.enlarge(place, zone, zone.expectedRecords / records);
          if (larger === undefined) return undefined;
          place = larger;
        }
        if ('sets' in part) for (const set of part.sets) records += set.rdatas.length;
        yield;
      }
    } finally {
      if (!isBuilt) this.release(place);
    }
  }

  /** Copies an image into a pinned block with room for changes; returns undefined if there is no memory for it. */
  *move(from: ImagePlace, zone: ZoneIdentity, extraBytes: number): Steps<ImagePlace | undefined> {
    const names = Math.ceil(
      imageNames(from.words, from.image) * (1 + SLACK) + extraBytes / bytesPerName(from),
    );
    const sizeBytes = imageBytesFor(liveBytes(from) * (1 + SLACK) + extraBytes, names);
    return yield* this.copyToArena(from, zone, sizeBytes, names);
  }

  /** Moves the image to the smallest block that holds it, unless it is there. Releases `from` if the image moved. */
  private *tighten(from: ImagePlace, zone: ZoneIdentity): Steps<ImagePlace | undefined> {
    const names = imageNames(from.words, from.image);
    const sizeBytes = imageBytesFor(liveBytes(from), names);
    if (this.isInArena(from) && this.arena.blockBytes(sizeBytes) >= imageSizeBytes(from.words, from.image))
      return from;
    const moved = yield* this.copyToArena(from, zone, sizeBytes, names);
    if (moved === undefined) return this.isInArena(from) ? from : undefined;
    this.release(from);
    return moved;
  }

  /** Moves the image to a block at least twice as large, and releases `from`. */
  private *enlarge(
    from: ImagePlace,
    zone: ZoneIdentity,
    expectedGrowth: number,
  ): Steps<ImagePlace | undefined> {
    const larger = yield* this.copyLarger(from, zone, expectedGrowth);
    if (larger !== undefined) this.release(from);
    return larger;
  }

  private *copyLarger(
    from: ImagePlace,
    zone: ZoneIdentity,
    expectedGrowth: number,
  ): Steps<ImagePlace | undefined> {
    const twice = imageSizeBytes(from.words, from.image) * 2;
    const names = Math.max(imageNames(from.words, from.image) * 2, Math.ceil(twice / bytesPerName(from)));
    if (!this.isInArena(from) && twice <= PRIVATE_BYTES) {
      const to = this.createScratch(zone, twice, names);
      yield* copyImage(from, to);
      return to;
    }
    const growth = this.isInArena(from) ? 0 : expectedGrowth * (1 + ESTIMATE_MARGIN);
    const expectedNames = Math.ceil(imageNames(from.words, from.image) * growth);
    const expected = imageBytesFor(liveBytes(from) * growth, expectedNames);
    if (expected > twice && expected <= this.space.bytes.length) {
      const to = yield* this.copyToArena(from, zone, expected, expectedNames);
      if (to !== undefined) return to;
      // The margin may need a block twice as large. Growing by steps would need several blocks at a time.
      const exactNames = Math.ceil(imageNames(from.words, from.image) * expectedGrowth);
      const exact = imageBytesFor(liveBytes(from) * expectedGrowth, exactNames);
      if (exact > twice && this.arena.blockBytes(exact) < this.arena.blockBytes(expected)) {
        const exactly = yield* this.copyToArena(from, zone, exact, exactNames);
        if (exactly !== undefined) return exactly;
      }
    }
    return yield* this.copyToArena(from, zone, twice, names);
  }

  private *copyToArena(
    from: ImagePlace,
    zone: ZoneIdentity,
    sizeBytes: number,
    names: number,
  ): Steps<ImagePlace | undefined> {
    const block = this.arena.allocatePinned(sizeBytes, zone.account);
    if (block === undefined) return undefined;
    const { words, bytes } = this.space;
    const to = { words, bytes, image: block.offset as ImageStart };
    let isCopied = false;
    try {
      yield* createImage(to, zone, block.sizeBytes, names);
      yield* copyImage(from, to);
      isCopied = true;
      return to;
    } finally {
      if (!isCopied) this.arena.freeUnseen(block.offset);
    }
  }

  private createScratch(
    zone: ZoneIdentity,
    sizeBytes: number,
    names = sizeBytes / BYTES_PER_NAME,
  ): ImagePlace {
    const words = this.takeScratch(sizeBytes);
    const place = { words, bytes: new Uint8Array(words.buffer), image: NO_IMAGE };
    finishSteps(createImage(place, zone, sizeBytes, names));
    return place;
  }

  private takeScratch(sizeBytes: number): Int32Array {
    const spare = this.spareScratch;
    if (spare === undefined || sizeBytes !== SCRATCH_BYTES) return new Int32Array(sizeBytes / 4);
    this.spareScratch = undefined;
    return spare;
  }

  private release(place: ImagePlace): void {
    if (this.isInArena(place)) this.arena.freeUnseen(place.image);
    else if (place.words.byteLength === SCRATCH_BYTES) this.spareScratch = place.words;
  }

  private isInArena(place: ImagePlace): boolean {
    return place.words === this.space.words;
  }
}

function bytesPerName(place: ImagePlace): number {
  return isSignedImage(place) ? BYTES_PER_SIGNED_NAME : BYTES_PER_NAME;
}
