/**
 * Makes images: a zone's from its parts, and larger or tighter copies of one. Steps by steps, so that a large zone need
 * not be built in one go. Never shows an image to readers.
 *
 *     parts ─▶ private memory, up to 1 MiB ─▶ block of the arena, as large as all records are expected to need
 *                   └── small zone: block of the arena, as large as it needs
 */

import type { DomainName } from '../dns/name.ts';
import type { ImageArena } from './image-arena.ts';
import { createImage, imageNames, imageSize, liveBytes, type ImagePlace } from './image-place.ts';
import { NameScan } from './name-scan.ts';
import type { RecordSet } from './record-set-block.ts';
import { finishSteps, type Steps } from '../base/steps.ts';
import { copyImage } from './zone-image-copy.ts';
import { header } from './zone-image.ts';
import { putOwner, putSoa, type SoaContent } from './zone-image-writer.ts';
import type { ZoneSpace } from './zone-space.ts';

/** Room for changes to come in an image that outgrew its block, as a share of what it holds. */
const SLACK = 0.25;
/** Zones are begun here; one of this size is kept for the next zone. */
const SCRATCH_BYTES = 65_536;
/**
 * So much is built in private memory, of which only a few zones hold any at a time. Some 8,000 names show what a
 * name of the zone takes on average, so that the block in the arena mostly is the last; and a copy of it takes 2 ms.
 */
const PRIVATE_BYTES = 2 ** 20;
/** A name with its data takes about this much, so that the memory and its table run full together. */
const BYTES_PER_NAME = 128;
/** What the first names lie below the average of all, mostly. */
const ESTIMATE_MARGIN = 0.125;

export interface ZoneIdentity {
  /** Lower case. */
  readonly apex: DomainName;
  readonly domainId: number;
}

/** All records of one owner name. */
export interface OwnerSets {
  /** Absolute. */
  readonly owner: DomainName;
  readonly sets: readonly RecordSet[];
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

  /** Puts a part as of `version`, in place of what was there; false, with nothing changed, when there is no room. */
  put(place: ImagePlace, version: number, part: ZonePart, { apex }: ZoneIdentity): boolean {
    if ('soa' in part) return putSoa(place, version, part.soa, apex);
    this.owner.scan(part.owner, 0, part.owner.length);
    return putOwner(place, version, this.owner, part.sets, apex);
  }

  /**
   * Builds a zone's image in a pinned block of its own, a step a part.
   *
   * @param zone `expectedRecords`: about how many there are; 0: unknown
   * @param nextPart undefined: none is left at the moment. It is asked again as long as there is work left, and when it says
   *   so last, the image is done in the same step.
   * @returns undefined when it does not fit into the space
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

  /** A copy in a pinned block of its own, with room for changes; undefined when there is no memory for it. */
  *move(from: ImagePlace, zone: ZoneIdentity, extraBytes: number): Steps<ImagePlace | undefined> {
    const names = Math.ceil(imageNames(from) * (1 + SLACK) + extraBytes / BYTES_PER_NAME);
    const sizeBytes = imageSize(liveBytes(from) * (1 + SLACK) + extraBytes, names);
    return yield* this.copyToArena(from, zone, sizeBytes, names);
  }

  /** Without room that it does not need: in the smallest block that holds it. `from` is released if it moved. */
  private *tighten(from: ImagePlace, zone: ZoneIdentity): Steps<ImagePlace | undefined> {
    const names = imageNames(from);
    const sizeBytes = imageSize(liveBytes(from), names);
    if (this.isInArena(from) && this.arena.blockBytes(sizeBytes) >= imageBytes(from)) return from;
    const moved = yield* this.copyToArena(from, zone, sizeBytes, names);
    if (moved === undefined) return this.isInArena(from) ? from : undefined;
    this.release(from);
    return moved;
  }

  /** At least twice as large; `from` is released. */
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
    const twice = imageBytes(from) * 2;
    const names = Math.max(imageNames(from) * 2, Math.ceil(twice / BYTES_PER_NAME));
    if (!this.isInArena(from) && twice <= PRIVATE_BYTES) {
      const to = this.createScratch(zone, twice, names);
      yield* copyImage(from, to);
      return to;
    }
    const growth = this.isInArena(from) ? 0 : expectedGrowth * (1 + ESTIMATE_MARGIN);
    const expectedNames = Math.ceil(imageNames(from) * growth);
    const expected = imageSize(liveBytes(from) * growth, expectedNames);
    if (expected > twice && expected <= this.space.bytes.length) {
      const to = yield* this.copyToArena(from, zone, expected, expectedNames);
      if (to !== undefined) return to;
    }
    return yield* this.copyToArena(from, zone, twice, names);
  }

  private *copyToArena(
    from: ImagePlace,
    { apex, domainId }: ZoneIdentity,
    sizeBytes: number,
    names: number,
  ): Steps<ImagePlace | undefined> {
    const block = this.arena.allocatePinned(sizeBytes);
    if (block === undefined) return undefined;
    const { words, bytes } = this.space;
    const to = { words, bytes, image: block.offset };
    let isCopied = false;
    try {
      yield* createImage(to, block.sizeBytes, apex, domainId, names);
      yield* copyImage(from, to);
      isCopied = true;
      return to;
    } finally {
      if (!isCopied) this.arena.freeUnseen(block.offset);
    }
  }

  private createScratch(
    { apex, domainId }: ZoneIdentity,
    sizeBytes: number,
    names = sizeBytes / BYTES_PER_NAME,
  ): ImagePlace {
    const words = this.takeScratch(sizeBytes);
    const place = { words, bytes: new Uint8Array(words.buffer), image: 0 };
    finishSteps(createImage(place, sizeBytes, apex, domainId, names));
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

function imageBytes({ words, image }: ImagePlace): number {
  return words[(image >> 2) + header.size];
}
