import { expect, test } from 'vitest';
import { rrType } from '../dns/codes.ts';
import { formatDomainName } from '../dns/name.ts';
import { ownerStatus } from '../dns/proven-types.ts';
import { formatRdata } from '../dns/rdata/rdata.ts';
import type { StoredSignature } from '../dns/stored-signature.ts';
import type { FormattedRecord } from '../dns/zone-file/format-zone-file.ts';
import type { ZoneName } from '../model/domain.ts';
import {
  encodeHashedName,
  encodeOwnerSignatures,
  encodeSignedSoa,
  generatedType,
  SOA_ID,
  SOA_OWNER,
} from '../model/generated-row.ts';
import type { DomainRecord, OwnerKey } from '../model/record.ts';
import { soaOf } from '../model/soa.ts';
import { ZoneDamaged } from '../store/zone-damage.ts';
import { chainNameOf, chainRecords, openSignedZone, ownerRecords } from './signed-zone-records.ts';

const name = 'example.test' as ZoneName;
const { A, DS, NS, NSEC, NSEC3, SOA } = rrType;
const damaged = Uint8Array.of(1, 2, 3);

const head = { name, serial: 7, soaPrimary: null, soaEmail: null };
const defaults = { nameservers: ['ns.example.net'], mailbox: 'hostmaster@example.net' };
const soaData = soaOf(head, defaults).rdata;
const zone = openSignedZone(name, soaRow(encodeSignedSoa({ rdata: soaData, signatures: [signature(SOA)] })));

function signature(type: number, keyTag = 9): StoredSignature {
  return { type, keyTag, algorithm: 13, inception: 1, expiration: 2, signature: Uint8Array.of(0xff) };
}

function row(owner: string, type: number, ttl: number, rdata: Uint8Array, id = 'x'): DomainRecord {
  return { id, owner: owner as OwnerKey, name: '', type, data: '', priority: -1, ttl, rdata };
}

function soaRow(rdata: Uint8Array): DomainRecord {
  return row(SOA_OWNER, generatedType.signedSoa, 3600, rdata, SOA_ID);
}

function show(records: Iterable<FormattedRecord>): string[] {
  return Array.from(
    records,
    ({ owner, ttl, type, rdata }) => `${formatDomainName(owner)} ${ttl} ${type} ${formatRdata(type, rdata)}`,
  );
}

const rrsig = (text: string, ttl: number, tag = 9): string =>
  `${text} ${ttl} 19700101000002 19700101000001 ${tag} example.test. /w==`;

test('the SOA record is the one that was signed', () => {
  expect(show(zone.soa)).toEqual([
    'example.test. 3600 6 ns.example.net. hostmaster.example.test. 7 3600 600 1209600 300',
    rrsig('example.test. 3600 46 SOA 13 2', 3600),
  ]);
  expect([zone.serial, zone.negativeTtl]).toEqual([7, 300]);
});

test('each set has its lowest TTL and all its signatures', () => {
  const signatures = [signature(A), signature(A, 10), signature(NSEC)];
  const rows = [
    row('*', A, 300, Uint8Array.of(192, 0, 2, 1)),
    row('*', A, 200, Uint8Array.of(192, 0, 2, 2)),
    row('*', generatedType.signatures, 0, encodeOwnerSignatures(ownerStatus.AUTHORITATIVE, signatures)),
  ];
  expect(show(ownerRecords(zone, '*' as OwnerKey, rows))).toEqual([
    '*.example.test. 200 1 192.0.2.1',
    '*.example.test. 200 1 192.0.2.2',
    rrsig('*.example.test. 200 46 A 13 2', 200),
    rrsig('*.example.test. 200 46 A 13 2', 200, 10),
  ]);
});

test('an NSEC record lists the types of its name; occluded names have none', () => {
  const chained = (owner: string, status: 0 | 1 | 2, types: readonly number[]) => {
    const rdata = encodeOwnerSignatures(
      status,
      types.map((type) => signature(type)),
    );
    return chainNameOf(zone, { owner: owner as OwnerKey, signatures: rdata, hashedName: undefined });
  };
  const apex = chained('', ownerStatus.AUTHORITATIVE, [NS, NSEC]);
  const cut = chained('sub', ownerStatus.DELEGATION, [DS, NSEC]);
  expect(chained('ns.sub', ownerStatus.OCCLUDED, [])).toBeUndefined();
  expect(show(chainRecords(zone, apex!, cut!))).toEqual([
    'example.test. 300 47 sub.example.test. NS SOA RRSIG NSEC',
    rrsig('example.test. 300 46 NSEC 13 2', 300),
  ]);
  expect(show(chainRecords(zone, cut!, apex!))[0]).toBe(
    'sub.example.test. 300 47 example.test. NS DS RRSIG NSEC',
  );
});

test('an NSEC3 record of a name that owns nothing lists no types', () => {
  const hashed = (octet: number) =>
    encodeHashedName({ hash: new Uint8Array(20).fill(octet), signatures: [signature(NSEC3)] });
  const [first, last] = [0, 255].map((octet) =>
    chainNameOf(zone, { owner: 'b' as OwnerKey, signatures: undefined, hashedName: hashed(octet) }),
  );
  expect(show(chainRecords(zone, first!, last!))).toEqual([
    `${'0'.repeat(32)}.example.test. 300 50 1 0 0 - ${'v'.repeat(32)}`,
    rrsig(`${'0'.repeat(32)}.example.test. 300 46 NSEC3 13 3`, 300),
  ]);
});

test('damaged rows are an error', () => {
  expect(() => openSignedZone(name, undefined)).toThrow(ZoneDamaged);
  expect(() => openSignedZone(name, soaRow(damaged))).toThrow(ZoneDamaged);
  const owner = 'a' as OwnerKey;
  const address = row('a', A, 300, Uint8Array.of(192, 0, 2, 1));
  for (const rows of [[address], [address, row('a', generatedType.signatures, 0, damaged)]])
    expect(() => show(ownerRecords(zone, owner, rows))).toThrow(ZoneDamaged);
  expect(() => chainNameOf(zone, { owner, signatures: damaged, hashedName: undefined })).toThrow(ZoneDamaged);
  expect(() => chainNameOf(zone, { owner, signatures: undefined, hashedName: damaged })).toThrow(ZoneDamaged);
});
