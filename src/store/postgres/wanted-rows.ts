/** Thrown if a command needs a row that is not fetched yet. One shared object, because it is thrown often and never shown. */
export const rowsNeeded = new Error('a row has to be fetched first');

/** Rows of one kind by key; each is known (possibly as missing from the database) or still to be fetched. */
export class WantedRows<T> {
  readonly open = new Set<string>();
  private readonly known = new Map<string, T | undefined>();

  want(key: string): void {
    if (!this.known.has(key)) this.open.add(key);
  }

  knownKeys(): Iterable<string> {
    return this.known.keys();
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

  putAbsent(key: string): void {
    this.known.set(key, undefined);
  }

  /** Adds a row to a key whose value is a list. */
  add<Row>(this: WantedRows<Row[]>, key: string, row: Row): void {
    const rows = this.known.get(key);
    if (rows === undefined) this.known.set(key, [row]);
    else rows.push(row);
  }

  /** Marks all requested rows that were not found as missing from the database. */
  settle(): void {
    for (const key of this.open) if (!this.known.has(key)) this.known.set(key, undefined);
    this.open.clear();
  }
}
