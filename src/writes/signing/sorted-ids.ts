/** A block that grows beyond it is split: adding an id moves so many entries at most, which takes less than a microsecond. */
const MAX_BLOCK_IDS = 512;

/** Different ids in order, in blocks: adding and deleting stay cheap however many there are, and in any order of calls. */
export class SortedIds {
  /** None is empty. */
  private readonly blocks: string[][] = [];

  /** @param ids in any order, each once */
  constructor(ids: readonly string[]) {
    const sorted = ids.toSorted(compareIds);
    for (let start = 0; start < sorted.length; start += MAX_BLOCK_IDS / 2) {
      this.blocks.push(sorted.slice(start, start + MAX_BLOCK_IDS / 2));
    }
  }

  /** An id that is there already is not added. */
  add(id: string): void {
    const at = Math.max(0, this.blockAfter(id) - 1);
    const block = this.blocks.at(at);
    if (block === undefined) {
      this.blocks.push([id]);
      return;
    }
    const place = placeOf(block, id);
    if (block[place] === id) return;
    block.splice(place, 0, id);
    if (block.length > MAX_BLOCK_IDS) this.blocks.splice(at + 1, 0, block.splice(MAX_BLOCK_IDS / 2));
  }

  delete(id: string): void {
    const at = this.blockAfter(id) - 1;
    if (at < 0) return;
    const block = this.blocks[at];
    const place = placeOf(block, id);
    if (block[place] !== id) return;
    block.splice(place, 1);
    if (block.length === 0) this.blocks.splice(at, 1);
  }

  /** The greatest id before `id`. */
  before(id: string): string | undefined {
    // A block that begins with `id` has nothing before it.
    const at = findPlace(this.blocks, ([first]) => first < id) - 1;
    if (at < 0) return undefined;
    const block = this.blocks[at];
    return block[placeOf(block, id) - 1];
  }

  /** The least id after `id`. */
  after(id: string): string | undefined {
    const next = this.blockAfter(id);
    if (next > 0) {
      const block = this.blocks[next - 1];
      const place = findPlace(block, (other) => other <= id);
      if (place < block.length) return block[place];
    }
    return this.blocks.at(next)?.[0];
  }

  /** The place of the first block that begins after `id`. */
  private blockAfter(id: string): number {
    return findPlace(this.blocks, ([first]) => first <= id);
  }
}

/** The place of the first id that is not before `id`. */
function placeOf(block: readonly string[], id: string): number {
  return findPlace(block, (other) => other < id);
}

/** The number of items that are before the wanted place; all of them come first. */
export function findPlace<T>(items: readonly T[], isBefore: (item: T) => boolean): number {
  let low = 0;
  for (let high = items.length; low < high;) {
    const middle = (low + high) >>> 1;
    if (isBefore(items[middle])) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function compareIds(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
