import { expect, test } from 'vitest';
import { assert } from '../base/assert.ts';
import { rrType } from '../dns/codes.ts';
import { formatDomainName } from '../dns/name.ts';
import type { Denial } from '../dns/proven-types.ts';
import { checkSetSignatures } from './check-set-signatures.test-support.ts';
import { checkSignedZone } from './check-signed-zone.test-support.ts';
import { openKeySecrets } from './key-secrets.ts';
import { createZoneKey } from './private-key.ts';
import { signatureTimes } from './signature-times.ts';
import { signWholeZone } from './sign-whole-zone.test-support.ts';
import { madeAlgorithm } from './zone-key.ts';
import { nameOf, readZoneRecords, type ZoneRecord } from './zone-records.test-support.ts';
import { createZoneSigner } from './zone-signer.ts';

const NOW_SECONDS = 1_800_000_000;
const apex = nameOf('example.com.');
const secrets = openKeySecrets(['a secret of more than 32 characters']);

/** A wildcard, delegations with and without DS and glue, a DNAME with an occluded name, and empty non-terminals. */
const ZONE = String.raw`
@ 3600 SOA ns1 hostmaster 1 7200 3600 1209600 300
@ 3600 NS ns1
@ 3600 NS NS.other.example.
ns1 300 A 192.0.2.53
www 300 A 192.0.2.1
www 200 A 192.0.2.2
www 60 MX 10 Mail.Example.COM.
*.wild 300 TXT "x"
a.b.c.d 300 CAA 0 issue "ca.example"
odd\000\(\255.x 300 A 192.0.2.3
cut 300 NS ns.cut
ns.cut 300 A 192.0.2.4
cut 300 A 192.0.2.6
secure 300 NS ns.secure
secure 300 DS 1 13 2 ${'00'.repeat(32)}
ns.deep.secure 300 A 192.0.2.5
moved 300 DNAME elsewhere.example.
below.moved 300 A 192.0.2.7
alias 300 CNAME www
`;

const unsigned = readZoneRecords(ZONE, apex);
const variants = Object.values(madeAlgorithm).flatMap((algorithm) =>
  (['nsec', 'nsec3'] as const).map((denial) => [algorithm, denial] as const),
);

function sign(algorithm: 13 | 15, denial: Denial): ZoneRecord[] {
  const wanted = { id: `key ${algorithm}`, algorithm, createdAtSeconds: NOW_SECONDS };
  const key = createZoneKey(wanted, secrets);
  const times = signatureTimes(1, NOW_SECONDS);
  return signWholeZone(unsigned, { apex, denial, key, signer: createZoneSigner(secrets), times });
}

function without(records: readonly ZoneRecord[], type: number, owner: string): ZoneRecord[] {
  return records.filter((record) => record.type !== type || formatDomainName(record.owner) !== owner);
}

/** Replaces the records of one owner and type; for RRSIG only the one that covers `covered`. */
function change(
  records: readonly ZoneRecord[],
  [owner, type, covered]: readonly [owner: string, type: number, covered?: number],
  to: (record: ZoneRecord) => ZoneRecord[],
): ZoneRecord[] {
  return records.flatMap((record) => {
    const matches = record.type === type && formatDomainName(record.owner) === owner;
    const covers = covered === undefined || Buffer.from(record.rdata).readUInt16BE(0) === covered;
    return matches && covers ? to(record) : [record];
  });
}

/** Changes one octet; counts from the end if negative. */
function flip(at: number): (record: ZoneRecord) => ZoneRecord[] {
  return (record) => {
    const rdata = record.rdata.slice();
    rdata[at < 0 ? rdata.length + at : at] ^= 1;
    return [{ ...record, rdata }];
  };
}

const { A, DS, MX, NS, NSEC, NSEC3, RRSIG, SOA, TXT } = rrType;
const WWW = 'www.example.com.';
const WILD = '*.wild.example.com.';
const none = (): ZoneRecord[] => [];

