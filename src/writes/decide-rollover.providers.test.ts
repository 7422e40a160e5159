import { expect, test } from 'vitest';
import { assert } from '../base/assert.ts';
import { rrType } from '../dns/codes.ts';
import type { Rollover } from '../dnssec/rollover.ts';
import { foreignKey } from '../dnssec/read-dnskey.ts';
import type { MadeAlgorithm, ZoneKey } from '../dnssec/zone-key.ts';
import { rejected, versionOf, type Version } from './caching-resolver.test-support.ts';
import type { CommandResult } from './command.ts';
import { author, zone } from './decide-scene.test-support.ts';
import { newZoneKey, SignedScene, START_SECONDS } from './signing/signed-scene.test-support.ts';

/* An own key is exchanged while another provider signs the same domain (RFC 8901 model 2). */

const lines = ['@ NS ns1.example.net', 'www A 192.0.2.1', '*.a.b TXT "x"', 'cut NS ns1.example.net'];

/** This service and another provider, each with the key of the other. */
function twoProviders(): { here: SignedScene; there: SignedScene; old: ZoneKey; theirs: ZoneKey } {
  const [here, there] = [new SignedScene(lines), new SignedScene(lines)];
  here.enable('nsec');
  there.enable('nsec');
  const [old, theirs] = [here.zoneKeys[0], there.zoneKeys[0]];
  publish(here, theirs);
  publish(there, old);
  return { here, there, old, theirs };
}

function publish(scene: SignedScene, { id, algorithm, flags, dnskey }: ZoneKey): void {
  const key = foreignKey({ algorithm: algorithm, flags, dnskey }, `of-${id}`, START_SECONDS);
  const command = { kind: 'addZoneKey', author, domain: zone, key, denial: 'nsec' } as const;
  expect(scene.run(command)).toMatchObject([{ ok: true, changed: true }]);
}

function unpublish(scene: SignedScene, { id }: ZoneKey): void {
  const command = { kind: 'removeZoneKey', author, domain: zone, keyId: `of-${id}` } as const;
  expect(scene.run(command)).toMatchObject([{ ok: true, changed: true }]);
}

function start(scene: SignedScene, algorithm: MadeAlgorithm = 15): CommandResult<never> {
  const key = newZoneKey(algorithm);
  const [result] = scene.run({ kind: 'startRollover', author, domain: zone, id: 'rollover', key });
  return result as CommandResult<never>;
}

function rolloverOf(scene: SignedScene): Rollover | undefined {
  return scene.zoneKeys.find((key) => key.rollover !== null)?.rollover ?? undefined;
}

function moveOn(scene: SignedScene, step: Rollover['step']): void {
  const moved = scene.run({ kind: 'moveRollover', domain: zone, id: 'rollover', step, to: 'next' });
  expect(moved).toMatchObject([{ ok: true, value: { moved: true } }]);
}

function incomingOf({ zoneKeys }: SignedScene): ZoneKey {
  const key = zoneKeys.find(({ rollover }) => rollover !== null);
  assert(key !== undefined, 'there is a new key');
  return key;
}

/** The sets that a resolver rejects if it takes keys from one of the versions and records from another. */
function rejectedBy(versions: readonly Version[], delegated: readonly ZoneKey[]): string[] {
  return versions.flatMap((keysFrom) =>
    versions.flatMap((setsFrom) =>
      rejected(keysFrom, setsFrom, delegated).map((set) => `${keysFrom.name}, ${setsFrom.name}: ${set}`),
    ),
  );
}

test('a rollover beside another provider is right at each step for who has keys of one and records of the other', () => {
  const { here, there, old, theirs } = twoProviders();
  const at = (scene: SignedScene, name: string): Version => versionOf(scene, name, []);
  const before = [at(here, 'here before'), at(there, 'there before')];
  expect(rejectedBy(before, [old, theirs])).toEqual([]);

  expect(start(here)).toMatchObject({ ok: true, value: { kind: 'shared', step: 'published' } });
  const incoming = incomingOf(here);
  const published = [...before, at(here, 'here published')];
  publish(there, incoming);
  published.push(at(there, 'there with both'));
  expect(rejectedBy(published, [old, theirs])).toEqual([]);

  // Every nameserver publishes both keys, and caches have forgotten the sets before.
  const both = published.slice(2);
  moveOn(here, 'published');
  both.push(at(here, 'here announced'));
  for (const ds of [[old], [old, incoming], [incoming]])
    expect(rejectedBy(both, [...ds, theirs])).toEqual([]);

  moveOn(here, 'announced');
  const signed = [...both.slice(1), at(here, 'here signed')];
  expect(rejectedBy(signed, [incoming, theirs])).toEqual([]);

  moveOn(here, 'signed');
  const latest = [at(here, 'here unpublished'), at(there, 'there with both')];
  unpublish(there, old);
  latest.push(at(there, 'there with the new one'));
  expect(rejectedBy([signed[2], ...latest], [incoming, theirs])).toEqual([]);

  moveOn(here, 'unpublished');
  expect(rejectedBy([...latest.slice(0, 1), latest[2], at(here, 'here after')], [incoming, theirs])).toEqual(
    [],
  );
  expect(here.zoneKeys).toMatchObject([{ origin: 'foreign' }, { id: incoming.id, uses: 15, rollover: null }]);
});

test('without the conditions of the steps, resolvers reject the domain', () => {
  const { here, there, theirs } = twoProviders();
  start(here);
  const incoming = incomingOf(here);
  moveOn(here, 'published');
  moveOn(here, 'announced');
  const versions = [versionOf(here, 'here', []), versionOf(there, 'there', [])];
  // The other provider does not publish the new key, with which the records from here are signed.
  const found = rejectedBy(versions, [incoming, theirs]);
  expect(found.length).toBeGreaterThan(3);
  expect(found.every((one) => one.startsWith('there, here: '))).toBe(true);
});

test('CDS and CDNSKEY ask for the keys of both providers at each step', () => {
  const { here, old, theirs } = twoProviders();
  start(here);
  const incoming = incomingOf(here);
  const announced: number[][] = [];
  for (const step of ['published', 'announced', 'signed', 'unpublished'] as const) {
    const { records } = versionOf(here, step, []);
    const cds = records.filter(({ type }) => type === rrType.CDS).map(({ rdata }) => rdata);
    announced.push(cds.map((rdata) => (rdata[0] << 8) | rdata[1]).sort());
    moveOn(here, step);
  }
  const [first, ...others] = announced;
  expect(first).toEqual([old.tag, theirs.tag].sort());
  for (const tags of others) expect(tags).toEqual([incoming.tag, theirs.tag].sort());
});

test('cancelling leaves the keys as they were', () => {
  const { here } = twoProviders();
  const keys = new Set(here.zoneKeys);
  start(here);
  moveOn(here, 'published');
  expect(here.run({ kind: 'cancelRollover', author, domain: zone, id: 'rollover' })).toMatchObject([
    { ok: true, changed: true },
  ]);
  expect(new Set(here.zoneKeys)).toEqual(keys);
  expect(rolloverOf(here)).toBeUndefined();
});

test('the algorithm cannot be exchanged beside another provider, which signs with the same one', () => {
  const { here } = twoProviders();
  const keys = here.zoneKeys;
  expect(start(here, 13)).toMatchObject({
    ok: false,
    refusal: {
      code: 'dnssec_conflict',
      message:
        'Domain "example.com" has keys of another provider, which has to sign with the same algorithm: remove them before its own key is exchanged for one of algorithm 13',
    },
  });
  expect(here.zoneKeys).toEqual(keys);
});
