/**
 * Changes zone images. One call puts the whole content of one owner name; the empty non-terminals above it are created
 * and removed as needed (RFC 4592 section 2.2.2). Never publishes: readers see a new version when the caller says so.
 *
 * The first name that is put, the apex, decides for the life of the image whether it takes signatures, and which chain.
 */

import { rrType } from '../dns/codes.ts';
import { alignToWord } from './align-to-word.ts';
import { appendSet, setBytes } from './append-set.ts';
import { addToChain, chainSizeLimit, removeFromChain } from './chain-writer.ts';
import { recordSetSizeLimit, type RecordSet } from './encode-record-set.ts';
import {
  addNodeFlags,
  isAbsent,
  isChained,
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
import type { NodeIndex, SlotIndex } from './image-offsets.ts';
import { hasRoomForNames, room } from './image-room.ts';
import { findSlot, publishNewest, slotNewest, takeSlot } from './image-table.ts';
import type { NameScan } from './name-scan.ts';
import {
  carrySigning,
  keepsPlace,
  nodeSigning,
  nodeSigningBytes,
  signedHints,
  signingBytes,
  signingSizeLimit,
  writeSigning,
  type NodeSigning,
  type OwnerSigning,
} from './owner-signing.ts';
import {
  addGarbageBytes,
  addImageHints,
  allocate,
  imageApexLength,
  imageHint,
  imageNames,
  isSignedImage,
  type ImagePlace,
} from './zone-image.ts';

/**
 * Puts the whole content of one owner name, valid from `version` on.
 *
 * @param signing missing: the name has neither signatures nor a place in the chain
 * @returns false, with nothing changed, if the image has no room left
 */
export function putOwner(
  place: ImagePlace,
  version: number,
  owner: NameScan,
  sets: readonly RecordSet[],
  apex: Uint8Array,
  signing?: OwnerSigning,
): boolean {
  const { words, image } = place;
  const isApex = owner.length === imageApexLength(words, image);
  const isFirst = imageNames(words, image) === 0;
  if (isFirst && isApex && signing !== undefined) addImageHints(words, image, signedHints(signing));
  const taken = nodeSigning(place, signing);
  const former = newestNode(place, owner, 0);
  const movesInChain = !keepsPlace(place, former, taken);
  if (!hasRoomFor(place, owner, sets, taken, movesInChain)) return false;
  if (sets.length === 0 && taken.flags === 0 && former === 0) return true;
  const existed = former !== 0 && !isAbsent(words, former);
  const exists = sets.length > 0 || isApex || (former !== 0 && nodeChildren(words, former) > 0);
  const node = appendNode(place, version, owner, 0, sets.length, taken);
  writeSets(place, node, sets, apex, isApex);
  writeSigning(place, node, taken);
  if (!exists) addNodeFlags(words, node, nodeFlag.absent);
  if (movesInChain) linkInChain(place, version, owner, former, node);
  else linkNode(place, owner, 0, node);
  if (!isApex && existed !== exists) countChild(place, version, owner, exists ? 1 : -1);
  return true;
}

/** Counts room for the name and for every empty non-terminal above it that may have to be created or removed. */
function hasRoomFor(
  place: ImagePlace,
  owner: NameScan,
  sets: readonly RecordSet[],
  signing: NodeSigning,
  movesInChain: boolean,
): boolean {
  const nodes = Math.max(1, owner.labels);
  let needed = nodes * (nodeBytes(0) + alignToWord(owner.length));
  for (const set of sets) needed += 8 + recordSetSizeLimit(set);
  if (isSignedImage(place)) {
    needed += signingSizeLimit(signing);
    if (movesInChain) needed += chainSizeLimit(place);
    for (let label = 1; label < owner.labels; label++) needed += signingBytesOf(place, owner, label);
  }
  return needed <= room(place) && hasRoomForNames(place, nodes);
}

/** Bytes that the signatures of a name take again if it is created or removed as an empty non-terminal. */
function signingBytesOf(place: ImagePlace, owner: NameScan, label: number): number {
  const node = newestNode(place, owner, label);
  return node === 0 ? 0 : nodeSigningBytes(place.words, place.image, node);
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

/**
 * Appends a node, without sets yet, for the suffix of `name` from `label` on. The newest node so far stays unchanged.
 *
 * @param signing to be written after the sets; missing: that of the newest node, which must have as many sets
 */
function appendNode(
  place: ImagePlace,
  version: number,
  name: NameScan,
  label: number,
  sets: number,
  signing?: NodeSigning,
): NodeIndex {
  const { words, bytes, image } = place;
  const former = newestNode(place, name, label);
  let size = nodeBytes(sets);
  if (signing !== undefined) size += signingBytes(signing);
  else if (former !== 0) size += nodeSigningBytes(words, image, former);
  const start = name.starts[label];
  const length = name.length - start - imageApexLength(words, image);
  // A name right before its node is usually in the same line of the processor's cache.
  const nameAt = former === 0 ? allocate(place, alignToWord(length)) : nodeNameOffset(words, former);
  const node = nodeAt(image, allocate(place, size));
  setNodeVersion(words, node, version);
  setNodeLengths(words, node, length, sets);
  setNodeNameOffset(words, node, nameAt);
  if (former === 0) {
    for (let i = 0; i < length; i++) bytes[image + nameAt + i] = name.bytes[start + i];
    setNodeChildren(words, node, 0);
    setPreviousNode(words, node, 0);
  } else {
    setNodeChildren(words, node, nodeChildren(words, former));
    addNodeFlags(words, node, nodeFlags(words, former) & nodeFlag.wildcardChild);
    setPreviousNode(words, node, nodeOffset(image, former));
    if (signing === undefined) carrySigning(place, former, node);
    addGarbageBytes(words, image, bytesWithSets(place, former));
  }
  return node;
}

function bytesWithSets(place: ImagePlace, node: NodeIndex): number {
  const count = nodeSetCount(place.words, node);
  let size = nodeBytes(count) + nodeSigningBytes(place.words, place.image, node);
  for (let i = 0; i < count; i++) size += setBytes(place, nodeSetOffset(place.words, node, i));
  return size;
}

/** Makes the node the newest of its name, adds it to the chain if it belongs there, and removes the former one. */
function linkInChain(
  place: ImagePlace,
  version: number,
  owner: NameScan,
  former: NodeIndex,
  node: NodeIndex,
): void {
  const { words } = place;
  if (former !== 0 && isChained(words, former))
    removeFromChain(place, version, findSlot(place, owner, 0), former);
  const slot = linkNode(place, owner, 0, node);
  if (isChained(words, node)) addToChain(place, version, slot, node);
}

/** Makes the node the newest of its name. */
function linkNode(place: ImagePlace, name: NameScan, label: number, node: NodeIndex): SlotIndex {
  const found = findSlot(place, name, label);
  const slot = found === 0 ? takeSlot(place, name.hashes[label]) : found;
  publishNewest(place.words, slot, nodeOffset(place.image, node));
  return slot;
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
