import { expect, test } from 'vitest';
import { HashSum } from '../base/hash-sum.ts';
import type { ZoneName } from './domain.ts';
import type { OwnerKey } from './record.ts';
import { addRecord, subtractRecord, zoneHash, type HashedRecord } from './zone-hash.ts';

const record: HashedRecord = {
  id: 'r1',
  owner: 'www' as OwnerKey,
  type: 1,
  ttl: 300,
  rdata: Uint8Array.of(192, 0, 2, 1),
};
const head = { domainId: 1, name: 'a.example' as ZoneName, serial: 5, soaPrimary: null, soaEmail: null };

function hashOf(...records: readonly HashedRecord[]): string {
  const sum = new HashSum();
  for (const one of records) addRecord(sum, one);
  return sum.toString();
}

test.each<Partial<HashedRecord>>([
  { id: 'r2' },
  { owner: 'ww' as OwnerKey },
  { type: 2 },
  { ttl: 301 },
  { ttl: 2 ** 31 - 1 },
  { rdata: Uint8Array.of(192, 0, 2, 2) },
  { rdata: new Uint8Array(0) },
  { id: 'r1w', owner: 'ww' as OwnerKey },
])('the hash of a record covers %o', (fields) => {
  expect(hashOf({ ...record, ...fields })).not.toBe(hashOf(record));
});

test('the hash of a zone is that of its records, and a record can be taken away', () => {
  const other = { ...record, id: 'r2', rdata: new Uint8Array(65_535).fill(7) };
  const sum = HashSum.parse(hashOf(record, other));
  expect(hashOf(other, record)).toBe(sum.toString());
  subtractRecord(sum, record);
  expect(sum.toString()).toBe(hashOf(other));
});

test.each([
  { domainId: 2 },
  { name: 'b.example' as ZoneName },
  { serial: 6 },
  { soaPrimary: '' },
  { soaEmail: '' },
  { soaPrimary: 'ns1.example.net' },
  { soaEmail: 'ns1.example.net' },
  { isWithheld: true },
])('the hash of a zone covers %o', (fields) => {
  expect(zoneHash({ ...head, ...fields }, 'hash')).not.toBe(zoneHash(head, 'hash'));
});
