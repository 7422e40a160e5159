import { expect, test } from 'vitest';
import type { Rollover } from '../../dnssec/rollover.ts';
import { ALL_USES, keyUse } from '../../dnssec/zone-key.ts';
import type { ParentLook } from '../parent-looks.ts';
import { dsOf, keyOf, lookOf, name, newKey, oldKey } from '../rollover/rollover-scene.test-support.ts';
import type { HostedParent, SignedKey, SigningFacts } from './signing-facts.ts';
import { describeSigning, keyStateOf } from './signing-status.ts';

const { PUBLISHED, SIGNS_ZONE, SIGNS_KEYS, ANNOUNCED } = keyUse;
const UNANNOUNCED = PUBLISHED | SIGNS_ZONE | SIGNS_KEYS;

const noted: Rollover = {
  id: '0193489f-8a3b-7abc-8def-0123456789ab',
  kind: 'key',
  step: 'published',
  sinceSeconds: 1_763_650_000,
  serial: 42,
  untilSeconds: null,
  createdAtSeconds: 1_763_640_000,
};
const untilSeconds = Date.parse('2026-11-24T09:03:31Z') / 1000;

/** The uses of the old and the new key. */
type Uses = readonly [number, number];

const atPublished: Uses = [ALL_USES, PUBLISHED | SIGNS_KEYS];
const atAnnounced: Uses = [UNANNOUNCED, PUBLISHED | SIGNS_KEYS | ANNOUNCED];
const atSigned: Uses = [PUBLISHED, ALL_USES];
const announced: Partial<Rollover> = { step: 'announced' };

const oldDs = dsOf(oldKey);
const newDs = dsOf(newKey);
const strayDs = dsOf(keyOf(9));

function keysOf([old, incoming]: Uses, rollover: Partial<Rollover>): readonly SignedKey[] {
  return [
    { ...oldKey, origin: 'made', uses: old, rollover: null },
    { ...newKey, origin: 'made', uses: incoming, rollover: { ...noted, ...rollover } },
  ];
}

function statusOf(keys: readonly SignedKey[], look: ParentLook, facts: Partial<SigningFacts> = {}) {
  const about = { domain: 'example.com', name, isSigned: true, isWithdrawn: false, work: null };
  return describeSigning({ ...about, keys, look, hosted: undefined, ...facts });
}

const both = lookOf({ a: [[oldDs, newDs]], b: [[oldDs, newDs]] });
const onlyOld = lookOf({ a: [[oldDs]], b: [[oldDs]] });
const onlyNew = lookOf({ a: [[newDs]], b: [[newDs]] });
const unknown: ParentLook = { kind: 'unknown', reason: 'no resolver answered' };

test.each<[string, Uses, Partial<Rollover>, string]>([
  [
    'a new key is published',
    atPublished,
    {},
    'Nothing has to be done but wait: the new key is published beside the old one. Once all nameservers serve serial 42 and the TTL of its DNSKEY records has passed, the DS record at the parent zone has to be replaced',
  ],
  [
    'its TTL passes',
    atPublished,
    { untilSeconds },
    'Nothing has to be done but wait until 2026-11-24 09:03:31 UTC: the new key is published beside the old one, and the TTL of its DNSKEY records has to pass. Then the DS record at the parent zone has to be replaced',
  ],
  [
    'a new algorithm signs',
    [ALL_USES, SIGNS_ZONE],
    { kind: 'algorithm', step: 'signing' },
    'Nothing has to be done but wait: the new key signs the domain beside the old one. Once all nameservers serve serial 42 and the longest TTL of its records, a day at least, has passed, the new key is published',
  ],
])('while %s, nothing has to be done', (_, uses, rollover, nextStep) => {
  expect(statusOf(keysOf(uses, rollover), onlyOld)).toMatchObject({
    state: 'rolling',
    nextStep,
    wanted: [oldDs],
    rollover: { ...noted, ...rollover },
  });
});

