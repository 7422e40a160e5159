// Lists in messages between threads. A short list is part of the message. A long list is sent beside the message as several
// JSON texts, each encoded or decoded in one step, so that the thread can serve requests between the steps.
import type { Steps } from '../../base/steps.ts';

/** The items, or the index of the list in `LongLists`. */
export type PackedList<Packed> = readonly Packed[] | number;

/** The JSON texts of each long list, in order. */
export type LongLists = readonly (readonly string[])[];

/** Encoding or decoding them takes some 2 ms. A batch of changes is at most ten times as large, so it is short work. */
const ITEMS_A_STEP = 1000;

/** @param long receives the texts of a long list */
export function* packList<Item, Packed>(
  items: readonly Item[],
  pack: (item: Item) => Packed,
  long: (readonly string[])[],
): Steps<PackedList<Packed>> {
  if (items.length <= ITEMS_A_STEP) return items.map((item) => pack(item));
  const texts: string[] = [];
  for (let from = 0; from < items.length; from += ITEMS_A_STEP) {
    const part = items.slice(from, from + ITEMS_A_STEP);
    texts.push(JSON.stringify(part.map((item) => pack(item))));
    yield;
  }
  return long.push(texts) - 1;
}

export function* unpackList<Packed, Item>(
  list: PackedList<Packed>,
  unpack: (packed: Packed) => Item,
  long: LongLists,
): Steps<readonly Item[]> {
  if (typeof list !== 'number') return list.map((packed) => unpack(packed));
  const items: Item[] = [];
  for (const text of long[list]) {
    for (const packed of JSON.parse(text) as Packed[]) items.push(unpack(packed));
    yield;
  }
  return items;
}
