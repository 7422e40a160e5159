// Lists in messages between threads. A short one stands where it belongs; a long one travels beside the message, as texts
// of so many items that each is written or read in a step: the thread that serves requests does other things in between.
import type { Steps } from '../../base/steps.ts';

/** The items, or the list's place among the long ones. */
export type PackedList<Packed> = readonly Packed[] | number;

/** Of each long list the texts, in order. */
export type LongLists = readonly (readonly string[])[];

/** Some 2 ms to write or read: a batch of changes, at most ten times as large, is short work. */
const ITEMS_A_STEP = 1000;

/** @param long where a long list goes */
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
