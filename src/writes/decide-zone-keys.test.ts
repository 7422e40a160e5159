import { expect, test } from 'vitest';
import { assert } from '../base/assert.ts';
import { rrType } from '../dns/codes.ts';
import { checkSignedZone } from '../dnssec/check-signed-zone.test-support.ts';
import { foreignKey } from '../dnssec/read-dnskey.ts';
import {
  publicPartOf,
  type KeyFlags,
  type MadeAlgorithm,
  type SigningAlgorithm,
  type ZoneKey,
} from '../dnssec/zone-key.ts';
import type { ZoneRecord } from '../dnssec/zone-records.test-support.ts';
import { APEX, ownerDomainName } from '../model/record-name.ts';
import type { Command, CommandResult } from './command.ts';
import { author, zone } from './decide-scene.test-support.ts';
import { MAX_FOREIGN_KEYS } from './decide-zone-keys.ts';
import { servedZone } from './signing/served-zone.test-support.ts';
import {
  newImportedKey,
  newZoneKey,
  SignedScene,
  START_SECONDS,
} from './signing/signed-scene.test-support.ts';

const apex = ownerDomainName(APEX, zone);
const lines = ['@ NS ns1.example.net', 'www A 192.0.2.1', '*.a.b TXT "x"', 'cut NS ns1.example.net'];

function importedKey(algorithm: SigningAlgorithm = 15): ZoneKey {
  return newImportedKey(algorithm);
}

let foreignKeys = 0;

/** A key with a public part of its own, as another provider has it. */
function otherKey(flags: KeyFlags = 257, algorithm: MadeAlgorithm = 15): ZoneKey {
  const dnskey = newZoneKey(algorithm).dnskey.slice();
  dnskey[1] = flags & 0xff;
  return foreignKey({ algorithm, flags, dnskey }, `other-${++foreignKeys}`, START_SECONDS);
}

function add(scene: SignedScene, key: ZoneKey, more: Partial<Command> = {}): CommandResult<Command> {
  const command = { kind: 'addZoneKey', author, domain: zone, key, denial: 'nsec', ...more } as Command;
  return scene.run(command)[0];
}

function remove(scene: SignedScene, keyId: string): CommandResult<Command> {
  return scene.run({ kind: 'removeZoneKey', author, domain: zone, keyId })[0];
}

/** The records that are served, after a check that the zone is signed rightly. */
function served({ stored, domain, nowSeconds }: SignedScene): readonly ZoneRecord[] {
  assert(domain !== undefined && domain.denial !== null, 'the domain is signed');
  const records = servedZone(stored, zone, domain.denial);
  expect(checkSignedZone(records, apex, nowSeconds)).toEqual([]);
  return records;
}

/** The data of the DNSKEY, CDS or CDNSKEY records, in hexadecimal digits. */
function dataOf(records: readonly ZoneRecord[], type: number): string[] {
  const found = records.filter((record) => record.type === type);
  return found.map(({ rdata }) => Buffer.from(rdata).toString('hex')).sort();
}

function hexOf(...keys: readonly ZoneKey[]): string[] {
  return keys.map(({ dnskey }) => Buffer.from(dnskey).toString('hex')).sort();
}

function tagsOfSigners(records: readonly ZoneRecord[]): Set<number> {
  const signatures = records.filter(({ type }) => type === rrType.RRSIG);
  return new Set(signatures.map(({ rdata }) => Buffer.from(rdata).readUInt16BE(16)));
}

const conflict = { ok: false, refusal: { code: 'dnssec_conflict' } };

