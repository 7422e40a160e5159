import { createHash, type Hash } from 'node:crypto';
import type { Cell, Row, StoreTable } from './store-tables.ts';

const FIRST_BUFFER_BYTES = 64 * 1024;

/** Written before each cell, so that different rows never have the same encoding. */
const tags = { null: 0, number: 1, text: 2, bytes: 3 } as const;

/**
 * SHA-256 of the content of a store in an encoding that does not depend on the engine: table by table, row by row in key
 * order.
 *
 *   row   = number of cells (1 octet), cells
 *   cell  = 0 | 1, double (8 octets) | 2, length (4 octets), UTF-8 | 3, length (4 octets), octets     (little-endian)
 */
export class ContentHash {
  private readonly hash: Hash = createHash('sha256');
  private buffer = Buffer.allocUnsafe(FIRST_BUFFER_BYTES);
  private length = 0;
  /** Columns of the table that every version has. */
  private firstColumns = 1;

  startTable({ name, columns, laterColumns }: StoreTable): void {
    this.addRow([name]);
    this.flush();
    this.firstColumns = columns.length - laterColumns;
  }

  add(rows: readonly Row[]): void {
    for (const row of rows) this.addRow(this.withoutLater(row));
    this.flush();
  }

  /** Returns the hash in hexadecimal; nothing can be added afterwards. */
  finish(): string {
    return this.hash.digest('hex');
  }

  /** Later columns count from the first to the last that is not null, so the hashes of older backups stay valid. */
  private withoutLater(row: Row): Row {
    let length = row.length;
    while (length > this.firstColumns && row[length - 1] === null) length--;
    return length === row.length ? row : row.slice(0, length);
  }

  private addRow(row: Row): void {
    this.reserve(1);
    this.length = this.buffer.writeUInt8(row.length, this.length);
    for (const cell of row) this.addCell(cell);
  }

  private addCell(cell: Cell): void {
    if (cell === null) {
      this.reserve(1);
      this.length = this.buffer.writeUInt8(tags.null, this.length);
    } else if (typeof cell === 'number') {
      this.reserve(9);
      this.buffer.writeUInt8(tags.number, this.length);
      this.length = this.buffer.writeDoubleLE(cell, this.length + 1);
    } else if (typeof cell === 'string') {
      // UTF-8 takes at most three octets for a UTF-16 unit.
      this.reserve(5 + cell.length * 3);
      const length = this.buffer.write(cell, this.length + 5);
      this.addHead(tags.text, length);
      this.length += length;
    } else {
      this.reserve(5 + cell.length);
      this.buffer.set(cell, this.length + 5);
      this.addHead(tags.bytes, cell.length);
      this.length += cell.length;
    }
  }

  private addHead(tag: number, length: number): void {
    this.buffer.writeUInt8(tag, this.length);
    this.length = this.buffer.writeUInt32LE(length, this.length + 1);
  }

  private reserve(bytes: number): void {
    if (this.length + bytes <= this.buffer.length) return;
    this.flush();
    if (bytes > this.buffer.length) this.buffer = Buffer.allocUnsafe(bytes);
  }

  private flush(): void {
    this.hash.update(this.buffer.subarray(0, this.length));
    this.length = 0;
  }
}
