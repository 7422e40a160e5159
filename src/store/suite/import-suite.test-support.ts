import { expect, test } from 'vitest';
import { revisionOf } from '../../writes/revision.ts';
import { MAX_UPDATED_OWNERS } from '../../writes/zone-replacement.ts';
import { filled, importZone, readRecords } from './change-scene.test-support.ts';
import { newName, newRecord, replayUpdates, type StoreScene } from './store-scene.test-support.ts';

/** Zone imports, also of large zones and into domains that they create. */
export function zoneImportSuite(scene: () => StoreScene): void {
  importSuite(scene);
  createAndImportSuite(scene);
  largeZoneSuite(scene);
}

function importSuite(scene: () => StoreScene): void {
  test('a replacing import keeps the ids and spelling of records that remain, and the apex NS records', async () => {
    const { tenant, domain, records } = await filled(scene(), ['a', 'B', 'gone']);
    const ns = newRecord('', 1, { type: 2, data: 'ns.example', rdata: Uint8Array.of(2, 110, 115, 0) });
    await tenant.create(domain.name, ns);
    const [a, b, gone] = records;
    const fresh = newRecord('new', 9);
    const result = await importZone(tenant, domain, [
      newRecord('a', 1),
      newRecord('b', 2, { ttl: 9 }),
      fresh,
    ]);
    const after = { ...b, ttl: 9 };
    expect(result).toMatchObject({
      ok: true,
      changed: true,
      value: { created: [fresh], updated: [{ before: b, after }], deleted: [gone], unchanged: 1 },
    });
    expect(await readRecords(scene(), tenant, domain)).toEqual([a, after, ns, fresh]);
    const again = await importZone(tenant, domain, [
      newRecord('a', 1),
      newRecord('b', 2, { ttl: 9 }),
      newRecord('new', 9),
    ]);
    expect(again).toMatchObject({
      ok: true,
      changed: false,
      value: { created: [], updated: [], deleted: [], unchanged: 3 },
    });
  });

  test('a merging import keeps all other records and sets the SOA fields', async () => {
    const { tenant, domain, records } = await filled(scene(), ['a', 'b']);
    const soa = { soaEmail: 'dns@example.net' };
    const result = await importZone(tenant, domain, [newRecord('a', 1, { ttl: 7 })], { mode: 'merge', soa });
    expect(result).toMatchObject({
      value: {
        updated: [{ after: { id: records[0].id, ttl: 7 } }],
        deleted: [],
        soa: { before: { soaPrimary: null, soaEmail: null }, after: { soaPrimary: null, ...soa } },
      },
    });
    expect(await tenant.get(domain.name)).toMatchObject({
      ...soa,
      recordCount: 2,
      serial: domain.serial + 1,
    });
  });
}

function createAndImportSuite(scene: () => StoreScene): void {
  test('an import creates a missing domain with its records in one step, or not at all', async () => {
    const { tenant, domain: other } = await filled(scene(), []);
    const { author } = tenant;
    const ns = newRecord('', 1, { type: 2, data: 'ns.example', rdata: Uint8Array.of(2, 110, 115, 0) });
    const young = { name: newName() };
    const [a, b] = [newRecord('a'), newRecord('b')];
    const cname = newRecord('a', 1, { type: 5, data: 'x.example', rdata: Uint8Array.of(1, 120, 0) });
    const created = { nameservers: [ns] };

    expect(await importZone(tenant, young, [a])).toMatchObject({ refusal: { code: 'unknown_domain' } });
    expect(await importZone(tenant, young, [a, cname], created)).toMatchObject({
      refusal: { problems: [{ index: 1, code: 'record_conflict' }] },
    });
    const difference = { created: [a, b], updated: [], deleted: [], unchanged: 0 };
    expect(await importZone(tenant, young, [a, b], { ...created, dryRun: true })).toMatchObject({
      difference,
    });
    expect(await importZone(tenant, young, [a], { ...created, ifMatch: ['*'] })).toMatchObject({
      refusal: { code: 'precondition_failed' },
    });
    expect(await scene().store.findDomain(author.accountId, young.name)).toBeUndefined();

    expect(await importZone(tenant, young, [a, b], created)).toMatchObject({
      changed: true,
      value: difference,
    });
    const domain = await tenant.get(young.name);
    expect(await readRecords(scene(), tenant, domain)).toEqual([ns, a, b]);
    expect(domain.serial).toBeGreaterThanOrEqual(other.serial);
    expect(replayUpdates(scene().updates)).toEqual(scene().served());
    expect(
      await importZone(tenant, domain, [newRecord('a', 1)], { ...created, mode: 'merge' }),
    ).toMatchObject({
      changed: false,
      value: { unchanged: 1 },
      revision: revisionOf(domain),
    });
  });

  test('an empty import still creates the domain', async () => {
    const { tenant } = await filled(scene(), []);
    const young = { name: newName() };
    const result = await importZone(tenant, young, [], { nameservers: [], mode: 'merge' });
    expect(result).toMatchObject({ ok: true, changed: true });
    expect(await tenant.get(young.name)).toMatchObject({ recordCount: 0 });
  });

  test('a domain of another account cannot be created by an import', async () => {
    const { domain } = await filled(scene(), []);
    const { tenant: other } = await filled(scene(), []);
    const result = await importZone(other, domain, [newRecord('a')], { nameservers: [], mode: 'merge' });
    expect(result).toMatchObject({ refusal: { code: 'domain_taken' } });
  });
}

function largeZoneSuite(scene: () => StoreScene): void {
  test('a large zone can be imported, changed at all its names and emptied', async () => {
    const { tenant, domain } = await filled(scene(), []);
    const count = MAX_UPDATED_OWNERS + 10;
    const zone = (ttl: number) => Array.from({ length: count }, (_, at) => newRecord(`n${at}`, 1, { ttl }));
    for (const records of [zone(60), zone(61), []]) {
      expect(await importZone(tenant, domain, records)).toMatchObject({ ok: true, changed: true });
      expect(scene().served().get(domain.name)?.records.length).toBe(records.length);
      expect(replayUpdates(scene().updates)).toEqual(scene().served());
    }
  });

  test('conflicting records are each reported with their position', async () => {
    const { tenant, domain } = await filled(scene(), []);
    const cname = newRecord('a', 1, { type: 5, data: 'x.example', rdata: Uint8Array.of(1, 120, 0) });
    const result = await importZone(tenant, domain, [newRecord('a'), cname, newRecord('a', 1, { ttl: 5 })]);
    expect(result).toMatchObject({
      ok: false,
      refusal: {
        problems: [
          { index: 2, code: 'record_exists' },
          { index: 1, code: 'record_conflict' },
        ],
      },
    });
  });
}