test.each(['nsec', 'nsec3'] as const)(
  'signing (%s) begins with an imported key, and with no other',
  (denial) => {
    const scene = new SignedScene(lines);
    const { serial } = scene.domain ?? { serial: 0 };
    const key = importedKey(13);
    const value = publicPartOf(key);
    expect(add(scene, key, { denial })).toMatchObject({ ok: true, changed: true, value });
    expect(scene.zoneKeys).toEqual([key]);
    expect(scene.domain).toMatchObject({ denial, serial: serial + 1, revisedSerial: serial + 1 });
    const records = served(scene);
    expect(dataOf(records, rrType.DNSKEY)).toEqual(hexOf(key));
    expect(tagsOfSigners(records)).toEqual(new Set([key.tag]));
  },
);

test('the result of a command has no part of the private key', () => {
  const scene = new SignedScene(lines);
  const key = importedKey();
  const { results, writes } = scene.runBatch([
    { kind: 'addZoneKey', author, domain: zone, key, denial: 'nsec' },
  ]);
  const [result] = results;
  assert(result.ok && result.value !== null, 'the key is imported');
  expect(Object.keys(result.value)).toEqual(Object.keys(publicPartOf(key)));
  expect(JSON.stringify(writes.changes)).not.toContain('sealed');
  expect(writes.changes.filter(({ kind }) => kind === 'domainPut')).toHaveLength(1);
});

test('importing a key again changes nothing, also under another id', () => {
  const scene = new SignedScene(lines);
  const key = importedKey();
  add(scene, key);
  const { stored, domain } = scene;
  const again = { ...key, id: 'another', createdAtSeconds: START_SECONDS + 9 };
  expect(add(scene, again)).toMatchObject({ ok: true, changed: false, value: publicPartOf(key) });
  expect(scene.zoneKeys).toEqual([key]);
  expect(scene).toMatchObject({ stored, domain });
  expect(add(scene, importedKey())).toMatchObject(conflict);
});

test('a domain that cannot be signed takes no key', () => {
  const scene = new SignedScene([...lines, '@ CDS 0 0 0 00']);
  const message = expect.stringContaining('remove them first') as string;
  expect(add(scene, importedKey())).toEqual({ ok: false, refusal: { code: 'record_conflict', message } });
  expect(scene.zoneKeys).toEqual([]);
  const lost = new SignedScene(lines);
  lost.signing = undefined;
  expect(add(lost, importedKey())).toMatchObject({ ok: false, refusal: { code: 'dnssec_unavailable' } });
});

test('a dry run says what would be stored, and stores nothing', () => {
  const scene = new SignedScene(lines);
  const { stored } = scene;
  const key = importedKey();
  expect(add(scene, key, { dryRun: true })).toMatchObject({ ok: true, value: publicPartOf(key) });
  expect(scene).toMatchObject({ stored, zoneKeys: [] });
});

test.each(['nsec', 'nsec3'] as const)(
  "another provider's keys are published (%s), and sign nothing",
  (denial) => {
    const scene = new SignedScene(lines);
    scene.enable(denial);
    const [own] = scene.zoneKeys;
    const before = served(scene);
    const { serial } = scene.domain ?? { serial: 0 };
    const [ksk, zsk] = [otherKey(257), otherKey(256)];
    expect(add(scene, ksk)).toMatchObject({ ok: true, changed: true, value: publicPartOf(ksk) });
    expect(add(scene, zsk)).toMatchObject({ ok: true, changed: true, value: { flags: 256 } });
    expect(scene.zoneKeys.map(({ uses }) => uses)).toEqual([15, 9, 1]);
    expect(scene.domain).toMatchObject({ serial: serial + 2, revisedSerial: serial + 2 });
    const records = served(scene);
    expect(dataOf(records, rrType.DNSKEY)).toEqual(hexOf(own, ksk, zsk));
    expect(dataOf(records, rrType.CDNSKEY)).toEqual(hexOf(own, ksk));
    expect(dataOf(records, rrType.CDS)).toHaveLength(2);
    expect(tagsOfSigners(records)).toEqual(new Set([own.tag]));
    // Each provider makes its keys known to the parent zone, but only a record that changes is signed again.
    expect(add(scene, { ...ksk, id: 'again' })).toMatchObject({
      ok: true,
      changed: false,
      value: { id: ksk.id },
    });
    expect(remove(scene, ksk.id)).toMatchObject({ ok: true, changed: true, value: null });
    expect(remove(scene, zsk.id)).toMatchObject({ ok: true, changed: true });
    expect(scene.zoneKeys).toEqual([own]);
    const after = served(scene);
    for (const type of [rrType.DNSKEY, rrType.CDS, rrType.CDNSKEY]) {
      expect(dataOf(after, type)).toEqual(dataOf(before, type));
    }
    expect(remove(scene, ksk.id)).toMatchObject({ ok: false, refusal: { code: 'unknown_key' } });
  },
);

