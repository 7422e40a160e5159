/**
 * The writer's side of the zone space: which names are hosted, loading, changing and dropping zone images within the
 * space's bytes. Whatever fails for want of memory leaves the zone hosted but not loaded, so that the next query
 * loads it again: never a stale answer.
 */

import { assert } from '../base/assert.ts';
import type { DomainName } from '../dns/name.ts';
import { ImageArena } from './image-arena.ts';
import { createImage, imageNames, imageSize, liveBytes, type ImagePlace } from './image-place.ts';
import { NameScan } from './name-scan.ts';
import type { RecordSet } from './record-set-block.ts';
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
import { copyImage } from './zone-image-copy.ts';
import { publishVersion, putOwner, putSoa, type SoaContent } from './zone-image-writer.ts';
import type { ZoneSpace } from './zone-space.ts';

/** Room for changes to come in an image that outgrew its block, as a share of what it holds. */
const SLACK = 0.25;
/** Zones are compiled here and then copied; larger ones take more for as long as it lasts. */
const SCRATCH_BYTES = 65_536;
/** No block of the space is larger: offsets are signed 32-bit numbers, and blocks powers of two. */
const MAX_IMAGE_BYTES = 2 ** 30;
/** A name with its data takes about this much, so that the scratch memory and its table run full together. */
const BYTES_PER_NAME = 128;
const FIRST_EXTRA_BYTES = 1024;
const DIRECTORY_NAMES_AT_START = 1000;

/** All records of one owner name. */
export interface OwnerSets {
  /** Absolute. */
  readonly owner: DomainName;
  readonly sets: readonly RecordSet[];
}

export interface ZoneContent {
  /** Lower case. */
  readonly apex: DomainName;
  readonly domainId: number;
  readonly soa: SoaContent;
}

type Step = (place: ImagePlace, version: number) => boolean;

export class ZoneMemory {
  readonly space: ZoneSpace;
  /** Names hosted, loaded or not. */
  hostedNames = 0;
  private readonly arena: ImageArena;
  private readonly name: NameScan;
  private readonly owner: NameScan;
  /** Of images that make room, while `name` is in use. */
  private readonly hidden: NameScan;
  private directoryBlock = -1;
  private scratch = new Int32Array(SCRATCH_BYTES / 4);

  constructor(space: ZoneSpace) {
    this.space = space;
    this.arena = new ImageArena(space, (image) => this.hide(image));
    this.name = new NameScan(space.seed);
    this.owner = new NameScan(space.seed);
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
    if (image !== NOT_LOADED) this.arena.retire(image);
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
    const place = this.compileInArena(content, owners);
    if (place === undefined) return false;
    this.scan(content.apex);
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
    const place = this.runSteps(live, content, [
      ...owners.map((owner) => this.ownerStep(content, owner)),
      soaStep(content),
    ]);
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
    this.arena.retire(image);
  }

  private hostScanned(): void {
    if (imageOf(this.space, this.name) !== 0) return;
    if (isDirectoryFull(this.space)) this.growDirectory(this.hostedNames * 2);
    addToDirectory(this.space, this.name, 0);
    this.hostedNames++;
  }

  private compileInArena(content: ZoneContent, owners: Iterable<OwnerSets>): ImagePlace | undefined {
    try {
      const compiled = this.compile(content, owners);
      return compiled === undefined ? undefined : this.moveToArena(compiled, content, 0);
    } finally {
      if (this.scratch.byteLength > SCRATCH_BYTES) this.scratch = new Int32Array(SCRATCH_BYTES / 4);
    }
  }

  /** Undefined when it grows beyond what the space could ever hold. */
  private compile(content: ZoneContent, owners: Iterable<OwnerSets>): ImagePlace | undefined {
    let place: ImagePlace | undefined = this.createScratch(content, SCRATCH_BYTES / BYTES_PER_NAME);
    for (const owner of owners) {
      place = this.runInScratch(place, this.ownerStep(content, owner), content);
      if (place === undefined) return undefined;
    }
    return this.runInScratch(place, soaStep(content), content);
  }

  private runInScratch(place: ImagePlace, step: Step, content: ZoneContent): ImagePlace | undefined {
    let at: ImagePlace | undefined = place;
    while (at !== undefined && !step(at, 1)) at = this.growScratch(at, content);
    return at;
  }

  private ownerStep(content: ZoneContent, { owner, sets }: OwnerSets): Step {
    return (place, version) => {
      this.owner.scan(owner, 0, owner.length);
      return putOwner(place, version, this.owner, sets, content.apex);
    };
  }

  /**
   * Does all steps in the live image, unseen until published; where its room ends, in a copy that no reader sees yet.
   * Undefined when no room for the copy can be had.
   */
  private runSteps(live: number, content: ZoneContent, steps: readonly Step[]): ImagePlace | undefined {
    const { words, bytes } = this.space;
    let place: ImagePlace = { words, bytes, image: live };
    let version = imageVersion(words, live) + 1;
    let extraBytes = FIRST_EXTRA_BYTES;
    for (const step of steps) {
      while (!step(place, version)) {
        const moved = this.moveToArena(place, content, extraBytes);
        if (place.image !== live) this.arena.freeUnseen(place.image);
        if (moved === undefined) return undefined;
        place = moved;
        version = 1;
        extraBytes *= 2;
      }
    }
    return place;
  }

  private createScratch({ apex, domainId }: ZoneContent, names: number): ImagePlace {
    const place = { words: this.scratch, bytes: new Uint8Array(this.scratch.buffer), image: 0 };
    createImage(place, this.scratch.byteLength, apex, domainId, names);
    return place;
  }

  private growScratch(from: ImagePlace, content: ZoneContent): ImagePlace | undefined {
    if (from.words.byteLength >= Math.min(this.space.memory.byteLength, MAX_IMAGE_BYTES)) return undefined;
    this.scratch = new Int32Array(from.words.length * 2);
    const names = Math.max(imageNames(from) * 2, this.scratch.byteLength / BYTES_PER_NAME);
    const to = this.createScratch(content, names);
    copyImage(from, to);
    return to;
  }

  /** Copies an image into a pinned block of its own; undefined when there is no memory for it. */
  private moveToArena(from: ImagePlace, content: ZoneContent, extraBytes: number): ImagePlace | undefined {
    const slack = extraBytes === 0 ? 1 : 1 + SLACK;
    const names = Math.ceil(imageNames(from) * slack + extraBytes / BYTES_PER_NAME);
    const block = this.arena.allocatePinned(imageSize(liveBytes(from) * slack + extraBytes, names));
    if (block === undefined) return undefined;
    const { words, bytes } = this.space;
    const to = { words, bytes, image: block.offset };
    createImage(to, block.sizeBytes, content.apex, content.domainId, names);
    copyImage(from, to);
    return to;
  }

  /** Readers see the image at `image` for `this.name` from now on. */
  private show(image: number): void {
    const former = imageOf(this.space, this.name);
    assert(former !== 0, 'a zone is hosted before it is loaded');
    this.space.words[(image >> 2) + header.referenced] = 1;
    setImage(this.space, this.name, image);
    this.arena.unpin(image);
    if (former !== NOT_LOADED) this.arena.retire(former);
  }

  private hide(image: number): void {
    const { words, bytes } = this.space;
    const start = image + HEADER_BYTES;
    this.hidden.scan(bytes, start, start + words[(image >> 2) + header.apexLength]);
    setImage(this.space, this.hidden, NOT_LOADED);
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

function soaStep({ soa, apex }: ZoneContent): Step {
  return (place, version) => putSoa(place, version, soa, apex);
}
