import { expect, test } from 'vitest';
import { rrType } from '../codes.ts';
import {
  findRecordType,
  formatRecordType,
  isDataType,
  parseRecordType,
  recordTypes,
} from './record-type-registry.ts';

test('each declaration has the IANA number of its mnemonic, once', () => {
  const numbers = new Map<string, number>(Object.entries(rrType));
  for (const type of recordTypes) {
    expect(numbers.get(type.mnemonic)).toBe(type.number);
    expect(findRecordType(type.number)).toBe(type);
    expect(type.help).toMatch(/^[A-Z].*\.$/);
    expect(type.reference).toMatch(/^(RFC \d+|IANA )/);
  }
  expect(recordTypes.map((type) => type.mnemonic)).toEqual(recordTypes.map((type) => type.mnemonic).sort());
});

test('all promised types are declared, and customers cannot write the service-owned ones', () => {
  const product =
    'A AAAA AFSDB AMTRELAY APL CAA CDNSKEY CDS CERT CNAME CSYNC DHCID DNAME DS DSYNC EUI48 EUI64 HINFO HIP HTTPS IPSECKEY KX L32 L64 LOC LP MX NAPTR NID NS OPENPGPKEY PTR RESINFO RP SMIMEA SPF SRV SSHFP SVCB TLSA TXT URI WALLET X25 ZONEMD';
  const own = 'DNSKEY NSEC NSEC3 NSEC3PARAM RRSIG SOA';
  const names = (serviceOwned: boolean) =>
    recordTypes.filter((type) => (type.serviceOwned ?? false) === serviceOwned).map((type) => type.mnemonic);
  expect(names(false).join(' ')).toBe(product);
  expect(names(true).join(' ')).toBe(own);
});

test.each([
  ['A', 1],
  ['mx', 15],
  ['Caa', 257],
  ['TYPE1', 1],
  ['type65280', 65280],
  ['TYPE65535', 65535],
  ['ANY', 255],
  ['TYPE0', undefined],
  ['TYPE01', undefined],
  ['TYPE65536', undefined],
  ['TYPE', undefined],
  ['TYPE-1', undefined],
  ['TYPE99999999999', undefined],
  ['BOGUS', undefined],
  ['', undefined],
  [' A', undefined],
  ['toString', undefined],
])('the type %j is %s', (text, number) => {
  expect(parseRecordType(text)).toBe(number);
});

test('every number survives formatting and parsing', () => {
  for (let number = 1; number <= 65535; number++)
    expect(parseRecordType(formatRecordType(number))).toBe(number);
  expect(formatRecordType(65280)).toBe('TYPE65280');
});

test('types 0, OPT and 128 to 255 are not data types', () => {
  const refused = Array.from({ length: 1024 }, (_, number) => number).filter((number) => !isDataType(number));
  expect(refused).toEqual([0, 41, ...Array.from({ length: 128 }, (_, i) => 128 + i)]);
});
