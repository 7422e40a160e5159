import { expect, test } from 'vitest';
import type { NamedKey } from '../match-ds.ts';
import { findDsObstacles, findOldSerials, isUncertain, type Obstacle } from './obstacles.ts';
import { dsOf, keyOf, lookOf, name, newKey, oldKey, silence } from './rollover-scene.test-support.ts';

test.each([
  [100, 100, true],
  [101, 100, true],
  [99, 100, false],
  // RFC 1982 section 3.2: 0 follows 2^32 - 1.
  [0, 4_294_967_295, true],
  [4_294_967_295, 0, false],
  [2_147_483_747, 100, true],
  // The order of serials that are 2^31 apart is undefined.
  [2_147_483_748, 100, false],
  [2_147_483_749, 100, false],
])('a server with the serial %i has the serial %i: %s', (seen, serial, expected) => {
  const look = { kind: 'asked', servers: [{ name: 'ns1', address: '8.8.8.1', serial: seen }] } as const;
  expect(findOldSerials(look, serial)).toEqual(
    expected ? [] : [{ kind: 'old_serial', server: 'ns1', address: '8.8.8.1', serial: seen }],
  );
});

test('every address of every nameserver has to have the serial', () => {
  const look = {
    kind: 'asked',
    servers: [
      { name: 'ns1', address: '8.8.8.1', serial: 7 },
      { name: 'ns1', address: '2606:4700::1', serial: 6 },
      { name: 'ns2', address: '8.8.8.2', serial: 7 },
      { name: 'ns3', address: '8.8.8.3', problem: silence },
      {
        name: 'ns4',
        address: undefined,
        problem: { kind: 'no_address', message: 'it has no public address' },
      },
    ],
  } as const;
  expect(findOldSerials(look, 7)).toEqual([
    { kind: 'old_serial', server: 'ns1', address: '2606:4700::1', serial: 6 },
    { kind: 'silent', server: 'ns3', address: '8.8.8.3', reason: 'it did not answer in time' },
    { kind: 'silent', server: 'ns4', address: null, reason: 'it has no public address' },
  ]);
});

test('nothing is known if nobody was asked, or nobody is there', () => {
  const unknown = { kind: 'unknown', reason: 'the nameservers of example.com cannot be found' } as const;
  const nobody = { kind: 'unknown', reason: 'no nameserver is known' };
  const exchange = { name, incoming: [newKey], outgoing: [oldKey] };
  expect(findOldSerials(unknown, 7)).toEqual([unknown]);
  expect(findOldSerials(undefined, 7)).toEqual([
    { kind: 'unknown', reason: 'the nameservers were not asked' },
  ]);
  expect(findOldSerials({ kind: 'asked', servers: [] }, 7)).toEqual([nobody]);
  expect(findDsObstacles(unknown, exchange)).toEqual([unknown]);
  expect(findDsObstacles(undefined, exchange)).toEqual([
    { kind: 'unknown', reason: 'the parent zone was not asked' },
  ]);
  expect(findDsObstacles(lookOf({}), exchange)).toEqual([nobody]);
});

test('each address of each server of the parent zone says which DS records are missing and which are left', () => {
  const look = lookOf({
    done: [[dsOf(newKey)]],
    both: [[dsOf(newKey), dsOf(oldKey)]],
    old: [[dsOf(newKey)], [dsOf(oldKey)]],
    empty: [[]],
    silent: [null],
  });
  expect(findDsObstacles(look, { name, incoming: [newKey], outgoing: [oldKey] })).toEqual([
    { kind: 'ds_left', server: 'both', address: '8.8.8.1', ds: [dsOf(oldKey)] },
    { kind: 'ds_missing', server: 'old', address: '8.8.8.2', ds: [dsOf(newKey)] },
    { kind: 'ds_left', server: 'old', address: '8.8.8.2', ds: [dsOf(oldKey)] },
    { kind: 'ds_missing', server: 'empty', address: '8.8.8.1', ds: [dsOf(newKey)] },
    { kind: 'silent', server: 'silent', address: '8.8.8.1', reason: 'it did not answer in time' },
  ]);
});

/** Both have the same tag: the sum of 16-bit words does not depend on their order. */
const [twin, otherTwin] = [0, 2].map((at): NamedKey => {
  const { dnskey, ...key } = keyOf(0);
  const octets = Uint8Array.from(dnskey);
  octets[10 + at] = 9;
  return { ...key, tag: key.tag + 9 * 256, dnskey: octets };
});

const kinds = (ds: readonly string[], incoming: readonly NamedKey[], outgoing: readonly NamedKey[] | 'all') =>
  findDsObstacles(lookOf({ a: [ds] }), { name, incoming, outgoing }).map(({ kind }) => kind);

test.each<[string, readonly string[], NamedKey, NamedKey, readonly string[]]>([
  ['the new one with SHA-1', [dsOf(newKey, 1)], newKey, oldKey, []],
  ['the new one with SHA-384', [dsOf(newKey, 4)], newKey, oldKey, []],
  ['the new one with two digests', [dsOf(newKey), dsOf(newKey, 4)], newKey, oldKey, []],
  ['the new one with an unknown digest', [dsOf(newKey, 200)], newKey, oldKey, ['ds_missing']],
  ['the old one with an unknown digest', [dsOf(newKey), dsOf(oldKey, 200)], newKey, oldKey, ['ds_left']],
  ['the new one of two with the same tag', [dsOf(twin)], twin, otherTwin, []],
  ['the old one of two with the same tag', [dsOf(otherTwin)], twin, otherTwin, ['ds_missing', 'ds_left']],
  ['that of a third key beside the new one', [dsOf(newKey), dsOf(keyOf(3))], newKey, oldKey, []],
  ['the old tag with another algorithm', [dsOf(newKey), `${oldKey.tag} 15 2 AA`], newKey, oldKey, []],
])('a DS record is recognised: %s', (_, ds, incoming, outgoing, expected) => {
  expect(kinds(ds, [incoming], [outgoing])).toEqual(expected);
});

test('several keys can come and go', () => {
  const [first, second] = [keyOf(4), keyOf(5)];
  expect(kinds([dsOf(first), dsOf(second)], [first, second], [oldKey, newKey])).toEqual([]);
  expect(kinds([dsOf(first), dsOf(newKey)], [first, second], [oldKey, newKey])).toEqual([
    'ds_missing',
    'ds_left',
  ]);
});

test('no DS record at all may be left, not even of an unknown key', () => {
  expect(kinds([], [], 'all')).toEqual([]);
  expect(kinds([dsOf(keyOf(3))], [], 'all')).toEqual(['ds_left']);
});

test('only an answer contradicts a condition', () => {
  const place = { server: 'a', address: '8.8.8.1' };
  const all: Obstacle[] = [
    { kind: 'unknown', reason: 'no resolver answers' },
    { ...place, kind: 'silent', reason: 'it did not answer in time' },
    { ...place, kind: 'old_serial', serial: 1 },
    { ...place, kind: 'ds_missing', ds: [] },
    { ...place, kind: 'ds_left', ds: [] },
  ];
  expect(all.map(isUncertain)).toEqual([true, true, false, false, false]);
});
