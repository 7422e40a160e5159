import { expect, test } from 'vitest';
import { assert } from '../base/assert.ts';
import { rrType } from '../dns/codes.ts';
import type { Denial } from '../dns/proven-types.ts';
import { checkSignedZone } from '../dnssec/check-signed-zone.test-support.ts';
import type { Rollover } from '../dnssec/rollover.ts';
import type { MadeAlgorithm } from '../dnssec/zone-key.ts';
import { APEX, ownerDomainName } from '../model/record-name.ts';
import { rejected, versionOf, type Version } from './caching-resolver.test-support.ts';
import type { CommandResult } from './command.ts';
import { author, zone } from './decide-scene.test-support.ts';
import { servedZone } from './signing/served-zone.test-support.ts';
import { newZoneKey, SignedScene } from './signing/signed-scene.test-support.ts';

const apex = ownerDomainName(APEX, zone);
const lines = ['@ NS ns1.example.net', 'www A 192.0.2.1', '*.a.b TXT "x"', 'cut NS ns1.example.net'];

function start(scene: SignedScene, algorithm: MadeAlgorithm): CommandResult<never> {
  const key = newZoneKey(algorithm);
  const [result] = scene.run({ kind: 'startRollover', author, domain: zone, id: 'rollover', key });
  return result as CommandResult<never>;
}

function rolloverOf(scene: SignedScene): Rollover {
  const rollover = scene.zoneKeys.find((key) => key.rollover !== null)?.rollover;
  assert(rollover !== undefined && rollover !== null, 'a rollover is in progress');
  return rollover;
}

function moveOn(scene: SignedScene): void {
  const { id, step } = rolloverOf(scene);
  const moved = scene.run({ kind: 'moveRollover', domain: zone, id, step, to: 'next' });
  expect(moved).toMatchObject([{ ok: true, value: { moved: true } }]);
}

/** Carries a rollover out, with the DS records that the parent zone may have at each step. */
function versionsOf(scene: SignedScene, algorithm: MadeAlgorithm): Version[] {
  const [old] = scene.zoneKeys;
  const versions = [versionOf(scene, 'before', [[old]])];
  expect(start(scene, algorithm)).toMatchObject({ ok: true });
  const incoming = scene.zoneKeys.find((key) => key.rollover !== null);
  assert(incoming !== undefined, 'there is a new key');
  let isExchanged = false;
  for (let steps = 0; steps < 5 && scene.zoneKeys.some((key) => key.rollover !== null); steps++) {
    const { step } = rolloverOf(scene);
    const isExchange = step === 'announced';
    const delegated = isExchange ? [[old], [old, incoming], [incoming]] : [[isExchanged ? incoming : old]];
    isExchanged ||= isExchange;
    versions.push(versionOf(scene, step, delegated, [old, incoming]));
    moveOn(scene);
  }
  return [...versions, versionOf(scene, 'after', [[incoming]])];
}

test.each<[Denial, MadeAlgorithm, string]>([
  ['nsec', 15, 'before published announced signed after'],
  ['nsec3', 15, 'before published announced signed after'],
  ['nsec', 13, 'before signing published announced unpublished after'],
  ['nsec3', 13, 'before signing published announced unpublished after'],
])(
  'a rollover (%s, to algorithm %i) is right at each step, also for who has the step before in a cache',
  (denial, algorithm, names) => {
    const scene = new SignedScene(lines);
    scene.enable(denial);
    const versions = versionsOf(scene, algorithm);
    expect(versions.map(({ name }) => name).join(' ')).toBe(names);
    for (const [at, version] of versions.entries()) {
      const caches = at === 0 ? [version] : [versions[at - 1], version];
      for (const keysFrom of caches) {
        for (const setsFrom of caches) {
          for (const delegated of version.delegated) {
            const title = `keys ${keysFrom.name}, sets ${setsFrom.name}, ${delegated.length} DS`;
            expect({ title, rejected: rejected(keysFrom, setsFrom, delegated) }).toEqual({
              title,
              rejected: [],
            });
          }
        }
      }
    }
    expect(scene.zoneKeys).toMatchObject([{ algorithm, uses: 15, rollover: null }]);
  },
);

test('the model of a resolver rejects a key that is exchanged at once', () => {
  const scene = new SignedScene(lines);
  scene.enable('nsec');
  const before = versionOf(scene, 'before', [scene.zoneKeys]);
  const [old] = scene.zoneKeys;
  scene.run({
    kind: 'updateDomain',
    author,
    name: zone,
    dnsSec: { wanted: 'disabled', force: true, id: 'withdrawal' },
  });
  scene.enable('nsec');
  const after = versionOf(scene, 'after', [scene.zoneKeys]);
  expect(rejected(after, after, [old])).toEqual(['the set of keys']);
  expect(rejected(before, after, [old]).length).toBeGreaterThan(3);
  expect(rejected(after, after, scene.zoneKeys)).toEqual([]);
});

test('a domain can be written to at each step', () => {
  const scene = new SignedScene(lines);
  scene.enable('nsec3');
  start(scene, 13);
  for (const name of ['one', 'two', 'three', 'four']) {
    const keys = scene.zoneKeys.map(({ dnskey }) => dnskey);
    expect(scene.create(`${name}.x A 192.0.2.1`)).toMatchObject([{ ok: true }]);
    const served = servedZone(scene.stored, zone, 'nsec3');
    expect(checkSignedZone(served, apex, scene.nowSeconds, keys)).toEqual([]);
    moveOn(scene);
  }
});

