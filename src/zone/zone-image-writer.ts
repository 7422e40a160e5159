/**
 * Builds and changes zone images. One call puts the whole content of one owner name; empty non-terminals above it
 * come and go by themselves (RFC 4592 section 2.2.2). Never publishes: a new version is seen when the caller says so.
 */

import { rrType } from '../dns/codes.ts';
import { align, allocate, hasRoomForNames, room, type ImagePlace } from './image-place.ts';
import type { NameScan } from './name-scan.ts';
import { encodeRecordSet, recordSetSizeLimit, setBlock, type RecordSet } from './record-set-block.ts';
import {
  findNameSlot,
  header,
  hint,
  node,
  nodeFlag,
  nodeSetCount,
  NODE_NAME_LENGTH_SHIFT,
  NODE_SET_COUNT_SHIFT,
  soaState,
} from './zone-image.ts';

/** The SOA record of one version. */
export interface SoaContent {
  readonly serial: number;
  readonly rdata: Uint8Array;
  /** Seconds. */
  readonly ttl: number;
  /** TTL of the SOA in negative answers (RFC 2308 section 3). */
  readonly negativeTtl: number;
}

/**
 * Puts the whole content of one owner name, as of `version`.
 *
 * @returns false, with nothing changed, when the image has no room left
 */
export function putOwner(
  place: ImagePlace,
  version: number,
  owner: NameScan,
  sets: readonly RecordSet[],
  apex: Uint8Array,
): boolean {
  const { words, image } = place;
  if (!hasRoomFor(place, owner, sets)) return false;
  const base = image >> 2;
  const former = newestNode(place, owner, 0);
  const isApex = owner.length === words[base + header.apexLength];
  if (sets.length === 0 && former === 0) return true;
  const existed = former !== 0 && (words[former + node.flags] & nodeFlag.absent) === 0;
  const exists = sets.length > 0 || isApex || (former !== 0 && words[former + node.children] > 0);
  const entry = appendNode(place, version, owner, 0, sets.length);
  writeSets(place, entry, sets, apex, isApex);
  if (!exists) words[entry + node.flags] |= nodeFlag.absent;
  linkNode(place, owner, 0, entry);
  if (!isApex && existed !== exists) countChild(place, version, owner, exists ? 1 : -1);
  return true;
}

/** Puts the SOA record, as of `version`; false when the image has no room left. */
export function putSoa(place: ImagePlace, version: number, soa: SoaContent, apex: Uint8Array): boolean {
  const { words, bytes, image } = place;
  const base = image >> 2;
  const set: RecordSet = { type: rrType.SOA, ttl: soa.ttl, rdatas: [soa.rdata] };
  if (room(place) < recordSetSizeLimit(set) + soaState.words * 4) return false;
  const at = allocate(place, soaState.words * 4);
  const setAt = words[base + header.used];
  allocate(place, encodeRecordSet(words, bytes, image + setAt, set, apex));
  const state = (image + at) >> 2;
  const former = words[base + header.soa];
  words[state + soaState.version] = version;
  words[state + soaState.previous] = former;
  words[state + soaState.set] = setAt;
  words[state + soaState.negativeTtl] = soa.negativeTtl;
  if (former !== 0) {
    const formerSet = (image + words[((image + former) >> 2) + soaState.set]) >> 2;
    words[base + header.garbage] += soaState.words * 4 + words[formerSet + setBlock.size];
  }
  Atomics.store(words, base + header.soa, at);
  words[base + header.serial] = soa.serial;
  return true;
}

/** From the next query on, readers see `version`. */
export function publishVersion({ words, image }: ImagePlace, version: number): void {
  Atomics.store(words, (image >> 2) + header.version, version);
}

/** A name and every empty non-terminal that may have to come into being above it, or be taken away. */
function hasRoomFor(place: ImagePlace, owner: NameScan, sets: readonly RecordSet[]): boolean {
  const steps = Math.max(1, owner.labels);
  let needed = steps * (node.sets * 4 + align(owner.length));
  for (const set of sets) needed += 8 + recordSetSizeLimit(set);
  return needed <= room(place) && hasRoomForNames(place, steps);
}

