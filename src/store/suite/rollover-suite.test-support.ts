import { expect, test } from 'vitest';
import type { LongestTtl } from '../signing-reads.ts';
import { checkServed, newSigned, newZoneKey } from './signed-scene.test-support.ts';
import { newId, newRecord, START_SECONDS, type StoreScene } from './store-scene.test-support.ts';

/** Keys that are exchanged, and signing that is withdrawn. */
export function rolloverSuite(scene: () => StoreScene): void {
  noteSuite(scene);

  test('a rollover is kept with its keys, found by those who watch it, and carried on by them', async () => {
    const { tenant, name, key } = await newSigned(scene(), 'nsec3');
    const { store } = scene();
    const { author } = tenant;
    const { id } = await tenant.get(name);
    const found = async () =>
      (await store.signing.domainsInRollover(100, id - 1)).filter((domain) => domain.id === id);
    expect(await found()).toEqual([]);
    const incoming = { ...newZoneKey(), origin: 'imported' } as const;
    const start = { kind: 'startRollover', author, domain: name, id: newId(), key: incoming } as const;
    const rollover = await scene().must(start);
    expect(await found()).toEqual([{ id, accountId: tenant.account.id, name }]);
    expect(await store.signing.domainsInRollover(100, id)).not.toContainEqual(
      expect.objectContaining({ id }),
    );
    expect(await store.signing.zoneKeys({ id })).toEqual([key, { ...incoming, uses: 5, rollover }]);
    for (const step of ['published', 'announced', 'signed'] as const) {
      const move = { kind: 'moveRollover', domain: name, id: rollover.id, step } as const;
      await scene().must({ ...move, to: { untilSeconds: 1 } });
      await scene().must({ ...move, to: 'next' });
      expect(checkServed(store, name, 'nsec3')).toEqual([]);
    }
    expect(await found()).toEqual([]);
    expect(await store.signing.zoneKeys({ id })).toEqual([incoming]);
  });

  test('a domain whose signing is withdrawn keeps that while it is deleted', async () => {
    const { tenant, name } = await newSigned(scene(), 'nsec');
    const { author } = tenant;
    const dnsSec = { wanted: 'disabled', force: false, id: newId() } as const;
    await scene().must({ kind: 'updateDomain', author, name, dnsSec });
    const { withdrawnAtSeconds } = await tenant.get(name);
    expect(withdrawnAtSeconds).toBe(START_SECONDS);
    await tenant.deleteDomain(name);
    const restored = await scene().must({ kind: 'restoreDomain', author, name });
    expect(restored).toMatchObject({ denial: 'nsec', withdrawnAtSeconds });
    expect(checkServed(scene().store, name, 'nsec')).toEqual([]);
  });

  test('the longest TTL of a domain is found in slices', async () => {
    const { tenant, name } = await newSigned(scene(), 'nsec');
    await tenant.create(name, { ...newRecord('long', 7), ttl: 200_000 });
    const domain = await tenant.get(name);
    const { signing } = scene().store;
    const all = await signing.longestTtl(domain, 1000, '');
    expect(all).toEqual({ seconds: 200_000, lastId: null });
    let slices = 0;
    let seconds = 0;
    for (let lastId: string | null = ''; lastId !== null; slices++) {
      const slice: LongestTtl = await signing.longestTtl(domain, 3, lastId);
      seconds = Math.max(seconds, slice.seconds);
      ({ lastId } = slice);
    }
    expect(seconds).toBe(200_000);
    expect(slices).toBeGreaterThan(3);
  });
}

function noteSuite(scene: () => StoreScene): void {
  test("a hold, the TTL of DS records and the owner's word about them are kept with the rollover", async () => {
    const { tenant, name } = await newSigned(scene(), 'nsec');
    const { store } = scene();
    const { author } = tenant;
    const { id } = await tenant.get(name);
    const dnsSec = { wanted: 'disabled', force: false, id: newId() } as const;
    await scene().must({ kind: 'updateDomain', author, name, dnsSec });
    const note = async () => (await store.signing.zoneKeys({ id }))[0].rollover;
    const [rollover, step] = [await note(), 'withdrawing'] as const;
    const move = { kind: 'moveRollover', domain: name, id: dnsSec.id, step } as const;
    await scene().must({ ...move, to: { untilSeconds: null, dsTtlSeconds: 3600 } });
    const seen = { ds: ['1 13 2 AB'], ttlSeconds: 60, atSeconds: START_SECONDS };
    await scene().must({ kind: 'noteDsSeen', author, domain: name, id: dnsSec.id, step, seen });
    await scene().must({ kind: 'holdRollover', author, domain: name, isHeld: true });
    expect(await note()).toEqual({ ...rollover, dsTtlSeconds: 3600, seen, isHeld: true });
    expect(checkServed(store, name, 'nsec')).toEqual([]);
    await scene().must({ kind: 'holdRollover', author, domain: name, isHeld: false });
    expect(await note()).toEqual({ ...rollover, dsTtlSeconds: 3600, seen });
  });
}