test.each<[string, Denial, (records: ZoneRecord[]) => ZoneRecord[], RegExp]>([
  [
    'a missing signature',
    'nsec',
    (zone) => change(zone, [WWW, RRSIG, MX], none),
    /www\S+ MX has no signature/,
  ],
  [
    'a wrong signature',
    'nsec',
    (zone) => change(zone, [WWW, RRSIG, A], flip(-1)),
    /www\S+ A has a wrong sig/,
  ],
  ['changed data', 'nsec', (zone) => change(zone, [WWW, MX], flip(1)), /www\S+ MX has a wrong signature/],
  ['a removed record', 'nsec', (zone) => dropFirst(zone, WWW, A), /www\S+ A has a wrong signature/],
  [
    'a wrong label count',
    'nsec',
    (zone) => change(zone, [WILD, RRSIG, TXT], flip(3)),
    /the label count 2, not 3/,
  ],
  [
    'a wrong original TTL',
    'nsec',
    (zone) => change(zone, [WWW, RRSIG, A], flip(7)),
    /original TTL 201, not 200/,
  ],
  [
    'an unknown key',
    'nsec3',
    (zone) => change(zone, [WWW, RRSIG, A], flip(17)),
    /which the zone does not have/,
  ],
  ['another signer', 'nsec', (zone) => change(zone, [WWW, RRSIG, A], flip(19)), /names another signer/],
  [
    'a signed delegation',
    'nsec',
    (zone) => signedAgain(zone, 'cut', NS),
    /cut\S+ NS is signed, but must not be/,
  ],
  [
    'signed glue',
    'nsec3',
    (zone) => signedAgain(zone, 'ns.cut', A),
    /ns.cut\S+ A is signed, but must not be/,
  ],
  [
    'an unsigned DS set',
    'nsec',
    (zone) => change(zone, ['secure.example.com.', RRSIG, DS], none),
    /DS has no sig/,
  ],
  ['a repeated record', 'nsec', (zone) => change(zone, [WWW, MX], (one) => [one, one]), /same record twice/],
  ['a missing NSEC record', 'nsec', (zone) => without(zone, NSEC, WWW), /www\S+ NSEC exists 0 times/],
  ['a chain that skips a name', 'nsec', (zone) => without(zone, MX, WWW), /www\S+ NSEC lists MX/],
  [
    'a name that is not in the chain',
    'nsec',
    (zone) => withName(zone, 'wwx'),
    /www\S+ NSEC names \S+ next, not wwx/,
  ],
  ['a bitmap without a type', 'nsec', (zone) => withName(zone, 'www', TXT), /www\S+ NSEC does not list TXT/],
  [
    'an NSEC record of an occluded name',
    'nsec',
    (zone) => withName(zone, 'ns.cut', NSEC),
    /NSEC must not exist/,
  ],
  ['a wrong NSEC TTL', 'nsec', (zone) => change(zone, [WWW, NSEC], slower), /NSEC has the TTL 301, not 300/],
  ['a missing empty non-terminal', 'nsec3', (zone) => withName(zone, 'a.new'), /of new\S+ exists 0 times/],
  ['a wrong NSEC3 bitmap', 'nsec3', (zone) => withName(zone, 'www', TXT), /of www\S+ does not list TXT/],
  [
    'an opt-out flag',
    'nsec3',
    (zone) => zone.flatMap((one) => (one.type === NSEC3 ? flip(1)(one) : [one])),
    /flags/,
  ],
  [
    'a wrong next hash',
    'nsec3',
    (zone) => zone.flatMap((one) => (one.type === NSEC3 ? flip(6)(one) : [one])),
    /next, not/,
  ],
  [
    'a name that was removed',
    'nsec3',
    (zone) => without(zone, A, 'ns1.example.com.'),
    /NSEC3 must not exist/,
  ],
  [
    'a CDS record of another key',
    'nsec',
    (zone) => change(zone, ['example.com.', rrType.CDS], flip(-1)),
    /CDS record is no/,
  ],
  [
    'a CDNSKEY record of another key',
    'nsec',
    (zone) => change(zone, ['example.com.', rrType.CDNSKEY], flip(9)),
    /CDNSKEY record is no/,
  ],
  ['no SOA record', 'nsec', (zone) => without(zone, SOA, 'example.com.'), /no SOA record/],
])('the checker finds %s', (_, denial, tamper, expected) => {
  const problems = checkSignedZone(tamper(sign(13, denial)), apex, NOW_SECONDS);
  expect(problems.join('\n')).toMatch(expected);
});

test('the checker finds signatures that have expired or are not valid yet', () => {
  const zone = sign(15, 'nsec');
  const { inception, expiration } = signatureTimes(1, NOW_SECONDS);
  expect(checkSignedZone(zone, apex, inception)).toEqual([]);
  expect(checkSignedZone(zone, apex, inception - 1).join()).toMatch(/not valid yet/);
  expect(checkSignedZone(zone, apex, expiration)).toEqual([]);
  expect(checkSignedZone(zone, apex, expiration + 1).join()).toMatch(/has expired/);
});

test('the checker tries every key that has the tag of a signature', () => {
  const zone = sign(15, 'nsec');
  const key = zone.find(({ type }) => type === rrType.DNSKEY);
  assert(key !== undefined, 'the zone has a key');
  // The tag is a sum of 16-bit words, which does not depend on their order.
  const rdata = Uint8Array.of(...key.rdata.slice(0, 4), ...key.rdata.slice(6), ...key.rdata.slice(4, 6));
  const set = zone.filter(({ owner, type }) => formatDomainName(owner) === WWW && type === MX);
  const signatures = zone.filter(
    ({ owner, type, rdata: signature }) =>
      formatDomainName(owner) === WWW && type === RRSIG && Buffer.from(signature).readUInt16BE(0) === MX,
  );
  const checked = { set, signatures, unpublished: [], apex, nowSeconds: NOW_SECONDS };
  expect(checkSetSignatures({ ...checked, keys: [{ ...key, rdata }, key] })).toEqual([]);
  expect(checkSetSignatures({ ...checked, keys: [{ ...key, rdata }] })).toEqual([
    'www.example.com. MX has a wrong signature',
  ]);
});

function slower(record: ZoneRecord): ZoneRecord[] {
  return [{ ...record, ttl: record.ttl + 1 }];
}

function dropFirst(records: readonly ZoneRecord[], owner: string, type: number): ZoneRecord[] {
  let dropped = 0;
  return change(records, [owner, type], (record) => (dropped++ === 0 ? [] : [record]));
}

/** Adds a record at a name below the apex, without signing. */
function withName(records: readonly ZoneRecord[], label: string, type: number = A): ZoneRecord[] {
  const owner = nameOf(`${label}.example.com.`);
  const like = records.find((record) => record.type === type);
  return [...records, { owner, type, ttl: 300, rdata: like?.rdata ?? Uint8Array.of(1, 65) }];
}

/** Adds a signature of a set that must have none; its content does not matter. */
function signedAgain(records: readonly ZoneRecord[], label: string, type: number): ZoneRecord[] {
  const rdata = new Uint8Array(100);
  rdata[1] = type;
  return [...records, { owner: nameOf(`${label}.example.com.`), type: RRSIG, ttl: 300, rdata }];
}

test.each(variants)('a zone signed with algorithm %i and %s has no problems', (algorithm, denial) => {
  expect(checkSignedZone(sign(algorithm, denial), apex, NOW_SECONDS)).toEqual([]);
});
