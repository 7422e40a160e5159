/**
 * The writer's side of the zone space: which names are hosted, loading, changing and dropping zone images within the
 * space's bytes. Whatever fails for want of memory leaves the zone hosted but not loaded, so that the next query
 * loads it again: never a stale answer.
 */

import { assert } from '../base/assert.ts';
import type { DomainName } from '../dns/name.ts';
import { ImageArena } from './image-arena.ts';
import { ImageBuilder, type OwnerSets, type ZoneIdentity, type ZonePart } from './image-builder.ts';
import type { ImagePlace } from './image-place.ts';
import { NameScan } from './name-scan.ts';
import { finishSteps, type Steps } from '../base/steps.ts';
import {
  addToDirectory,
  directorySize,
  imageOf,
  isDirectoryFull,
  moveDirectory,
  NOT_LOADED,
  removeFromDirectory,
  setImage,
} from './zone-directory.ts';
import { header, HEADER_BYTES, imageVersion } from './zone-image.ts';
import { publishVersion, type SoaContent } from './zone-image-writer.ts';
import type { ZoneSpace } from './zone-space.ts';

/** Room for changes in an image that outgrew its block, beside the slack it gets in any case. */
const FIRST_EXTRA_BYTES = 1024;
const DIRECTORY_NAMES_AT_START = 1000;

export type { OwnerSets } from './image-builder.ts';

export interface ZoneContent extends ZoneIdentity {
  readonly soa: SoaContent;
}

export class ZoneMemory {
  readonly space: ZoneSpace;
  /** Names hosted, loaded or not. */
  hostedNames = 0;
  /** Zones whose image is shown. */
  loadedZones = 0;
  /** Images that made room for others since the start. */
  evictions = 0;
  private readonly arena: ImageArena;
  private readonly builder: ImageBuilder;
  private readonly name: NameScan;
  /** Of images that make room, while `name` is in use. */
  private readonly hidden: NameScan;
  private directoryBlock = -1;

  constructor(space: ZoneSpace) {
    this.space = space;
    this.arena = new ImageArena(space, (image) => this.hide(image));
    this.builder = new ImageBuilder(space, this.arena);
    this.name = new NameScan(space.seed);
    this.hidden = new NameScan(space.seed);
    this.growDirectory(DIRECTORY_NAMES_AT_START);
  }

  /** Bytes of the arena in use: images, directory, and what waits for readers to leave. */
  get usedBytes(): number {
    return this.arena.usedBytes;
  }

  /** Queries for the name are answered from now on, as soon as its image is loaded. */
  host(apex: DomainName): void {
    this.scan(apex);
    this.hostScanned();
  }

  /** `host` for many names at once, in the interface's spelling. */
  hostAll(names: readonly string[]): void {
    for (const name of names) {
      this.name.scanText(name);
      this.hostScanned();
    }
  }

  /** Makes room for so many names in all, which else is made step by step. */
  reserve(names: number): void {
    if (names > this.hostedNames) this.growDirectory(names);
  }

  isHosted(apex: DomainName): boolean {
    this.scan(apex);
    return imageOf(this.space, this.name) !== 0;
  }

  /** The name is hosted no more. */
  forget(apex: DomainName): void {
    this.scan(apex);
    const image = imageOf(this.space, this.name);
    if (image === 0) return;
    removeFromDirectory(this.space, this.name);
    this.hostedNames--;
    if (image !== NOT_LOADED) this.retireShown(image);
  }

  /** Domain and serial of the loaded image; undefined when none is loaded. */
  findLoaded(apex: DomainName): { readonly domainId: number; readonly serial: number } | undefined {
    this.scan(apex);
    const image = imageOf(this.space, this.name);
    if (image === 0 || image === NOT_LOADED) return undefined;
    const { words } = this.space;
    const base = image >> 2;
    return { domainId: words[base + header.domainId], serial: words[base + header.serial] >>> 0 };
  }

  /**
   * Compiles a zone and shows it to the readers; the name must be hosted.
   *
   * @param owners each owner once
   * @returns false when it does not fit into the space: what was loaded before is not changed
   */
  load(content: ZoneContent, owners: Iterable<OwnerSets>): boolean {
    const parts = partsOf(content, owners);
    return finishSteps(this.loading({ ...content, expectedRecords: 0 }, () => parts.next().value));
  }

