import { expect, test } from 'vitest';
import type { Domain, ZoneName } from '../../model/domain.ts';
import { LARGE_ROWS } from '../../writes/command-weight.ts';
import { readPastContent } from '../past-content.ts';
import type { PastMoment } from '../zone-view.ts';
import { filled, importZone, readRecords } from './change-scene.test-support.ts';
import { manyRecords } from './large-write-suite.test-support.ts';
import { START_MS, newName, newRecord, type StoreScene, type Tenant } from './store-scene.test-support.ts';

/** A restored domain is the one that was deleted: with its id, its creation date and its history. */
export function returnSuite(scene: () => StoreScene): void {
  sameDomainSuite(scene);
  pastSuite(scene);
  serialSuite(scene);
  lastDeletedSuite(scene);
  sameBatchSuite(scene);
}

function sameDomainSuite(scene: () => StoreScene): void {
  test('a restored domain has its id, its creation date and one history across the deletion', async () => {
    const { tenant, domain, records } = await filled(scene(), ['a']);
    const { name, id, createdAtSeconds } = domain;
    const deleted = await deleteAt(tenant, name, START_MS + 60_000);
    const restored = await restoreAt(tenant, name, START_MS + 120_000);
    expect(restored).toMatchObject({ id, createdAtSeconds, recordCount: 1, octets: domain.octets });
    tenant.nowMs += 60_000;
    await tenant.create(name, newRecord('b'));
    expect(await actions(tenant, restored)).toEqual([
      `create ${restored.serial + 1}`,
      `domainRestore ${restored.serial}`,
      `domainDelete ${deleted.serial}`,
      `create ${domain.serial}`,
      expect.stringMatching(/^domainCreate /),
    ]);
    expect(await scene().store.findHistoryStart(restored)).toBe(domain.serial);
    expect((await readRecords(scene(), tenant, restored)).slice(0, 1)).toEqual(records);
    expect(scene().served().get(name)?.records).toHaveLength(2);
  });

  test('restoring is one entry of the feed, however many records the domain has', async () => {
    const { tenant, domain } = await filled(scene(), []);
    const { name, id } = domain;
    const records = manyRecords('r', LARGE_ROWS + 1);
    await importZone(tenant, domain, records);
    await tenant.deleteDomain(name);
    const before = await scene().store.lastSeq();
    const restored = await scene().must({ kind: 'restoreDomain', author: tenant.author, name });
    const { serial } = restored;
    const head = { domainId: id, name, serial, soaPrimary: null, soaEmail: null };
    const { keyId, atMs } = tenant.author;
    expect(await scene().store.changesAfter(before, 9)).toEqual([
      {
        seq: before + 1,
        kind: 'domainRestore',
        domainId: id,
        domain: name,
        serial,
        keyId,
        atMs,
        head,
        record: null,
      },
    ]);
    expect(await readRecords(scene(), tenant, restored)).toEqual(records);
    expect(scene().served().get(name)?.records).toHaveLength(records.length);
  });
}

function pastSuite(scene: () => StoreScene): void {
  test('a domain is shown and reverted as it was before it was deleted', async () => {
    const { tenant, domain, records } = await filled(scene(), ['a', 'b']);
    const { name } = domain;
    tenant.nowMs = START_MS + 1000;
    await tenant.delete(name, records[0].id);
    const deleted = await deleteAt(tenant, name, START_MS + 2000);
    await restoreAt(tenant, name, START_MS + 3000);
    tenant.nowMs = START_MS + 4000;
    await tenant.create(name, newRecord('c'));
    for (const moment of [{ serial: domain.serial }, { atMs: START_MS + 500 }]) {
      expect(await past(tenant, name, moment)).toMatchObject({ value: { serial: domain.serial, records } });
    }
    for (const moment of [{ serial: deleted.serial }, { atMs: START_MS + 2000 }, { atMs: START_MS + 2999 }]) {
      expect(await past(tenant, name, moment)).toMatchObject({ refusal: { code: 'domain_deleted' } });
    }
    expect(await past(tenant, name, { atMs: START_MS + 3000 })).toMatchObject({
      value: { records: [records[1]] },
    });
    expect(await revert(tenant, name, deleted.serial)).toMatchObject({ refusal: { code: 'domain_deleted' } });
    expect(await revert(tenant, name, domain.serial)).toMatchObject({ ok: true, changed: true });
    expect(await readRecords(scene(), tenant, domain)).toEqual(records);
  });

  test('the SOA fields from before a deletion are found and restored, too', async () => {
    const { tenant, domain } = await filled(scene(), []);
    const { name, serial } = domain;
    const soa = { soaPrimary: null, soaEmail: 'dns@example.net' };
    await scene().must({ kind: 'updateDomain', author: tenant.author, name, soaEmail: soa.soaEmail });
    await tenant.deleteDomain(name);
    expect(await scene().must({ kind: 'restoreDomain', author: tenant.author, name })).toMatchObject(soa);
    expect(await past(tenant, name, { serial: serial + 1 })).toMatchObject({ value: { soa } });
    expect(await revert(tenant, name, serial)).toMatchObject({ ok: true, changed: true });
    expect(await tenant.get(name)).toMatchObject({ soaEmail: null });
  });
}

