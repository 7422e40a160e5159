import type { DomainRecord } from '../../model/record.ts';

type FindRow = (prefix: string, id: string) => DomainRecord | undefined;

/**
 * Finds the committed rows before or after a place, passing over those that the batch has written. A place whose neighbour
 * was passed points to the next one from then on, so that a batch which drops many neighbours passes each of them once.
 */
export class CommittedNeighbours {
  private readonly read: FindRow;
  private readonly isNearer: (id: string, other: string) => boolean;
  /** By id, which begins with the prefix. */
  private readonly known = new Map<string, DomainRecord | undefined>();

  /**
   * @param read finds the neighbour as committed
   * @param isNearer whether an id is nearer to a place than another one
   */
  constructor(read: FindRow, isNearer: (id: string, other: string) => boolean) {
    this.read = read;
    this.isNearer = isNearer;
  }

  /**
   * The nearer one of `mine` and the nearest committed row that is not among those written.
   *
   * @param id begins with `prefix`
   * @param mine the nearest one of the batch's rows
   * @param written rows that the batch has put or dropped, by id; none ever leaves
   */
  nearest(
    prefix: string,
    id: string,
    mine: DomainRecord | undefined,
    written: ReadonlyMap<string, unknown>,
  ): DomainRecord | undefined {
    const passed: string[] = [];
    let place = id;
    let row = this.find(prefix, place);
    while (
      row !== undefined &&
      written.has(row.id) &&
      (mine === undefined || this.isNearer(row.id, mine.id))
    ) {
      passed.push(place);
      place = row.id;
      row = this.find(prefix, place);
    }
    for (const former of passed) this.known.set(former, row);
    if (row === undefined) return mine;
    return mine === undefined || this.isNearer(row.id, mine.id) ? row : mine;
  }

  /** Takes a committed neighbour that was read together with others. */
  learn(id: string, row: DomainRecord | undefined): void {
    this.known.set(id, row);
  }

  private find(prefix: string, id: string): DomainRecord | undefined {
    const known = this.known.get(id);
    if (known !== undefined || this.known.has(id)) return known;
    const row = this.read(prefix, id);
    this.known.set(id, row);
    return row;
  }
}
