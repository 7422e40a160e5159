/**
 * The writer's side of the zone space: the names that are hosted, and loading, changing and dropping zone images within
 * the size of the space. If an operation fails because the memory is full, the zone stays hosted but is not loaded, so
 * that the next query loads it again: no answer is ever stale.
 */

import { assert } from '../base/assert.ts';
import { finishSteps, type Steps } from '../base/steps.ts';
import type { DomainName } from '../dns/name.ts';
import type { Denial } from '../dns/proven-types.ts';
import { ImageArena } from './image-arena.ts';
import { ImageBuilder, type OwnerSets, type ZonePart } from './image-builder.ts';
import type { BlockOffset, ImageStart } from './image-offsets.ts';
import { NameScan, secondHash } from './name-scan.ts';
import {
  addAllToDirectory,
  addToDirectory,
  directorySize,
  hasRoomFor,
  imageOf,
  isDirectoryFull,
  moveDirectory,
  NOT_LOADED,
  removeFromDirectory,
  setImage,
} from './zone-directory.ts';
import {
  imageApexLength,
  imageApexStart,
  imageDenial,
  imageDomainId,
  imageSerial,
  imageVersion,
  publishVersion,
  setReferenced,
  type ImagePlace,
  type ZoneIdentity,
} from './zone-image.ts';
import type { SoaContent } from './soa-writer.ts';
import type { ZoneSpace } from './zone-space.ts';

/** Room for changes in an image that outgrew its block, in addition to the slack that every moved image gets. */
const FIRST_EXTRA_BYTES = 1024;
const DIRECTORY_NAMES_AT_START = 1000;

export type { OwnerSets } from './image-builder.ts';

export interface ZoneContent extends ZoneIdentity {
  readonly soa: SoaContent;
}

/** A zone whose image readers see. */
export interface LoadedZone {
  readonly domainId: number;
  readonly serial: number;
  /** The kind of the chain of a signed zone. */
  readonly denial: Denial | undefined;
}

export class ZoneMemory {
  readonly space: ZoneSpace;
  /** Hosted names, loaded or not. */
  hostedNames = 0;
  /** Zones whose image readers see. */
  loadedZones = 0;
  /** Images dropped to make room for others since the start. */
  evictions = 0;
  private readonly arena: ImageArena;
  private readonly builder: ImageBuilder;
  private readonly name: NameScan;
  /** The name of an image that is dropped to make room, while `name` is in use. */
  private readonly hidden: NameScan;
  private directoryBlock: BlockOffset | undefined;

  constructor(space: ZoneSpace) {
    this.space = space;
    this.arena = new ImageArena(space, (image) => this.hide(image));
    this.builder = new ImageBuilder(space, this.arena);
    this.name = new NameScan(space.seed);
    this.hidden = new NameScan(space.seed);
    assert(this.growDirectory(DIRECTORY_NAMES_AT_START), 'room for the first directory');
  }

  /** Bytes of the arena in use: images, the directory, and blocks that wait for readers to leave. */
  get usedBytes(): number {
    return this.arena.usedBytes;
  }

  /**
   * Hosts a name: queries for it are answered as soon as its image is loaded.
   *
   * @returns false if the directory is full and cannot grow; the name is then not hosted
   */
  host(apex: DomainName): boolean {
    this.scan(apex);
    return this.hostScanned();
  }

  /**
   * Hosts many names, given as lower-case text without a trailing dot, before any zone is loaded or any reader started.
   *
   * @returns the number of names for which there is no room
   */
  hostAll(names: readonly string[]): number {
    if (!hasRoomFor(this.space, names.length)) return this.hostOneByOne(names);
    assert(this.loadedZones === 0, 'no zone is loaded yet');
    const hashes = new Int32Array(names.length);
    const secondHashes = new Int32Array(names.length);
    for (let i = 0; i < names.length; i++) {
      this.name.scanText(names[i]);
      hashes[i] = this.name.hashes[0];
      secondHashes[i] = secondHash(this.name, 0);
    }
    this.hostedNames += addAllToDirectory(this.space, hashes, secondHashes);
    return 0;
  }

  /** Makes room for `names` names in total at once, if possible, instead of growing the directory step by step. */
  reserve(names: number): void {
    if (names > this.hostedNames) this.growDirectory(names);
  }

  isHosted(apex: DomainName): boolean {
    this.scan(apex);
    return imageOf(this.space, this.name) !== 0;
  }

  /** Stops hosting the name. */
  forget(apex: DomainName): void {
    this.scan(apex);
    const image = imageOf(this.space, this.name);
    if (image === 0) return;
    removeFromDirectory(this.space, this.name);
    this.hostedNames--;
    if (image !== NOT_LOADED) this.retireShown(image);
  }

