import { expect, test } from 'vitest';
import { checkSignedZone } from '../dnssec/check-signed-zone.test-support.ts';
import { APEX, ownerDomainName } from '../model/record-name.ts';
import { author, zone } from './decide-scene.test-support.ts';
import { servedZone } from './signing/served-zone.test-support.ts';
import { newZoneKey, SignedScene } from './signing/signed-scene.test-support.ts';

const lines = ['@ NS ns1.example.net', 'www A 192.0.2.1', 'a.b.c TXT "x"', 'cut NS ns1.example.net'];

function change(denial: 'nsec' | 'nsec3') {
  return { kind: 'changeDenial', author, domain: zone, denial } as const;
}

function problemsOf({ stored, nowSeconds, zoneKeys }: SignedScene, denial: 'nsec' | 'nsec3'): string[] {
  const keys = zoneKeys.map(({ dnskey }) => dnskey);
  return checkSignedZone(servedZone(stored, zone, denial), ownerDomainName(APEX, zone), nowSeconds, keys);
}

test('the chain becomes one of the other kind and back, with the same keys', () => {
  const scene = new SignedScene(lines);
  scene.enable('nsec');
  const keys = scene.zoneKeys;
  for (const denial of ['nsec3', 'nsec'] as const) {
    expect(scene.run(change(denial))).toMatchObject([{ ok: true, changed: true }]);
    expect(scene.domain).toMatchObject({ denial });
    expect(problemsOf(scene, denial)).toEqual([]);
    expect(scene.run(change(denial))).toMatchObject([{ ok: true, changed: false }]);
    expect(scene.create(`new-${denial}.x A 192.0.2.1`)).toMatchObject([{ ok: true }]);
    expect(problemsOf(scene, denial)).toEqual([]);
  }
  expect(scene.zoneKeys).toEqual(keys);
});

test('it can be changed while a key is exchanged', () => {
  const scene = new SignedScene(lines);
  scene.enable('nsec');
  scene.run({ kind: 'startRollover', author, domain: zone, id: 'rollover', key: newZoneKey(13) });
  expect(scene.run(change('nsec3'))).toMatchObject([{ ok: true, changed: true }]);
  expect(problemsOf(scene, 'nsec3')).toEqual([]);
  expect(scene.zoneKeys).toMatchObject([{ rollover: null }, { rollover: { step: 'signing' } }]);
});

test('a domain that is not signed has nothing to change', () => {
  const scene = new SignedScene(lines);
  const before = scene.stored;
  expect(scene.run(change('nsec3'))).toMatchObject([{ ok: false, refusal: { code: 'dnssec_conflict' } }]);
  expect(scene.stored).toEqual(before);
});

test('a chain with many empty non-terminals is made later, and the former one stays meanwhile', () => {
  const deep = Array.from({ length: 5 }, (_, at) => `${'a.'.repeat(110)}n${at} A 192.0.2.1`);
  const scene = new SignedScene(deep);
  scene.limit(100, 100);
  scene.enable('nsec');
  expect(scene.domain).toMatchObject({ denial: 'nsec', signingWork: null });
  expect(scene.run(change('nsec3'))).toMatchObject([{ ok: true, changed: true }]);
  expect(scene.domain).toMatchObject({ denial: 'nsec', signingWork: { kind: 'denial', denial: 'nsec3' } });
});

test('nothing else is changed while the chain is, and a repeat changes nothing', () => {
  const scene = new SignedScene(lines);
  scene.enable('nsec');
  scene.limit(1, 1);
  expect(scene.run(change('nsec3'))).toMatchObject([{ ok: true, changed: true }]);
  const conflict = { ok: false, refusal: { code: 'dnssec_conflict' } };
  const start = { kind: 'startRollover', author, domain: zone, id: 'r', key: newZoneKey() } as const;
  const add = {
    kind: 'addZoneKey',
    author,
    domain: zone,
    key: { ...newZoneKey(), origin: 'foreign' },
    denial: 'nsec',
  } as const;
  expect(scene.run(change('nsec3'), change('nsec'), start, add)).toMatchObject([
    { ok: true, changed: false },
    conflict,
    conflict,
    conflict,
  ]);
});
