import { expect, test } from 'vitest';
import { LARGE_ROWS } from '../../writes/command-weight.ts';
import { importZone } from './change-scene.test-support.ts';
import { checkServed, newSigned, newZoneKey, withClockFault } from './signed-scene.test-support.ts';
import { newName, newRecord, type StoreScene } from './store-scene.test-support.ts';

/** Signed domains while the clock of the service is wrong. */
export function clockSuite(scene: () => StoreScene): void {
  const fault = 'has gone back by 48 hours';
  const refusal = {
    ok: false,
    refusal: { code: 'dnssec_unavailable', message: expect.stringContaining(fault) as string },
  };
  const many = (): ReturnType<typeof newRecord>[] =>
    Array.from({ length: LARGE_ROWS + 1 }, (_, at) => newRecord(`h${at % 50}`, Math.floor(at / 50)));

  test('while the clock is wrong, nothing is signed on any way that a write takes', async () => {
    const { tenant, name } = await newSigned(scene(), 'nsec');
    const { name: other } = await tenant.createDomain(newName());
    const before = await tenant.get(name);
    const { author } = tenant;
    const { store } = scene();
    const record = newRecord('new');
    await withClockFault(fault, async () => {
      const create = { kind: 'createRecord', author, domain: name, record } as const;
      expect(await store.write(create)).toMatchObject(refusal);
      expect(await store.write({ ...create, dryRun: true })).toMatchObject(refusal);
      expect(await importZone(tenant, { name }, many())).toMatchObject(refusal);
      const dnsSec = { wanted: 'enabled', denial: 'nsec', key: newZoneKey() } as const;
      expect(await store.write({ kind: 'updateDomain', author, name: other, dnsSec })).toMatchObject(refusal);
    });
    expect(await tenant.get(name)).toEqual(before);
    await tenant.create(name, record);
    expect(checkServed(store, name, 'nsec')).toEqual([]);
  }, 60_000);

  test('while the clock is wrong, domains that are not signed are written to, and signed ones deleted', async () => {
    const { tenant, name } = await newSigned(scene(), 'nsec3');
    const { name: other } = await tenant.createDomain(newName());
    const { author } = tenant;
    await withClockFault(fault, async () => {
      await tenant.create(other, newRecord('new'));
      expect(await importZone(tenant, { name: other }, many())).toMatchObject({ ok: true });
      await tenant.deleteDomain(name);
      const restore = { kind: 'restoreDomain', author, name } as const;
      expect(await scene().store.write(restore)).toMatchObject(refusal);
    });
    await scene().must({ kind: 'restoreDomain', author, name });
    expect(checkServed(scene().store, name, 'nsec3')).toEqual([]);
  }, 60_000);
}
