import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { ContentHash } from './content-hash.ts';
import { accountsTable, domainsTable, recordsTable, type Row } from './store-tables.ts';

function hashOf(...slices: (readonly Row[])[]): string {
  const hash = new ContentHash();
  hash.startTable(accountsTable);
  for (const slice of slices) hash.add(slice);
  return hash.finish();
}

test('ContentHash encodes rows as documented', () => {
  const hash = new ContentHash();
  hash.startTable(recordsTable);
  hash.add([[1, 'é', Uint8Array.of(7), null]]);
  const encoded = '01 02 07000000 7265636f726473 04 01 000000000000f03f 02 02000000 c3a9 03 01000000 07 00';
  const bytes = Buffer.from(encoded.replaceAll(' ', ''), 'hex');
  expect(hash.finish()).toBe(createHash('sha256').update(bytes).digest('hex'));
});

test('the hash does not depend on how rows are divided into slices', () => {
  expect(hashOf([['a'], ['b']], [['c']])).toBe(hashOf([['a']], [], [['b'], ['c']]));
});

test('a row whose later columns are empty has the hash that earlier versions gave it', () => {
  const before: Row = [1, 'a', 'a.test', 5, 9, null, null, 2];
  const later = Array<null | number>(domainsTable.columns.length - before.length).fill(null);
  const hashOfDomain = (row: Row): string => {
    const hash = new ContentHash();
    hash.startTable(domainsTable);
    hash.add([row]);
    return hash.finish();
  };
  const with7At = (at: number): Row => [...before, ...later.with(at, 7)];
  expect(hashOfDomain([...before, ...later])).toBe(hashOfDomain(before));
  for (const at of later.keys()) {
    expect(hashOfDomain(with7At(at)), `column ${at}`).not.toBe(hashOfDomain(before));
    expect(hashOfDomain(with7At(at)), `column ${at}`).not.toBe(
      hashOfDomain(with7At((at + 1) % later.length)),
    );
  }
});

test('a cell larger than the buffer is hashed completely', () => {
  const large = 'x'.repeat(300_000);
  expect(hashOf([['a', large, 'b']])).not.toBe(hashOf([['a', `${large}y`, 'b']]));
  expect(hashOf([['a', large, 'b']])).toBe(hashOf([['a', large, 'b']]));
});

test.each([
  [['a', 'b'], ['ab']],
  [['1'], [1]],
  [[null], ['']],
  [[null], [0]],
  [[''], [new Uint8Array()]],
  [['a'], [Uint8Array.of(97)]],
] as [Row, Row][])('%j and %j have different hashes', (one, other) => {
  expect(hashOf([one])).not.toBe(hashOf([other]));
});
