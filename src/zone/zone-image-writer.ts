/**
 * Changes zone images. One call puts the whole content of one owner name; the empty non-terminals above it are created
 * and removed as needed (RFC 4592 section 2.2.2). Never publishes: readers see a new version when the caller says so.
 */

import { rrType } from '../dns/codes.ts';
import { alignToWord } from './align-to-word.ts';
import { encodeRecordSet, recordSetSizeLimit, type RecordSet } from './encode-record-set.ts';
import {
  addNodeFlags,
  isAbsent,
  nodeAt,
  nodeBytes,
  nodeChildren,
  nodeFlag,
  nodeFlags,
  nodeNameOffset,
  nodeOffset,
  nodeSetCount,
  nodeSetOffset,
  setNodeChildren,
  setNodeLengths,
  setNodeNameOffset,
  setNodeSet,
  setNodeVersion,
  setPreviousNode,
} from './image-node.ts';
import type { ImageOffset, NodeIndex, SetOffset } from './image-offsets.ts';
import { hasRoomForNames, room } from './image-room.ts';
import { findSlot, publishNewest, slotNewest, takeSlot } from './image-table.ts';
import type { NameScan } from './name-scan.ts';
import { rrsetSizeBytes } from './record-set-block.ts';
import { soaAt, soaStateBytes, soaSetOffset, writeSoaState } from './soa-state.ts';
import {
  addGarbageBytes,
  addImageHints,
  allocate,
  imageApexLength,
  imageHint,
  imageUsedBytes,
  newestSoaOffset,
  setImageSerial,
  setNewestSoaOffset,
  type ImagePlace,
} from './zone-image.ts';

/** The SOA record of one version. */
export interface SoaContent {
  readonly serial: number;
  readonly rdata: Uint8Array;
  /** Seconds. */
  readonly ttl: number;
  /** TTL of the SOA record in negative answers (RFC 2308 section 3). */
  readonly negativeTtl: number;
}

/**
 * Puts the whole content of one owner name, valid from `version` on.
 *
 * @returns false, with nothing changed, if the image has no room left
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
  const former = newestNode(place, owner, 0);
  if (sets.length === 0 && former === 0) return true;
  const isApex = owner.length === imageApexLength(words, image);
  const existed = former !== 0 && !isAbsent(words, former);
  const exists = sets.length > 0 || isApex || (former !== 0 && nodeChildren(words, former) > 0);
  const node = appendNode(place, version, owner, 0, sets.length);
  writeSets(place, node, sets, apex, isApex);
  if (!exists) addNodeFlags(words, node, nodeFlag.absent);
  linkNode(place, owner, 0, node);
  if (!isApex && existed !== exists) countChild(place, version, owner, exists ? 1 : -1);
  return true;
}

/** Puts the SOA record, valid from `version` on; false if the image has no room left. */
export function putSoa(place: ImagePlace, version: number, soa: SoaContent, apex: Uint8Array): boolean {
  const { words, image } = place;
  const set: RecordSet = { type: rrType.SOA, ttl: soa.ttl, rdatas: [soa.rdata] };
  const stateBytes = soaStateBytes(words, image);
  if (room(place) < recordSetSizeLimit(set) + stateBytes) return false;
  const at = allocate(place, stateBytes);
  const previous = newestSoaOffset(words, image);
  const setAt = appendSet(place, set, apex);
  const { negativeTtl } = soa;
  writeSoaState(words, soaAt(image, at), { version, previous, set: setAt, negativeTtl });
  if (previous !== 0) {
    const formerSet = soaSetOffset(words, soaAt(image, previous));
    addGarbageBytes(words, image, stateBytes + setBytes(place, formerSet));
  }
  setNewestSoaOffset(words, image, at);
  setImageSerial(words, image, soa.serial);
  return true;
}

/** Counts room for the name and for every empty non-terminal above it that may have to be created or removed. */
function hasRoomFor(place: ImagePlace, owner: NameScan, sets: readonly RecordSet[]): boolean {
  const nodes = Math.max(1, owner.labels);
  let needed = nodes * (nodeBytes(0) + alignToWord(owner.length));
  for (const set of sets) needed += 8 + recordSetSizeLimit(set);
  return needed <= room(place) && hasRoomForNames(place, nodes);
}