test('a note of what was seen changes nothing but the serial', () => {
  const scene = new SignedScene(lines);
  scene.enable('nsec');
  start(scene, 15);
  const { id, step, serial } = rolloverOf(scene);
  const before = scene.stored.filter(({ id: row }) => row !== '~o');
  const to = { untilSeconds: scene.nowSeconds + 3600 };
  scene.run({ kind: 'moveRollover', domain: zone, id, step, to });
  expect(rolloverOf(scene)).toMatchObject({ step, serial, ...to });
  expect(scene.stored.filter(({ id: row }) => row !== '~o')).toEqual(before);
  expect(scene.domain?.serial).toBeGreaterThan(serial);
});

test('a rollover that is at another step is not moved', () => {
  const scene = new SignedScene(lines);
  scene.enable('nsec');
  start(scene, 15);
  const before = scene.stored;
  for (const move of [
    { id: 'rollover', step: 'announced' } as const,
    { id: 'other', step: 'published' } as const,
  ]) {
    const result = scene.run({ kind: 'moveRollover', domain: zone, ...move, to: 'next' });
    expect(result).toMatchObject([{ ok: true, changed: false, value: { moved: false } }]);
  }
  expect(scene.stored).toEqual(before);
});

test.each<[MadeAlgorithm, number]>([
  [15, 0],
  [15, 1],
  [13, 0],
  [13, 1],
  [13, 2],
])('a rollover to algorithm %i can be cancelled after %i steps', (algorithm, steps) => {
  const scene = new SignedScene(lines);
  scene.enable('nsec3');
  const keys = scene.zoneKeys;
  start(scene, algorithm);
  for (let done = 0; done < steps; done++) moveOn(scene);
  const cancel = { kind: 'cancelRollover', author, domain: zone, id: 'rollover' } as const;
  expect(scene.run(cancel)).toMatchObject([{ ok: true, changed: true }]);
  expect(scene.zoneKeys).toEqual(keys);
  versionOf(scene, 'cancelled', []);
  expect(scene.run(cancel)).toMatchObject([{ ok: false, refusal: { code: 'unknown_rollover' } }]);
});

test('a rollover is not cancelled once the parent zone has the new DS record', () => {
  const scene = new SignedScene(lines);
  scene.enable('nsec');
  start(scene, 15);
  moveOn(scene);
  const cancel = { kind: 'cancelRollover', author, domain: zone, id: 'rollover' } as const;
  const to = { untilSeconds: scene.nowSeconds };
  scene.run({ kind: 'moveRollover', domain: zone, id: 'rollover', step: 'announced', to });
  expect(scene.run(cancel)).toMatchObject([{ ok: false, refusal: { code: 'dnssec_conflict' } }]);
  moveOn(scene);
  expect(scene.run(cancel)).toMatchObject([{ ok: false, refusal: { code: 'dnssec_conflict' } }]);
});

test('one rollover is in progress at a time, and none of a domain that is not signed', () => {
  const scene = new SignedScene(lines);
  expect(start(scene, 15)).toMatchObject({ ok: false, refusal: { code: 'dnssec_conflict' } });
  scene.enable('nsec');
  expect(start(scene, 15)).toMatchObject({ ok: true });
  expect(start(scene, 15)).toMatchObject({ ok: false, refusal: { code: 'dnssec_conflict' } });
  const off = { wanted: 'disabled', force: false, id: 'withdrawal' } as const;
  const withdraw = { kind: 'updateDomain', author, name: zone, dnsSec: off } as const;
  expect(scene.run(withdraw)).toMatchObject([{ ok: false, refusal: { code: 'dnssec_conflict' } }]);
});

test('signing is withdrawn by asking the parent zone first', () => {
  const scene = new SignedScene(lines);
  const unsigned = scene.stored;
  scene.enable('nsec');
  const off = { wanted: 'disabled', force: false, id: 'withdrawal' } as const;
  const withdraw = { kind: 'updateDomain', author, name: zone, dnsSec: off } as const;
  expect(scene.run(withdraw)).toMatchObject([{ ok: true, changed: true }]);
  expect(scene.run(withdraw)).toMatchObject([{ ok: true, changed: false }]);
  expect(scene.domain).toMatchObject({ denial: 'nsec', withdrawnAtSeconds: scene.nowSeconds });
  const { records } = versionOf(scene, 'withdrawing', []);
  const asked = records.filter(({ type }) => type === rrType.CDS || type === rrType.CDNSKEY);
  expect(asked.map(({ rdata }) => [...rdata].join(' ')).sort()).toEqual(['0 0 0 0 0', '0 0 3 0 0']);
  expect(start(scene, 15)).toMatchObject({ ok: false, refusal: { code: 'dnssec_conflict' } });
  moveOn(scene);
  expect(scene.stored).toEqual(unsigned);
  expect(scene.zoneKeys).toEqual([]);
  expect(scene.domain).toMatchObject({ denial: null, withdrawnAtSeconds: null, renewAtSeconds: null });
});

test('a withdrawal ends when signing is switched on again', () => {
  const scene = new SignedScene(lines);
  scene.enable('nsec');
  const keys = scene.zoneKeys;
  const before = scene.stored.filter(({ id }) => id.startsWith('~k'));
  const off = { wanted: 'disabled', force: false, id: 'withdrawal' } as const;
  scene.run({ kind: 'updateDomain', author, name: zone, dnsSec: off });
  scene.enable('nsec');
  expect(scene.zoneKeys).toEqual(keys);
  expect(scene.domain).toMatchObject({ denial: 'nsec', withdrawnAtSeconds: null });
  expect(scene.stored.filter(({ id }) => id.startsWith('~k'))).toEqual(before);
});
