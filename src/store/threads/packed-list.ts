// Lists in messages between threads. A short list is part of its message. A long list is sent ahead of the message in
// pieces, each encoded or decoded in one step, so that the thread can serve requests between the steps, and so that no
// text grows with what customers store: V8 has no string of more than 512 million characters.
import type { Steps } from '../../base/steps.ts';

/** The items, or the range of the pieces that contain them. */
export type PackedList<Packed> = readonly Packed[] | PieceRange;

interface PieceRange {
  readonly first: number;
  readonly end: number;
}

/** Encoding or decoding them takes some 2 ms. A batch of changes is at most ten times as large, so it is short work. */
const ITEMS_A_PIECE = 1000;

/**
 * A piece ends with the item that reaches this size. JSON has at most six characters for an octet, and no item has more
 * than four times 65,535 octets, so that a piece has at most `MAX_PIECE_CHARACTERS`.
 */
const PIECE_OCTETS = 256 * 1024;

/** The most characters of a piece, and of a message after its last part was added. */
export const MAX_PIECE_CHARACTERS = 4 * 1024 * 1024;

/** A message to which nothing more is added: parts and pieces then stay far below the limit of a string. */
export const FULL_MESSAGE_CHARACTERS = 1024 * 1024;

/** Sends the pieces of a message ahead of it. */
export class PieceSender {
  private readonly post: (text: string) => void;
  private sent = 0;

  constructor(post: (text: string) => void) {
    this.post = post;
  }

  /** Returns the position of the piece in its message. */
  send(items: readonly unknown[]): number {
    this.post(JSON.stringify(items));
    return this.sent++;
  }

  /** The message was sent: the next piece belongs to another one. */
  endMessage(): void {
    this.sent = 0;
  }
}

/** @param octetsOf the approximate size of an item */
export function* packList<Item, Packed>(
  items: readonly Item[],
  pack: (item: Item) => Packed,
  octetsOf: (item: Item) => number,
  pieces: PieceSender,
): Steps<PackedList<Packed>> {
  let first: number | undefined;
  let part: Packed[] = [];
  let octets = 0;
  for (const item of items) {
    if (part.length === ITEMS_A_PIECE || octets >= PIECE_OCTETS) {
      const piece = pieces.send(part);
      first ??= piece;
      part = [];
      octets = 0;
      yield;
    }
    part.push(pack(item));
    octets += octetsOf(item);
  }
  if (first === undefined && octets < PIECE_OCTETS) return part;
  const last = pieces.send(part);
  return { first: first ?? last, end: last + 1 };
}

/** @param pieces those that arrived before the message; each is emptied when it is unpacked */
export function* unpackList<Packed, Item>(
  list: PackedList<Packed>,
  unpack: (packed: Packed) => Item,
  pieces: string[],
): Steps<readonly Item[]> {
  if (!('end' in list)) return list.map((packed) => unpack(packed));
  const items: Item[] = [];
  for (let at = list.first; at < list.end; at++) {
    for (const packed of JSON.parse(pieces[at]) as Packed[]) items.push(unpack(packed));
    // The text and the items of all pieces together would take twice the memory.
    pieces[at] = '';
    yield;
  }
  return items;
}