function serialSuite(scene: () => StoreScene): void {
  test('serials only rise, however often a domain is deleted and restored', async () => {
    const { tenant, domain, records } = await filled(scene(), ['a']);
    const { name, id } = domain;
    let last = domain.serial;
    for (let round = 0; round < 3; round++) {
      await tenant.deleteDomain(name);
      const restored = await scene().must({ kind: 'restoreDomain', author: tenant.author, name });
      expect(restored.id).toBe(id);
      expect(restored.serial).toBeGreaterThan(last + 1);
      last = restored.serial;
    }
    expect(await past(tenant, name, { serial: domain.serial })).toMatchObject({ value: { records } });
    expect((await actions(tenant, domain)).slice(0, 6).map((action) => action.split(' ')[0])).toEqual(
      Array.from({ length: 3 }, () => ['domainRestore', 'domainDelete']).flat(),
    );
  });

  test('a domain is restored with a later serial than another one that had its name since', async () => {
    const { tenant, domain } = await filled(scene(), ['a']);
    const { name } = domain;
    await tenant.deleteDomain(name);
    const other = await tenant.createDomain(name);
    for (const owner of ['x', 'y', 'z']) await tenant.create(name, newRecord(owner));
    const { serial } = await tenant.get(name);
    tenant.nowMs += 1;
    await tenant.deleteDomain(name);
    const restored = await scene().must({
      kind: 'restoreDomain',
      author: tenant.author,
      name,
      id: domain.id,
    });
    expect(restored.serial).toBeGreaterThan(serial + 1);
    expect((await actions(tenant, restored))[0]).toBe(`domainRestore ${restored.serial}`);
    tenant.nowMs += 86_400_000;
    await tenant.deleteDomain(name);
    const late = await scene().must({ kind: 'restoreDomain', author: tenant.author, name, id: other.id });
    expect(late.serial).toBeGreaterThanOrEqual(Math.floor(tenant.nowMs / 1000));
  });
}

function lastDeletedSuite(scene: () => StoreScene): void {
  test('the domain that was deleted last is restored, whichever was created last', async () => {
    const { tenant, domain } = await filled(scene(), ['a']);
    const { name, id } = domain;
    await tenant.deleteDomain(name);
    await tenant.createDomain(name);
    await deleteAt(tenant, name, START_MS + 1);
    await scene().must({ kind: 'restoreDomain', author: tenant.author, name, id });
    await deleteAt(tenant, name, START_MS + 2);
    expect(await scene().store.findDeletedDomain(tenant.account.id, name)).toMatchObject({ id });
    expect(await scene().must({ kind: 'restoreDomain', author: tenant.author, name })).toMatchObject({ id });
  });

  test('a name is held for the account that deleted it last', async () => {
    const [tenant, admin] = [await scene().newAccount(), await scene().newAccount()];
    const { name, id } = await tenant.createDomain();
    await tenant.deleteDomain(name);
    await scene().must({
      kind: 'createDomain',
      author: admin.author,
      name,
      address: null,
      nameservers: [],
      takesHeldNames: true,
    });
    await deleteAt(admin, name, START_MS + 1);
    const restore = { kind: 'restoreDomain', author: tenant.author, name, id } as const;
    expect(await scene().store.write(restore)).toMatchObject({ refusal: { code: 'domain_held' } });
    await scene().must({ ...restore, takesHeldNames: true } as const);
    await deleteAt(tenant, name, START_MS + 2);
    expect(await scene().store.write({ ...restore, author: admin.author })).toMatchObject({ ok: false });
    expect(await scene().must(restore)).toMatchObject({ id });
  });
}