function writeSets(
  place: ImagePlace,
  node: NodeIndex,
  sets: readonly RecordSet[],
  apex: Uint8Array,
  isApex: boolean,
): void {
  const { words, image } = place;
  sets.forEach((set, i) => {
    setNodeSet(words, node, i, set.type, appendSet(place, set, apex));
    if (set.type === rrType.NS && !isApex) addNodeFlags(words, node, nodeFlag.cut);
    if (set.type === rrType.DNAME) addNodeFlags(words, node, nodeFlag.dname);
    if (set.type === rrType.CNAME) addNodeFlags(words, node, nodeFlag.cname);
  });
  if ((nodeFlags(words, node) & (nodeFlag.cut | nodeFlag.dname)) !== 0)
    addImageHints(words, image, imageHint.cuts);
}

function appendSet(place: ImagePlace, set: RecordSet, apex: Uint8Array): ImageOffset {
  const { words, image } = place;
  const at = (image + imageUsedBytes(words, image)) as SetOffset;
  return allocate(place, encodeRecordSet(place, at, set, apex));
}

/** Appends a node, without sets yet, for the suffix of `name` from `label` on. The newest node so far stays unchanged. */
function appendNode(
  place: ImagePlace,
  version: number,
  name: NameScan,
  label: number,
  sets: number,
): NodeIndex {
  const { words, bytes, image } = place;
  const former = newestNode(place, name, label);
  const node = nodeAt(image, allocate(place, nodeBytes(sets)));
  const start = name.starts[label];
  const length = name.length - start;
  setNodeVersion(words, node, version);
  setNodeLengths(words, node, length, sets);
  if (former === 0) {
    const nameAt = allocate(place, alignToWord(length));
    for (let i = 0; i < length; i++) bytes[image + nameAt + i] = name.bytes[start + i];
    setNodeNameOffset(words, node, nameAt);
    setNodeChildren(words, node, 0);
    setPreviousNode(words, node, 0);
  } else {
    setNodeNameOffset(words, node, nodeNameOffset(words, former));
    setNodeChildren(words, node, nodeChildren(words, former));
    addNodeFlags(words, node, nodeFlags(words, former) & nodeFlag.wildcardChild);
    setPreviousNode(words, node, nodeOffset(image, former));
    addGarbageBytes(words, image, bytesWithSets(place, former));
  }
  return node;
}

function bytesWithSets(place: ImagePlace, node: NodeIndex): number {
  const count = nodeSetCount(place.words, node);
  let size = nodeBytes(count);
  for (let i = 0; i < count; i++) size += setBytes(place, nodeSetOffset(place.words, node, i));
  return size;
}

function setBytes({ words, image }: ImagePlace, offset: ImageOffset): number {
  return rrsetSizeBytes(words, (image + offset) as SetOffset);
}

/** Makes the node the newest of its name. */
function linkNode(place: ImagePlace, name: NameScan, label: number, node: NodeIndex): void {
  const found = findSlot(place, name, label);
  const slot = found === 0 ? takeSlot(place, name.hashes[label]) : found;
  publishNewest(place.words, slot, nodeOffset(place.image, node));
}

/** Updates the parents, up to the apex, after a name was created (1) or removed (-1) below them. */
function countChild(place: ImagePlace, version: number, name: NameScan, step: 1 | -1): void {
  const { words, image } = place;
  const apexLabels = name.labels - apexLabel(name, imageApexLength(words, image));
  for (let label = 1; name.labels - label >= apexLabels; label++) {
    let parent = newestNode(place, name, label);
    const isApex = name.labels - label === apexLabels;
    const existed = parent !== 0 && !isAbsent(words, parent);
    const children = (parent === 0 ? 0 : nodeChildren(words, parent)) + step;
    const exists = isApex || children > 0 || (existed && nodeSetCount(words, parent) > 0);
    if (parent === 0 || existed !== exists) {
      parent = appendNode(place, version, name, label, 0);
      if (!exists) addNodeFlags(words, parent, nodeFlag.absent);
      linkNode(place, name, label, parent);
    }
    setNodeChildren(words, parent, children);
    if (step === 1 && isAsterisk(name, label - 1)) {
      addNodeFlags(words, parent, nodeFlag.wildcardChild);
      addImageHints(words, image, imageHint.wildcards);
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

function newestNode(place: ImagePlace, name: NameScan, label: number): NodeIndex {
  const slot = findSlot(place, name, label);
  return slot === 0 ? 0 : nodeAt(place.image, slotNewest(place.words, slot));
}
