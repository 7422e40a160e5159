import { createHash, type Hash } from 'node:crypto';
import type { TransferCell, TransferRow, TransferTable } from './migration-tables.ts';

const FIRST_BUFFER_BYTES = 64 * 1024;

/** Before each cell's octets, so that no two rows are written alike. */
const tags = { null: 0, number: 1, text: 2, bytes: 3 } as const;

/**
 * SHA-256 of a store's content in one fixed writing: table by table, row by row in key order. Engines that hold the same
 * have the same hash.
 *
 *   row   = number of cells (1 octet), cells
 *   cell  = 0 | 1, double (8 octets) | 2, length (4 octets), UTF-8 | 3, length (4 octets), octets     (little-endian)
 */
export class ContentHash {
  private readonly hash: Hash = createHash('sha256');
  private buffer = Buffer.allocUnsafe(FIRST_BUFFER_BYTES);
  private length = 0;

  startTable({ name }: TransferTable): void {
    this.addRow([name]);
    this.flush();
  }

  add(rows: readonly TransferRow[]): void {
    for (const row of rows) this.addRow(row);
    this.flush();
  }

  /** Hexadecimal. Nothing can be added afterwards. */
  finish(): string {
    return this.hash.digest('hex');
  }

  private addRow(row: TransferRow): void {
    this.reserve(1);
    this.length = this.buffer.writeUInt8(row.length, this.length);
    for (const cell of row) this.addCell(cell);
  }

  private addCell(cell: TransferCell): void {
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