function writeSets(
  place: ImagePlace,
  entry: number,
  sets: readonly RecordSet[],
  apex: Uint8Array,
  isApex: boolean,
): void {
  const { words, bytes, image } = place;
  const base = image >> 2;
  sets.forEach((set, i) => {
    const at = words[base + header.used];
    allocate(place, encodeRecordSet(words, bytes, image + at, set, apex));
    words[entry + node.sets + i * 2] = set.type;
    words[entry + node.sets + i * 2 + 1] = at;
    if (set.type === rrType.NS && !isApex) words[entry + node.flags] |= nodeFlag.cut;
    if (set.type === rrType.DNAME) words[entry + node.flags] |= nodeFlag.dname;
    if (set.type === rrType.CNAME) words[entry + node.flags] |= nodeFlag.cname;
  });
  if ((words[entry + node.flags] & (nodeFlag.cut | nodeFlag.dname)) !== 0)
    words[base + header.hints] |= hint.cuts;
}

/** A node without sets yet for the suffix of `name` from `label` on; what it is followed from stays as it was. */
function appendNode(place: ImagePlace, version: number, name: NameScan, label: number, sets: number): number {
  const { words, bytes, image } = place;
  const former = newestNode(place, name, label);
  const at = allocate(place, (node.sets + sets * 2) * 4);
  const entry = (image + at) >> 2;
  const start = name.starts[label];
  const length = name.length - start;
  words[entry + node.version] = version;
  words[entry + node.flags] = (length << NODE_NAME_LENGTH_SHIFT) | (sets << NODE_SET_COUNT_SHIFT);
  if (former === 0) {
    const nameAt = allocate(place, align(length));
    for (let i = 0; i < length; i++) bytes[image + nameAt + i] = name.bytes[start + i];
    words[entry + node.name] = nameAt;
    words[entry + node.children] = 0;
    words[entry + node.previous] = 0;
  } else {
    words[entry + node.name] = words[former + node.name];
    words[entry + node.children] = words[former + node.children];
    words[entry + node.flags] |= words[former + node.flags] & nodeFlag.wildcardChild;
    words[entry + node.previous] = former * 4 - image;
    words[(image >> 2) + header.garbage] += nodeBytes(place, former);
  }
  return entry;
}

function nodeBytes({ words, image }: ImagePlace, entry: number): number {
  const count = nodeSetCount(words, entry);
  let size = (node.sets + count * 2) * 4;
  for (let i = 0; i < count; i++) {
    size += words[((image + words[entry + node.sets + i * 2 + 1]) >> 2) + setBlock.size];
  }
  return size;
}

function linkNode(place: ImagePlace, name: NameScan, label: number, entry: number): void {
  const { words, bytes, image } = place;
  const base = image >> 2;
  let slot = findNameSlot(words, bytes, image, name, label);
  if (slot < 0) {
    slot = -1 - slot;
    words[slot] = name.hashes[label];
    words[base + header.tableUsed]++;
  }
  Atomics.store(words, slot + 1, entry * 4 - image);
}

/** Tells the parents, up to the apex, that a name came (1) or went (-1) below them. */
function countChild(place: ImagePlace, version: number, name: NameScan, step: 1 | -1): void {
  const { words, image } = place;
  const base = image >> 2;
  const apexLabels = name.labels - apexLabel(name, words[base + header.apexLength]);
  for (let label = 1; name.labels - label >= apexLabels; label++) {
    let parent = newestNode(place, name, label);
    const isApex = name.labels - label === apexLabels;
    const existed = parent !== 0 && (words[parent + node.flags] & nodeFlag.absent) === 0;
    const children = (parent === 0 ? 0 : words[parent + node.children]) + step;
    const exists = isApex || children > 0 || (existed && nodeSetCount(words, parent) > 0);
    if (parent === 0 || existed !== exists) {
      parent = appendNode(place, version, name, label, 0);
      if (!exists) words[parent + node.flags] |= nodeFlag.absent;
      linkNode(place, name, label, parent);
    }
    words[parent + node.children] = children;
    if (step === 1 && isAsterisk(name, label - 1)) {
      words[parent + node.flags] |= nodeFlag.wildcardChild;
      words[base + header.hints] |= hint.wildcards;
    }
    if (existed === exists) return;
  }
}

function isAsterisk(name: NameScan, label: number): boolean {
  return name.bytes[name.starts[label]] === 1 && name.bytes[name.starts[label] + 1] === 0x2a;
}

function apexLabel(name: NameScan, apexLength: number): number {
  let label = 0;
  while (name.length - name.starts[label] > apexLength) label++;
  return label;
}

function newestNode({ words, bytes, image }: ImagePlace, name: NameScan, label: number): number {
  const slot = findNameSlot(words, bytes, image, name, label);
  return slot < 0 ? 0 : (image + words[slot + 1]) >> 2;
}