  /** The loaded image; undefined if none is loaded. */
  findLoaded(apex: DomainName): LoadedZone | undefined {
    this.scan(apex);
    const image = imageOf(this.space, this.name);
    if (image === 0 || image === NOT_LOADED) return undefined;
    const { words } = this.space;
    const denial = imageDenial(words, image);
    return { domainId: imageDomainId(words, image), serial: imageSerial(words, image), denial };
  }

  /**
   * Compiles a zone and shows it to the readers; the name must be hosted.
   *
   * @param owners contains each owner once
   * @returns false if the zone does not fit into the space; a loaded image of it stays unchanged
   */
  load(content: ZoneContent, owners: Iterable<OwnerSets>): boolean {
    const parts = partsOf(content, owners);
    return finishSteps(this.loading({ ...content, expectedRecords: 0 }, () => parts.next().value));
  }

  /**
   * Loads a zone like `load()`, step by step. The last step shows the zone; readers see nothing before. A generator that
   * is not run to its end must be returned, to free its memory. The name must be hosted at the last step.
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
   * Shows the new content of some owners of a loaded zone at once.
   *
   * @returns false if the zone no longer fits into the space; it is then no longer loaded
   */
  update(content: Omit<ZoneContent, 'account'>, owners: readonly OwnerSets[]): boolean {
    this.scan(content.apex);
    const live = imageOf(this.space, this.name);
    assert(live !== 0 && live !== NOT_LOADED, 'only a loaded zone is updated');
    this.arena.pin(live);
    const zone = { ...content, account: this.arena.accountOf(live) ?? '' };
    const place = this.putAll(live, zone, [...owners, { soa: content.soa }]);
    this.arena.unpin(live);
    this.scan(content.apex);
    if (place === undefined) this.drop(content.apex);
    else if (place.image === live) publishVersion(place.words, live, imageVersion(place.words, live) + 1);
    else this.show(place.image);
    return place !== undefined;
  }

  /** Drops the name's image. The name stays hosted, and the next query loads it again. */
  drop(apex: DomainName): void {
    this.scan(apex);
    const image = imageOf(this.space, this.name);
    if (image === 0 || image === NOT_LOADED) return;
    setImage(this.space, this.name, NOT_LOADED);
    this.retireShown(image);
  }

  private retireShown(image: ImageStart): void {
    this.loadedZones--;
    this.arena.retire(image);
  }

  private hostOneByOne(names: readonly string[]): number {
    let refused = 0;
    for (const name of names) {
      this.name.scanText(name);
      if (!this.hostScanned()) refused++;
    }
    return refused;
  }

  private hostScanned(): boolean {
    if (imageOf(this.space, this.name) !== 0) return true;
    if (isDirectoryFull(this.space, this.hostedNames) && !this.makeRoom()) return false;
    addToDirectory(this.space, this.name, 0);
    this.hostedNames++;
    return true;
  }

  /** Grows the directory, or rebuilds it without removed names. */
  private makeRoom(): boolean {
    return this.growDirectory(this.hostedNames * 2) || this.growDirectory(this.hostedNames + 1);
  }

  /**
   * Puts all parts into the live image, unseen until published. If the image has too little room, puts them into a larger
   * copy that no reader sees yet; returns undefined if there is no memory for the copy.
   */
  private putAll(live: ImageStart, zone: ZoneIdentity, parts: readonly ZonePart[]): ImagePlace | undefined {
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

  /** Shows the image to readers as the zone of `this.name`. */
  private show(image: ImageStart): void {
    const former = imageOf(this.space, this.name);
    assert(former !== 0, 'a zone is hosted before it is loaded');
    setReferenced(this.space.words, image, true);
    setImage(this.space, this.name, image);
    this.arena.unpin(image);
    if (former === NOT_LOADED) this.loadedZones++;
    else this.arena.retire(former);
  }

  private hide(image: ImageStart): void {
    const { words, bytes } = this.space;
    const start = imageApexStart(image);
    this.hidden.scan(bytes, start, start + imageApexLength(words, image));
    setImage(this.space, this.hidden, NOT_LOADED);
    this.loadedZones--;
    this.evictions++;
  }

  private growDirectory(names: number): boolean {
    const block = this.arena.allocatePinned(directorySize(names));
    if (block === undefined) return false;
    const former = this.directoryBlock;
    this.directoryBlock = block.offset;
    moveDirectory(this.space, block.offset, block.sizeBytes);
    if (former !== undefined) this.arena.retire(former);
    return true;
  }

  private scan(apex: DomainName): void {
    assert(this.name.scan(apex, 0, apex.length) === apex.length, 'a well-formed apex');
  }
}

function* partsOf({ soa }: ZoneContent, owners: Iterable<OwnerSets>): Generator<ZonePart, undefined> {
  yield* owners;
  yield { soa };
}
