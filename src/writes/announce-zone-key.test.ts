import { expect, test } from 'vitest';
import { assert } from '../base/assert.ts';
import { rrType } from '../dns/codes.ts';
import { checkSignedZone } from '../dnssec/check-signed-zone.test-support.ts';
import { foreignKey } from '../dnssec/read-dnskey.ts';
import type { KeyFlags, ZoneKey } from '../dnssec/zone-key.ts';
import { APEX, ownerDomainName } from '../model/record-name.ts';
import type { Command, CommandResult } from './command.ts';
import { author, zone } from './decide-scene.test-support.ts';
import { servedZone } from './signing/served-zone.test-support.ts';
import { newZoneKey, SignedScene, START_SECONDS } from './signing/signed-scene.test-support.ts';

const conflict = { ok: false, refusal: { code: 'dnssec_conflict' } };

/** A signed domain with keys of another provider that have these flags. */
function sceneWith(...flags: readonly KeyFlags[]): SignedScene {
  const scene = new SignedScene(['@ NS ns1.example.net', 'www A 192.0.2.1']);
  scene.enable('nsec');
  flags.forEach((flag, at) => {
    const { algorithm, dnskey } = newZoneKey(15);
    const own = dnskey.slice();
    own[1] = flag & 0xff;
    const key = foreignKey({ algorithm, flags: flag, dnskey: own }, `other-${at}`, START_SECONDS);
    const command = { kind: 'addZoneKey', author, domain: zone, key, denial: 'nsec' } as const;
    expect(scene.run(command)).toMatchObject([{ ok: true }]);
  });
  return scene;
}

function announce(scene: SignedScene, { id: keyId }: ZoneKey, isAnnounced: boolean): CommandResult<Command> {
  return scene.run({ kind: 'announceZoneKey', author, domain: zone, keyId, isAnnounced })[0];
}

/** The own key and those of others. */
function keysOf(scene: SignedScene): { own: ZoneKey; others: readonly ZoneKey[] } {
  const own = scene.zoneKeys.find(({ origin }) => origin !== 'foreign');
  assert(own !== undefined, 'the domain is signed');
  return { own, others: scene.zoneKeys.filter((key) => key !== own) };
}

/** The tags that the CDS records name, after a check that the zone is signed rightly. */
function announcedTags({ stored, nowSeconds }: SignedScene): number[] {
  const records = servedZone(stored, zone, 'nsec');
  expect(checkSignedZone(records, ownerDomainName(APEX, zone), nowSeconds)).toEqual([]);
  const cds = records.filter(({ type }) => type === rrType.CDS);
  expect(records.filter(({ type }) => type === rrType.CDNSKEY)).toHaveLength(cds.length);
  return cds.map(({ rdata }) => Buffer.from(rdata).readUInt16BE(0)).sort();
}

test("another provider's key leaves: it is announced no longer and still published, and comes back", () => {
  const scene = sceneWith(257);
  const { own, others } = keysOf(scene);
  const [foreign] = others;
  expect(announcedTags(scene)).toEqual([own.tag, foreign.tag].sort());
  expect(announce(scene, foreign, false)).toMatchObject({ ok: true, changed: true });
  expect(announcedTags(scene)).toEqual([own.tag]);
  expect(scene.zoneKeys.map(({ uses }) => uses).sort()).toEqual([1, 15]);
  expect(announce(scene, foreign, false)).toMatchObject({ ok: true, changed: false });
  expect(announce(scene, foreign, true)).toMatchObject({ ok: true, changed: true });
  expect(announcedTags(scene)).toEqual([own.tag, foreign.tag].sort());
});

test('the domain moves away: the own key is announced no longer, and goes on to sign', () => {
  const scene = sceneWith(257);
  const { own, others } = keysOf(scene);
  expect(announce(scene, own, false)).toMatchObject({ ok: true, changed: true });
  expect(announcedTags(scene)).toEqual([others[0].tag]);
  scene.create('mail A 192.0.2.2');
  expect(announcedTags(scene)).toEqual([others[0].tag]);
  const keyId = others[0].id;
  expect(scene.run({ kind: 'removeZoneKey', author, domain: zone, keyId })).toMatchObject([conflict]);
  const start = { kind: 'startRollover', author, domain: zone, id: 'rollover', key: newZoneKey() } as const;
  expect(scene.run(start)).toMatchObject([conflict]);
  expect(announce(scene, own, true)).toMatchObject({ ok: true, changed: true });
  expect(scene.run({ kind: 'removeZoneKey', author, domain: zone, keyId })).toMatchObject([{ ok: true }]);
  expect(announcedTags(scene)).toEqual([own.tag]);
});

test('one key stays announced, and a key with the flags 256 never is', () => {
  const scene = sceneWith(257, 256);
  const { own, others } = keysOf(scene);
  announce(scene, others[0], false);
  expect(announce(scene, own, false)).toMatchObject(conflict);
  expect(announce(scene, others[1], true)).toMatchObject(conflict);
  expect(announce(scene, { ...own, id: 'unknown' }, false)).toMatchObject({
    ok: false,
    refusal: { code: 'unknown_key' },
  });
  expect(announcedTags(scene)).toEqual([own.tag]);
});

test('signing is not withdrawn beside keys of another provider, except by force', () => {
  const scene = sceneWith(257);
  const off = (force: boolean): Command => ({
    kind: 'updateDomain',
    ...{ author, name: zone },
    dnsSec: { wanted: 'disabled', force, id: 'withdrawal' },
  });
  expect(scene.run(off(false))).toMatchObject([conflict]);
  expect(scene.domain).toMatchObject({ denial: 'nsec', withdrawnAtSeconds: null });
  expect(scene.run(off(true))).toMatchObject([{ ok: true }]);
  expect(scene.domain).toMatchObject({ denial: null });
});