function sameBatchSuite(scene: () => StoreScene): void {
  test('commands in the batch of a restoration see the records of the restored domain', async () => {
    const { tenant, domain, records } = await filled(scene(), ['a', 'b']);
    const { name, id } = domain;
    await tenant.deleteDomain(name);
    await tenant.createDomain(name, [newRecord('a', 7)]);
    const restore = { kind: 'restoreDomain', author: tenant.author, name, id } as const;
    const [, restored, same, updated, deleted] = await Promise.all([
      tenant.deleteDomain(name),
      scene().store.write(restore),
      tenant.create(name, newRecord('a')),
      tenant.update(name, records[1].id, { ttl: 60 }),
      tenant.delete(name, records[0].id),
    ]);
    expect(restored).toMatchObject({ ok: true, value: { id } });
    expect(same).toMatchObject({ ok: true, changed: false, value: { id: records[0].id } });
    for (const result of [updated, deleted]) expect(result).toMatchObject({ ok: true, changed: true });
    expect(await readRecords(scene(), tenant, domain)).toEqual([{ ...records[1], ttl: 60 }]);
    expect(scene().served().get(name)?.records).toHaveLength(1);
  });

  test('a domain that is restored, changed and deleted again in one batch keeps the change', async () => {
    const { tenant, domain, records } = await filled(scene(), ['a']);
    const { name, id } = domain;
    await tenant.deleteDomain(name);
    const record = newRecord('b');
    const author = { ...tenant.author, atMs: START_MS + 5 };
    await Promise.all([
      scene().must({ kind: 'restoreDomain', author, name }),
      tenant.create(name, record),
      scene().must({ kind: 'deleteDomain', author, name }),
    ]);
    expect(await scene().store.findDeletedDomain(tenant.account.id, name)).toMatchObject({
      id,
      recordCount: 2,
      deletedAtMs: START_MS + 5,
    });
    expect(scene().served().has(name)).toBe(false);
    const restored = await scene().must({ kind: 'restoreDomain', author, name });
    expect(await readRecords(scene(), tenant, restored)).toEqual([...records, record]);
  });

  test('a name below a domain that is restored in the same batch is taken for others', async () => {
    const [tenant, stranger] = [await scene().newAccount(), await scene().newAccount()];
    const above = newName();
    const { name } = await tenant.createDomain(`sub.${above}` as ZoneName);
    await tenant.deleteDomain(name);
    const takes = { author: stranger.author, address: null, nameservers: [], takesHeldNames: true } as const;
    const [, refused] = await Promise.all([
      scene().must({ kind: 'restoreDomain', author: tenant.author, name }),
      scene().store.write({ kind: 'createDomain', name: above, ...takes }),
    ]);
    expect(refused).toMatchObject({ refusal: { code: 'domain_taken' } });
  });
}

async function deleteAt(tenant: Tenant, name: ZoneName, atMs: number) {
  tenant.nowMs = atMs;
  await tenant.deleteDomain(name);
  const found = await tenant.scene.store.findDeletedDomain(tenant.account.id, name);
  expect(found).toMatchObject({ deletedAtMs: atMs });
  return found as Domain;
}

function restoreAt(tenant: Tenant, name: ZoneName, atMs: number): Promise<Domain> {
  tenant.nowMs = atMs;
  return tenant.scene.must({ kind: 'restoreDomain', author: tenant.author, name });
}

function revert(tenant: Tenant, domain: ZoneName, to: number) {
  return tenant.scene.store.write({ kind: 'revertRecords', author: tenant.author, domain, to });
}

async function past(tenant: Tenant, name: ZoneName, moment: PastMoment) {
  const view = await tenant.scene.store.openZoneView(tenant.account.id, name);
  if (view === undefined) throw new Error('the domain is there');
  return await readPastContent(view, moment).finally(() => view.close());
}

/** Reads the action and serial of each change, newest first. */
async function actions(tenant: Tenant, domain: Domain): Promise<string[]> {
  const page = { direction: 'after', key: null, limit: 99 } as const;
  const { rows } = await tenant.scene.store.listChanges(domain, page);
  return rows.map(({ action, serial }) => `${action} ${serial}`);
}
