import { expect, test } from 'vitest';
import { ByteReader } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';

test('the reader reads what the writer wrote', () => {
  const writer = new ByteWriter(1);
  writer.u8(0xfe);
  writer.u16(0xfedc);
  writer.u32(0xfedcba98);
  writer.bytes(Uint8Array.of(1, 2, 3));
  writer.patchU8(0, 7);
  expect(writer.at(0)).toBe(7);
  expect(writer.at(10)).toBe(0);
  const reader = new ByteReader(writer.finish());
  expect([reader.u8(), reader.u16(), reader.u32()]).toEqual([7, 0xfedc, 0xfedcba98]);
  expect(reader.rest()).toEqual(Uint8Array.of(1, 2, 3));
  expect([reader.remaining, reader.failed]).toEqual([0, false]);
});

test.each([
  ['u8', 0, (reader: ByteReader) => reader.u8()],
  ['u16', 1, (reader: ByteReader) => reader.u16()],
  ['u32', 3, (reader: ByteReader) => reader.u32()],
  ['take', 3, (reader: ByteReader) => reader.take(4).length],
  ['skip', 3, (reader: ByteReader) => (reader.skip(4), 0)],
])('%s past the end returns nothing and fails permanently', (_, octets, read) => {
  const reader = new ByteReader(new Uint8Array(octets).fill(9));
  expect(read(reader)).toBe(0);
  expect(reader.failed).toBe(true);
  expect(reader.remaining).toBe(0);
  reader.rest();
  expect(reader.failed).toBe(true);
});

test('reading stops at the given end', () => {
  const reader = new ByteReader(Uint8Array.of(1, 2, 3, 4), 1, 3);
  expect(reader.u16()).toBe(0x0203);
  expect(reader.u8()).toBe(0);
  expect(reader.failed).toBe(true);
});