test.each<[Partial<Rollover>, Uses, RegExp]>([
  [{ step: 'signed' }, atSigned, /: the new key signs the domain\. Once .*, the old key is removed$/],
  [
    { kind: 'algorithm', step: 'unpublished' },
    [SIGNS_ZONE, ALL_USES],
    /: the old key is no longer published\. Once .*, its signatures are removed$/,
  ],
])('once the DS record is exchanged, the old key goes (%o)', (rollover, uses, nextStep) => {
  const keys = keysOf(uses, rollover);
  const status = statusOf(keys, onlyNew);
  expect(status).toMatchObject({ state: 'rolling', wanted: [newDs] });
  expect(status.nextStep).toMatch(nextStep);
  // Its DS record would break the domain now.
  expect(statusOf(keys, onlyOld)).toMatchObject({ state: 'bogus' });
  expect(statusOf(keys, both)).toMatchObject({ state: 'rolling' });
  expect(statusOf(keys, both).nextStep).toMatch(/\. Besides, have the old DS record removed: /);
});

test.each<[string, ParentLook, RegExp]>([
  [
    'no server has the new one',
    onlyOld,
    /^Enter this DS record at the registrar of example\.com in place of the old DS record: key tag \d+, .*; a and b of the parent zone com still have the old one$/,
  ],
  [
    'there was none',
    lookOf({ a: [[]], b: [[]] }),
    /^Enter this DS record at the registrar of example\.com: key tag \d+, .*; a and b of the parent zone com have no DS record$/,
  ],
  [
    'some servers have the new one',
    lookOf({ a: [[newDs]], b: [[oldDs]] }),
    /^Nothing has to be done but wait: a has the new DS record, and b of the parent zone com does not have it yet$/,
  ],
  [
    'the old one is still beside it',
    lookOf({ a: [[newDs]], b: [[oldDs, newDs]] }),
    /^Have the old DS record removed at the registrar of example\.com: b of the parent zone com still has it besides the new one$/,
  ],
  [
    'it has been exchanged',
    onlyNew,
    /^Nothing has to be done but wait: all servers of the parent zone com have the new DS record and not the old one\. The service notes it within minutes, /,
  ],
  [
    'a server is silent',
    lookOf({ a: [[newDs]], b: [null] }),
    /: the servers that answered of .* All others have to answer, .* It is not known what b of the parent zone com has$/,
  ],
  [
    'nothing is known',
    unknown,
    /^Enter .*, unless it is there already\. It is not known what the parent zone has, because no resolver answered, and the rollover waits for that: "zonewright domain dnssec seen example\.com" tells it$/,
  ],
])('the DS record has to be exchanged, and %s', (_, look, nextStep) => {
  const status = statusOf(keysOf(atAnnounced, announced), look);
  expect(status).toMatchObject({ state: 'rolling', wanted: [newDs] });
  expect(status.nextStep).toMatch(nextStep);
});

test('once the DS record has been exchanged, its TTL passes, unless it comes back', () => {
  const keys = keysOf(atAnnounced, { ...announced, untilSeconds });
  const wait =
    'Nothing has to be done but wait until 2026-11-24 09:03:31 UTC: the parent zone has the new DS record, and the TTL of the old one has to pass. Then the new key signs the domain';
  for (const look of [onlyNew, unknown]) expect(statusOf(keys, look).nextStep).toBe(wait);
  expect(statusOf(keys, both).nextStep).toMatch(/^Have the old DS record removed/);
});

test.each<[string, Partial<HostedParent>, ParentLook, RegExp]>([
  [
    'has the old one',
    { ds: [oldDs] },
    unknown,
    /^Run "zonewright domain dnssec publish example\.com --replace", /,
  ],
  ['has both', { ds: [oldDs, newDs] }, both, /^Run ".* --replace", which removes the old DS record from /],
  [
    'has the new one, and its servers do not',
    { ds: [newDs] },
    onlyOld,
    /: your domain com has the new DS record, and a and b of .* do not have it yet$/,
  ],
  [
    'has the new one, and its servers do not answer',
    { ds: [newDs] },
    unknown,
    /: all servers of the parent zone com have the new DS record and not the old one\. /,
  ],
])('a parent zone that is hosted here %s', (_, parent, look, nextStep) => {
  const hosted = { domain: 'com', ds: [], isDelegated: true, ...parent };
  expect(statusOf(keysOf(atAnnounced, announced), look, { hosted }).nextStep).toMatch(nextStep);
});

