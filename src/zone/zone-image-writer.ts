/**
 * Builds and changes zone images. One call puts the whole content of one owner name; empty non-terminals above it
 * come and go by themselves (RFC 4592 section 2.2.2). Never publishes: a new version is seen when the caller says so.
 */

import { assert } from '../base/assert.ts';
import type { DomainName } from '../dns/name.ts';
import { rrType } from '../dns/codes.ts';
import type { NameScan } from './name-scan.ts';
import { encodeRecordSet, recordSetSizeLimit, setBlock, type RecordSet } from './record-set-block.ts';
import {
  findNameSlot,
  header,
  HEADER_BYTES,
  hint,
  node,
  nodeFlag,
  nodeNameLength,
  nodeSetCount,
  NODE_NAME_LENGTH_SHIFT,
  NODE_SET_COUNT_SHIFT,
  soaState,
  TABLE_SLOT_WORDS,
} from './zone-image.ts';

const MIN_TABLE_SLOTS = 8;
/** Names fill at most this share of the table's slots. */
const MAX_TABLE_FILL = 0.7;

/** An image and the memory it stands in. */
export interface ImagePlace {
  readonly words: Int32Array;
  readonly bytes: Uint8Array;
  /** Byte offset of the image, a multiple of 4. */
  readonly image: number;
}

/** The SOA record of one version. */
export interface SoaContent {
  readonly serial: number;
  readonly rdata: Uint8Array;
  /** Seconds. */
  readonly ttl: number;
  /** TTL of the SOA in negative answers (RFC 2308 section 3). */
  readonly negativeTtl: number;
}

/** Makes an image with nothing but the apex. Its version is 1. */
export function createImage(
  place: ImagePlace,
  sizeBytes: number,
  apex: DomainName,
  domainId: number,
  names: number,
): void {
  const { words, bytes, image } = place;
  const base = image >> 2;
  const tableSlots = tableSlotsFor(names);
  words.fill(0, base, base + HEADER_BYTES / 4);
  words[base + header.version] = 1;
  words[base + header.size] = sizeBytes;
  words[base + header.domainId] = domainId;
  words[base + header.apexLength] = apex.length;
  bytes.set(apex, image + HEADER_BYTES);
  words[base + header.used] = HEADER_BYTES + align(apex.length);
  const table = allocate(place, tableSlots * TABLE_SLOT_WORDS * 4);
  assert(table !== 0, 'room for the table');
  words.fill(0, (image + table) >> 2, ((image + table) >> 2) + tableSlots * TABLE_SLOT_WORDS);
  words[base + header.table] = table;
  words[base + header.tableMask] = tableSlots - 1;
}

/** Bytes to hold `contentBytes` (as of `liveBytes`) and a table for `names` names. */
export function imageSize(contentBytes: number, names: number): number {
  return Math.ceil(contentBytes) + tableSlotsFor(names) * TABLE_SLOT_WORDS * 4;
}

/** Bytes in use without what nobody sees any more, and without the table. */
export function liveBytes({ words, image }: ImagePlace): number {
  const base = image >> 2;
  const tableBytes = (words[base + header.tableMask] + 1) * TABLE_SLOT_WORDS * 4;
  return words[base + header.used] - words[base + header.garbage] - tableBytes;
}