  /**
   * `load` step by step. Nothing is seen before the last step, which shows the zone; a generator that is not run to
   * its end must be returned, so that its memory is free again. The name must be hosted at the last step.
   *
   * @param nextPart see `ImageBuilder.build`
   */
  *loading(
    zone: ZoneIdentity & { expectedRecords: number },
    nextPart: () => ZonePart | undefined,
  ): Steps<boolean> {
    const place = yield* this.builder.build(zone, nextPart);
    if (place === undefined) return false;
    this.scan(zone.apex);
    this.show(place.image);
    return true;
  }

  /**
   * Shows the new content of some owners of a loaded zone, all at once.
   *
   * @returns false when it does not fit into the space any more: the zone is not loaded then
   */
  update(content: ZoneContent, owners: readonly OwnerSets[]): boolean {
    this.scan(content.apex);
    const live = imageOf(this.space, this.name);
    assert(live !== 0 && live !== NOT_LOADED, 'only a loaded zone is updated');
    this.arena.pin(live);
    const place = this.putAll(live, content, [...owners, { soa: content.soa }]);
    this.arena.unpin(live);
    this.scan(content.apex);
    if (place === undefined) this.drop(content.apex);
    else if (place.image === live) publishVersion(place, imageVersion(place.words, live) + 1);
    else this.show(place.image);
    return place !== undefined;
  }

  /** The name stays hosted; its image goes, and the next query loads it anew. */
  drop(apex: DomainName): void {
    this.scan(apex);
    const image = imageOf(this.space, this.name);
    if (image === 0 || image === NOT_LOADED) return;
    setImage(this.space, this.name, NOT_LOADED);
    this.retireShown(image);
  }

  private retireShown(image: number): void {
    this.loadedZones--;
    this.arena.retire(image);
  }

  private hostScanned(): void {
    if (imageOf(this.space, this.name) !== 0) return;
    if (isDirectoryFull(this.space)) this.growDirectory(this.hostedNames * 2);
    addToDirectory(this.space, this.name, 0);
    this.hostedNames++;
  }

  /**
   * Puts all parts into the live image, unseen until published; where its room ends, into a copy that no reader sees
   * yet. Undefined when no room for the copy can be had.
   */
  private putAll(live: number, zone: ZoneIdentity, parts: readonly ZonePart[]): ImagePlace | undefined {
    const { words, bytes } = this.space;
    let place: ImagePlace = { words, bytes, image: live };
    let version = imageVersion(words, live) + 1;
    let extraBytes = FIRST_EXTRA_BYTES;
    for (const part of parts) {
      while (!this.builder.put(place, version, part, zone)) {
        const moved = finishSteps(this.builder.move(place, zone, extraBytes));
        if (place.image !== live) this.arena.freeUnseen(place.image);
        if (moved === undefined) return undefined;
        place = moved;
        version = 1;
        extraBytes *= 2;
      }
    }
    return place;
  }

  /** Readers see the image at `image` for `this.name` from now on. */
  private show(image: number): void {
    const former = imageOf(this.space, this.name);
    assert(former !== 0, 'a zone is hosted before it is loaded');
    this.space.words[(image >> 2) + header.referenced] = 1;
    setImage(this.space, this.name, image);
    this.arena.unpin(image);
    if (former === NOT_LOADED) this.loadedZones++;
    else this.arena.retire(former);
  }

  private hide(image: number): void {
    const { words, bytes } = this.space;
    const start = image + HEADER_BYTES;
    this.hidden.scan(bytes, start, start + words[(image >> 2) + header.apexLength]);
    setImage(this.space, this.hidden, NOT_LOADED);
    this.loadedZones--;
    this.evictions++;
  }

  private growDirectory(names: number): void {
    const block = this.arena.allocatePinned(directorySize(names));
    assert(block !== undefined, `room for a directory of ${names} names: raise the zone memory`);
    const former = this.directoryBlock;
    this.directoryBlock = block.offset;
    moveDirectory(this.space, block.offset, block.sizeBytes);
    if (former !== -1) this.arena.retire(former);
  }

  private scan(apex: DomainName): void {
    assert(this.name.scan(apex, 0, apex.length) === apex.length, 'a well-formed apex');
  }
}

function* partsOf({ soa }: ZoneContent, owners: Iterable<OwnerSets>): Generator<ZonePart, undefined> {
  yield* owners;
  yield { soa };
}
