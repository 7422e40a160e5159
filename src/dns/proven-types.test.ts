import { expect, test } from 'vitest';
import { rrType } from './codes.ts';
import {
  completeTypes,
  MAX_ADDED_TYPES,
  ownerStatus,
  provenTypeBitmap,
  type Denial,
} from './proven-types.ts';
import { encodeTypeBitmap } from './type-bitmap-octets.ts';
import { formatRecordType } from './type-mnemonic.ts';

const { AUTHORITATIVE, DELEGATION } = ownerStatus;
const { A, AAAA, CAA, DS, MX, NS, SOA, DNSKEY } = rrType;

test.each([
  ['an ordinary name', 'nsec', [MX, A], AUTHORITATIVE, 'A MX RRSIG NSEC'],
  ['an ordinary name', 'nsec3', [MX, A], AUTHORITATIVE, 'A MX RRSIG'],
  ['types on both sides of RRSIG', 'nsec', [CAA, A], AUTHORITATIVE, 'A RRSIG NSEC CAA'],
  ['an apex', 'nsec', [NS, SOA, DNSKEY], AUTHORITATIVE, 'NS SOA RRSIG NSEC DNSKEY'],
  ['a delegation without DS', 'nsec', [NS, A, AAAA], DELEGATION, 'NS RRSIG NSEC'],
  ['a delegation with DS', 'nsec', [NS, DS, A], DELEGATION, 'NS DS RRSIG NSEC'],
  ['a delegation without DS', 'nsec3', [A, NS], DELEGATION, 'NS'],
  ['a delegation with DS', 'nsec3', [DS, NS], DELEGATION, 'NS DS RRSIG'],
  ['an empty non-terminal', 'nsec3', [], AUTHORITATIVE, ''],
] as const)('%s with %s lists the right types', (_, denial: Denial, sets, status, expected) => {
  const types = new Uint16Array(sets.length + MAX_ADDED_TYPES);
  types.set(sets);
  const count = completeTypes(types, sets.length, status, denial);
  const listed = [...types.subarray(0, count)];
  expect(listed.map(formatRecordType).join(' ')).toBe(expected);
  expect(provenTypeBitmap(sets, status, denial)).toEqual(encodeTypeBitmap(listed));
});