export function imageNames({ words, image }: ImagePlace): number {
  return words[(image >> 2) + header.tableUsed];
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

/**
 * Copies what is newest in `from` into the fresh image `to`, which must have room, and leaves the rest behind.
 * The copy is at version 1.
 */
export function copyImage(from: ImagePlace, to: ImagePlace): void {
  const { words, image } = from;
  const base = image >> 2;
  const slots = words[base + header.tableMask] + 1;
  const table = (image + words[base + header.table]) >> 2;
  for (let slot = table; slot < table + slots * TABLE_SLOT_WORDS; slot += TABLE_SLOT_WORDS) {
    if (words[slot + 1] === 0) continue;
    const entry = (image + words[slot + 1]) >> 2;
    if ((words[entry + node.flags] & nodeFlag.absent) === 0) copyNode(from, entry, words[slot], to);
  }
  const toBase = to.image >> 2;
  const soa = words[base + header.soa];
  if (soa !== 0) copySoa(from, (image + soa) >> 2, to);
  to.words[toBase + header.hints] = words[base + header.hints];
  to.words[toBase + header.serial] = words[base + header.serial];
}

function copySoa(from: ImagePlace, state: number, to: ImagePlace): void {
  const at = allocate(to, soaState.words * 4);
  const copy = (to.image + at) >> 2;
  to.words[copy + soaState.version] = 1;
  to.words[copy + soaState.previous] = 0;
  to.words[copy + soaState.set] = copySet(from, from.words[state + soaState.set], to);
  to.words[copy + soaState.negativeTtl] = from.words[state + soaState.negativeTtl];
  to.words[(to.image >> 2) + header.soa] = at;
}

function copyNode(from: ImagePlace, entry: number, hash: number, to: ImagePlace): void {
  const count = nodeSetCount(from.words, entry);
  const at = allocate(to, (node.sets + count * 2) * 4);
  assert(at !== 0, 'room for a copied node');
  const copy = (to.image + at) >> 2;
  to.words[copy + node.version] = 1;
  to.words[copy + node.previous] = 0;
  to.words[copy + node.flags] = from.words[entry + node.flags];
  to.words[copy + node.children] = from.words[entry + node.children];
  const name = from.image + from.words[entry + node.name];
  const length = nodeNameLength(from.words, entry);
  to.words[copy + node.name] = appendBytes(to, from.bytes, name, length);
  for (let i = 0; i < count; i++) {
    to.words[copy + node.sets + i * 2] = from.words[entry + node.sets + i * 2];
    to.words[copy + node.sets + i * 2 + 1] = copySet(from, from.words[entry + node.sets + i * 2 + 1], to);
  }
  const base = to.image >> 2;
  const mask = to.words[base + header.tableMask];
  const table = (to.image + to.words[base + header.table]) >> 2;
  let i = hash & mask;
  while (to.words[table + i * TABLE_SLOT_WORDS + 1] !== 0) i = (i + 1) & mask;
  to.words[table + i * TABLE_SLOT_WORDS] = hash;
  to.words[table + i * TABLE_SLOT_WORDS + 1] = at;
  to.words[base + header.tableUsed]++;
}

function copySet(from: ImagePlace, offset: number, to: ImagePlace): number {
  const size = from.words[((from.image + offset) >> 2) + setBlock.size];
  return appendBytes(to, from.bytes, from.image + offset, size);
}

function appendBytes(to: ImagePlace, bytes: Uint8Array, offset: number, length: number): number {
  const at = allocate(to, align(length));
  assert(at !== 0, 'room for a copy');
  to.bytes.set(bytes.subarray(offset, offset + length), to.image + at);
  return at;
}

/** A name and every empty non-terminal that may have to come into being above it, or be taken away. */
function hasRoomFor(place: ImagePlace, owner: NameScan, sets: readonly RecordSet[]): boolean {
  const { words, image } = place;
  const base = image >> 2;
  const steps = Math.max(1, owner.labels);
  let needed = steps * (node.sets * 4 + align(owner.length));
  for (const set of sets) needed += 8 + recordSetSizeLimit(set);
  const slots = (words[base + header.tableMask] + 1) * MAX_TABLE_FILL;
  return (
    needed <= room(place) && words[base + header.tableUsed] + steps <= Math.max(slots, MIN_TABLE_SLOTS - 1)
  );
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
    if (label === 1 && step === 1 && name.bytes[0] === 1 && name.bytes[1] === 0x2a) {
      words[parent + node.flags] |= nodeFlag.wildcardChild;
      words[base + header.hints] |= hint.wildcards;
    }
    if (existed === exists) return;
  }
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

function room({ words, image }: ImagePlace): number {
  const base = image >> 2;
  return words[base + header.size] - words[base + header.used];
}

function tableSlotsFor(names: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(MIN_TABLE_SLOTS, (names + 1) / MAX_TABLE_FILL)));
}

/** @returns the relative offset, or 0 when there is no room */
function allocate(place: ImagePlace, size: number): number {
  const base = place.image >> 2;
  const at = place.words[base + header.used];
  if (at + size > place.words[base + header.size]) return 0;
  place.words[base + header.used] = at + size;
  return at;
}

function align(size: number): number {
  return (size + 3) & ~3;
}