test("records change as usual beside another provider's key, which may be older than the own one", () => {
  const scene = new SignedScene(lines);
  scene.enable('nsec');
  add(scene, { ...otherKey(), id: 'a' });
  for (const result of scene.create('mail A 192.0.2.2', 'x.y TXT "z"')) expect(result.ok).toBe(true);
  const records = served(scene);
  expect(dataOf(records, rrType.DNSKEY)).toHaveLength(2);
  expect(scene.remove(scene.find('www', rrType.A))).toMatchObject([{ ok: true }]);
  served(scene);
});

test('signing that ends, and begins again, leaves no key of another provider', () => {
  const scene = new SignedScene(lines);
  scene.enable('nsec');
  add(scene, otherKey());
  const off = { wanted: 'disabled', force: true, id: 'withdrawal' } as const;
  scene.run({ kind: 'updateDomain', author, name: zone, dnsSec: off });
  expect(scene.zoneKeys).toEqual([]);
});

test('a key of another provider is refused if it does not fit the domain', () => {
  const scene = new SignedScene(lines);
  expect(add(scene, otherKey())).toMatchObject(conflict);
  scene.enable('nsec');
  const [own] = scene.zoneKeys;
  expect(add(scene, otherKey(257, 13))).toMatchObject(conflict);
  expect(add(scene, { ...otherKey(), tag: own.tag })).toMatchObject(conflict);
  expect(add(scene, foreignKey(own, 'own', START_SECONDS))).toMatchObject(conflict);
  for (let count = 0; count < MAX_FOREIGN_KEYS; count++)
    expect(add(scene, otherKey())).toMatchObject({ ok: true });
  expect(add(scene, otherKey())).toMatchObject(conflict);
  expect(scene.zoneKeys).toHaveLength(1 + MAX_FOREIGN_KEYS);
  expect(remove(scene, own.id)).toMatchObject(conflict);
});

test('no key of another provider is added while the own one is exchanged or withdrawn', () => {
  const scene = new SignedScene(lines);
  scene.enable('nsec');
  const key = newZoneKey();
  scene.run({ kind: 'startRollover', author, domain: zone, id: 'rollover', key });
  expect(add(scene, otherKey())).toMatchObject(conflict);
  scene.run({ kind: 'cancelRollover', author, domain: zone, id: 'rollover' });
  const off = { wanted: 'disabled', force: false, id: 'withdrawal' } as const;
  scene.run({ kind: 'updateDomain', author, name: zone, dnsSec: off });
  expect(add(scene, otherKey())).toMatchObject(conflict);
  served(scene);
});

test('keys of unknown domains and of those of other accounts are neither added nor removed', () => {
  const scene = new SignedScene(lines);
  scene.enable('nsec');
  const stranger = { ...author, accountId: 'stranger' };
  const unknown = { ok: false, refusal: { code: 'unknown_domain' } };
  expect(add(scene, otherKey(), { author: stranger })).toMatchObject(unknown);
  const keyId = scene.zoneKeys[0].id;
  expect(scene.run({ kind: 'removeZoneKey', author: stranger, domain: zone, keyId })).toMatchObject([
    unknown,
  ]);
});

