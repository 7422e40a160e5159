import { expect, test } from 'vitest';
import { describeSignedHere, findDsData, isChangingKeys } from './describe-signed-here.ts';
import type { ParentView } from './parent-view.ts';

const key = 'example.com IN DNSKEY 257 3 13 abc=';
const ds = 'example.com IN DS 27933 13 2 0A1B';

test.each<[string, readonly string[], boolean]>([
  ['is not signed', [], false],
  ['has one key', [key, ds], false],
  ['has a new key', [key, key, ds], true],
  ["has another provider's keys", [key, key, 'example.com IN DNSKEY 256 3 13 abc=', ds, ds], false],
  ['is signed only until its DS record is gone', [key], true],
])('the keys of a domain that %s', (_, lines, expected) => {
  expect(isChangingKeys(lines)).toBe(expected);
});

const OURS = '27933 13 2 0A1B';
const servers = (having: readonly string[], lacking: readonly string[], silent: readonly string[] = []) => ({
  parent: 'example',
  all: [],
  having,
  lacking,
  silent,
});

test('findDsData() takes the DS records out of the lines of the service', () => {
  const lines = ['example.com IN DNSKEY 257 3 13 abc=', `example.com IN DS ${OURS}`];
  expect(findDsData(lines)).toEqual([OURS]);
  expect(findDsData([])).toEqual([]);
});

test.each<[string, ParentView | undefined, string | undefined]>([
  ['the parent was not asked', undefined, undefined],
  ['the record is there', { state: 'present', records: [OURS], ttl: 60 }, undefined],
  ['it is there in other letters', { state: 'present', records: ['27933 13 2 0a 1b'], ttl: 60 }, undefined],
  ['its digest is another one', { state: 'present', records: ['27933 13 4 FF'], ttl: 60 }, undefined],
  [
    'a nameserver of the parent zone lacks it',
    { state: 'present', records: [OURS], ttl: 60, servers: servers(['a.example'], ['b.example']) },
    'the DS record has not reached all nameservers of the parent zone example yet: b.example',
  ],
  [
    'another key has one',
    { state: 'present', records: ['1 13 2 0A1B', '27933 13 2 FFFF'], ttl: 60 },
    'the DS record 1 13 2 0A1B, 27933 13 2 FFFF at the parent zone fits no key of the domain, so validating resolvers reject all answers: replace it by 27933 13 2 0A1B',
  ],
  [
    'there is none',
    { state: 'absent', servers: servers([], ['a.example']) },
    'the domain is signed, but the parent zone example has no DS record, so resolvers do not check its signatures: once all nameservers serve the signed zone, hand in 27933 13 2 0A1B at the registrar',
  ],
  [
    'some nameservers of the parent zone are silent',
    { state: 'absent', servers: servers([], ['a.example'], ['b.example']) },
    'the domain is signed, but the nameservers of the parent zone example that answered have no DS record, so resolvers do not check its signatures: once all nameservers serve the signed zone, hand in 27933 13 2 0A1B at the registrar',
  ],
  [
    'nobody knows',
    { state: 'unknown', reason: 'no resolver answered' },
    'it is not known whether the parent zone has the DS record 27933 13 2 0A1B (no resolver answered)',
  ],
])('describeSignedHere() says the next step if %s', (_, parent, sentence) => {
  expect(describeSignedHere([OURS], parent)).toBe(sentence);
});
