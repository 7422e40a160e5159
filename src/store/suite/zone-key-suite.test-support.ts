import { expect, test } from 'vitest';
import { foreignKey } from '../../dnssec/read-dnskey.ts';
import { KEY_FLAGS, publicPartOf, ZONE_KEY_FLAGS } from '../../dnssec/zone-key.ts';
import { checkServed, newSigned, newZoneKey } from './signed-scene.test-support.ts';
import { newId, newName, newRecord, START_SECONDS, type StoreScene } from './store-scene.test-support.ts';

/** Keys that come from elsewhere. */
export function zoneKeySuite(scene: () => StoreScene): void {
  test("another provider's key is stored beside the own one, until it is removed", async () => {
    const { tenant, name, key } = await newSigned(scene(), 'nsec');
    const { store } = scene();
    const { author } = tenant;
    const { id } = await tenant.get(name);
    const dnskey = newZoneKey().dnskey.slice();
    dnskey[1] = ZONE_KEY_FLAGS & 0xff;
    const foreign = foreignKey({ algorithm: 13, flags: ZONE_KEY_FLAGS, dnskey }, newId(), START_SECONDS);
    const add = { kind: 'addZoneKey', author, domain: name, key: foreign, denial: 'nsec' } as const;
    expect(await scene().must(add)).toEqual(publicPartOf(foreign));
    expect(await store.signing.zoneKeys({ id })).toEqual([key, foreign]);
    expect(checkServed(store, name, 'nsec')).toEqual([]);
    await tenant.create(name, newRecord('later', 8));
    await scene().must({ kind: 'removeZoneKey', author, domain: name, keyId: foreign.id });
    expect(await store.signing.zoneKeys({ id })).toEqual([key]);
    expect(checkServed(store, name, 'nsec')).toEqual([]);
  });

  test('a key is announced no longer, and announced again', async () => {
    const { tenant, name, key } = await newSigned(scene(), 'nsec');
    const { store } = scene();
    const { author } = tenant;
    const { id } = await tenant.get(name);
    const data = { algorithm: 13, flags: KEY_FLAGS, dnskey: newZoneKey().dnskey } as const;
    const foreign = foreignKey(data, newId(), START_SECONDS);
    await scene().must({ kind: 'addZoneKey', author, domain: name, key: foreign, denial: 'nsec' });
    const announce = { kind: 'announceZoneKey', author, domain: name, keyId: key.id } as const;
    await scene().must({ ...announce, isAnnounced: false });
    expect(await store.signing.zoneKeys({ id })).toEqual([{ ...key, uses: 7 }, foreign]);
    expect(checkServed(store, name, 'nsec')).toEqual([]);
    await scene().must({ ...announce, isAnnounced: true });
    expect(await store.signing.zoneKeys({ id })).toEqual([key, foreign]);
  });

  test('signing begins with an imported key, also for a repeat with an idempotency key', async () => {
    const tenant = await scene().newAccount();
    const { name } = await tenant.createDomain(newName());
    const { store } = scene();
    const { id } = await tenant.get(name);
    const key = { ...newZoneKey(), origin: 'imported' } as const;
    const author = { ...tenant.author, idempotency: { key: 'import', hash: 'hash' } };
    const add = { kind: 'addZoneKey', author, domain: name, key, denial: 'nsec3' } as const;
    expect(await scene().must(add)).toEqual(publicPartOf(key));
    expect(await scene().must({ ...add, key: { ...key, id: newId() } })).toEqual(publicPartOf(key));
    expect(await store.signing.zoneKeys({ id })).toEqual([key]);
    expect(checkServed(store, name, 'nsec3')).toEqual([]);
  });
}