test('two providers with the keys of each other are one zone for who has the keys of one and records of the other', () => {
  const [here, there] = [new SignedScene(lines), new SignedScene(lines)];
  here.enable('nsec');
  there.enable('nsec');
  const [ours, theirs] = [here.zoneKeys[0], there.zoneKeys[0]];
  add(here, foreignKey(theirs, 'theirs', START_SECONDS));
  add(there, foreignKey(ours, 'ours', START_SECONDS));
  const zones = [served(here), served(there)];
  for (const [keysFrom, setsFrom] of [zones, zones.toReversed()]) {
    const mixed = [...keysFrom.filter(isOfKeys), ...setsFrom.filter((record) => !isOfKeys(record))];
    expect(checkSignedZone(mixed, apex, here.nowSeconds)).toEqual([]);
  }
  const signers = zones.map(tagsOfSigners);
  expect(signers).toEqual([new Set([ours.tag]), new Set([theirs.tag])]);
});

/** Whether a record belongs to the DNSKEY set or signs it. */
function isOfKeys({ type, rdata }: ZoneRecord): boolean {
  return (
    type === rrType.DNSKEY || (type === rrType.RRSIG && Buffer.from(rdata).readUInt16BE(0) === rrType.DNSKEY)
  );
}

test.each(['nsec', 'nsec3'] as const)('an RSA key signs (%s), and is renewed in smaller parts', (denial) => {
  const many = Array.from({ length: 120 }, (_, i) => `n${i} A 192.0.2.1`);
  const scene = new SignedScene([...lines, ...many]);
  const key = importedKey(8);
  expect(add(scene, key, { denial })).toMatchObject({ ok: true });
  expect(tagsOfSigners(served(scene))).toEqual(new Set([key.tag]));
  scene.nowSeconds += 5 * 86_400;
  const renew = (from?: string): CommandResult<Command> =>
    scene.run({ kind: 'renewSignatures', domain: zone, ...(from !== undefined && { from }) })[0];
  // A twelfth of the thousand names of other keys.
  const first = renew();
  expect(first).toMatchObject({ ok: true, value: { renewed: 84 } });
  expect(first.ok && first.value).not.toMatchObject({ next: null });
});

test('an RSA key signs fewer names at once, and fewer sets of a name', () => {
  const types = Array.from({ length: 181 }, (_, i) => `wide TYPE${30_000 + i} \\# 1 00`);
  const wide = new SignedScene([...lines, ...types]);
  expect(add(wide, importedKey(8))).toMatchObject({
    refusal: { code: 'invalid_request', message: expect.stringContaining('181 types, and 180') as string },
  });
  expect(add(wide, importedKey(13))).toMatchObject({ ok: true });
  const names = Array.from({ length: 10 }, (_, i) => `n${i} A 192.0.2.1`);
  const works = [13, 8].map((algorithm) => {
    const scene = new SignedScene(['@ NS ns1.example.net', ...names]);
    scene.limit(100, 100);
    expect(add(scene, importedKey(algorithm as SigningAlgorithm))).toMatchObject({ ok: true });
    return scene.domain?.signingWork?.kind;
  });
  expect(works).toEqual([undefined, 'sign']);
});

test('fewer names are signed again with an RSA key where a delegation goes', () => {
  const below = Array.from({ length: 200 }, (_, i) => `n${i}.cut A 192.0.2.1`);
  const refusals = [13, 8].map((algorithm) => {
    const scene = new SignedScene([...lines, ...below]);
    expect(add(scene, importedKey(algorithm as SigningAlgorithm))).toMatchObject({ ok: true });
    const [id] = scene.stored
      .filter(({ owner, type }) => owner === 'cut' && type === rrType.NS)
      .map((one) => one.id);
    const [result] = scene.run({ kind: 'deleteRecord', author, domain: zone, recordId: id });
    return result.ok ? undefined : result.refusal.message;
  });
  expect(refusals).toEqual([undefined, expect.stringContaining('166 names below "cut.example.com"')]);
});
