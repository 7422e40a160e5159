/** Moves an image: what is newest of every name goes into a fresh one, what nobody sees any more stays behind. */

import { assert } from '../base/assert.ts';
import { align, allocate, type ImagePlace } from './image-place.ts';
import { setBlock } from './record-set-block.ts';
import type { Steps } from '../base/steps.ts';
import {
  header,
  node,
  nodeFlag,
  nodeNameLength,
  nodeSetCount,
  soaState,
  TABLE_SLOT_WORDS,
} from './zone-image.ts';

/** Of the table, 256 slots that one step copies: up to 80 µs. */
const COPIED_WORDS = 256 * TABLE_SLOT_WORDS;

/**
 * Copies what is newest in `from` into the fresh image `to`, which must have room, and leaves the rest behind.
 * The copy is at version 1. Nobody may change either before the last step.
 */
export function* copyImage(from: ImagePlace, to: ImagePlace): Steps<void> {
  const { words, image } = from;
  const base = image >> 2;
  const table = (image + words[base + header.table]) >> 2;
  const end = table + (words[base + header.tableMask] + 1) * TABLE_SLOT_WORDS;
  for (let at = table; at < end; at += COPIED_WORDS) {
    if (at !== table) yield;
    copySlots(from, at, Math.min(end, at + COPIED_WORDS), to);
  }
  const toBase = to.image >> 2;
  const soa = words[base + header.soa];
  if (soa !== 0) copySoa(from, (image + soa) >> 2, to);
  to.words[toBase + header.hints] = words[base + header.hints];
  to.words[toBase + header.serial] = words[base + header.serial];
}

function copySlots(from: ImagePlace, slot: number, end: number, to: ImagePlace): void {
  const { words, image } = from;
  for (; slot < end; slot += TABLE_SLOT_WORDS) {
    if (words[slot + 1] === 0) continue;
    const entry = (image + words[slot + 1]) >> 2;
    if ((words[entry + node.flags] & nodeFlag.absent) === 0) copyNode(from, entry, words[slot], to);
  }
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
