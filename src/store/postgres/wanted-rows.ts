/** A command asked for a row that is not here yet. One object for all: it is thrown often and never shown. */
export const rowsNeeded = new Error('a row has to be fetched first');

/** Rows of one kind by key: known (also as not there), or wanted. */
export class WantedRows<T> {
  readonly open = new Set<string>();
  private readonly known = new Map<string, T | undefined>();

  want(key: string): void {
    if (!this.known.has(key)) this.open.add(key);
  }

  knows(key: string): boolean {
    return this.known.has(key);
  }

  /** @throws rowsNeeded */
  get(key: string): T | undefined {
    if (this.known.has(key)) return this.known.get(key);
    this.open.add(key);
    throw rowsNeeded;
  }

  peek(key: string): T | undefined {
    return this.known.get(key);
  }

  put(key: string, row: T): void {
    this.known.set(key, row);
  }

  /** Where what is wanted is a list of rows. */
  add<Row>(this: WantedRows<Row[]>, key: string, row: Row): void {
    const rows = this.known.get(key);
    if (rows === undefined) this.known.set(key, [row]);
    else rows.push(row);
  }

  /** What was fetched and not found is not there. */
  settle(): void {
    for (const key of this.open) if (!this.known.has(key)) this.known.set(key, undefined);
    this.open.clear();
  }
}