test('DS records of neither key make a domain bogus, and are named beside others', () => {
  const keys = keysOf(atAnnounced, announced);
  expect(statusOf(keys, lookOf({ a: [[strayDs]], b: [[newDs]] })).state).toBe('bogus');
  const beside = statusOf(keys, lookOf({ a: [[newDs, strayDs]] }));
  expect(beside.state).toBe('rolling');
  expect(beside.nextStep).toContain(`has the DS record ${strayDs}, which is of no use`);
});

test.each<[string, ParentLook, Partial<Rollover>, RegExp]>([
  [
    'servers have the DS record',
    lookOf({ a: [[oldDs]], b: [[]] }),
    {},
    /^Have the DS record of example\.com removed at the registrar: a of the parent zone com still has it\. Until it is gone everywhere and TTLs have passed, example\.com stays signed$/,
  ],
  [
    'none has it',
    lookOf({ a: [[]], b: [[]] }),
    {},
    /^Nothing .*: no server of the parent zone com has a DS record of example\.com\. /,
  ],
  [
    'its TTL passes',
    lookOf({ a: [[]] }),
    { untilSeconds },
    /^Nothing .* wait until 2026-11-24 09:03:31 UTC: .* Then signing ends$/,
  ],
  [
    'nothing is known',
    unknown,
    {},
    /^Have .*, unless it is gone already\. It is not known .*, because no resolver answered, and signing/,
  ],
  ['a server is silent', lookOf({ a: [[]], b: [null] }), {}, /: none of the servers that answered of /],
])('the next step while signing is withdrawn if %s', (_, look, rollover, nextStep) => {
  const note: Rollover = { ...noted, kind: 'withdrawal', step: 'withdrawing', ...rollover };
  const key: SignedKey = { ...oldKey, origin: 'made', uses: ALL_USES, rollover: note };
  const status = statusOf([key], look, { isWithdrawn: true });
  expect(status).toMatchObject({ state: 'going_insecure', wanted: [], rollover: note });
  expect(status.nextStep).toMatch(nextStep);
});

test('a DS record of another key is wrong while signing is withdrawn', () => {
  const note: Rollover = { ...noted, kind: 'withdrawal', step: 'withdrawing' };
  const key: SignedKey = { ...oldKey, origin: 'made', uses: ALL_USES, rollover: note };
  const status = statusOf([key], lookOf({ a: [[strayDs]] }), { isWithdrawn: true });
  expect(status.state).toBe('bogus');
  expect(status.nextStep).toMatch(/^Have the old DS record removed .* belongs to no key of example\.com, /);
});

test("with another provider's key, the DS records of both keys have to be at the parent zone", () => {
  const own: SignedKey = { ...oldKey, origin: 'made', uses: ALL_USES, rollover: null };
  const foreign: SignedKey = {
    ...newKey,
    origin: 'foreign',
    uses: PUBLISHED | ANNOUNCED,
    rollover: null,
  };
  const status = statusOf([own, foreign], onlyNew);
  expect(status).toMatchObject({ state: 'bogus', wanted: [oldDs, newDs].sort() });
  expect(status.nextStep).toMatch(/have only that of another provider, so /);
  expect(statusOf([own, foreign], both)).toMatchObject({
    state: 'secure',
    nextStep: 'Nothing has to be done',
  });
});

test.each<[Uses, readonly string[]]>([
  [atPublished, ['active', 'publishing']],
  [atAnnounced, ['retiring', 'active']],
  [atSigned, ['retiring', 'active']],
  [
    [ALL_USES, SIGNS_ZONE],
    ['active', 'publishing'],
  ],
  [
    [SIGNS_ZONE, ALL_USES],
    ['retiring', 'active'],
  ],
])('the words for the uses %j', (uses, words) => {
  expect(keysOf(uses, {}).map(keyStateOf)).toEqual(words);
});
