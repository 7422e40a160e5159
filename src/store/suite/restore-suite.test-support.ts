import { expect, test } from 'vitest';
import type { DeletedDomain, Domain } from '../../model/domain.ts';
import { filled, readRecords } from './change-scene.test-support.ts';
import {
  START_MS,
  newName,
  newRecord,
  valueOf,
  walk,
  type StoreScene,
  type Tenant,
} from './store-scene.test-support.ts';
import type { PageRequest } from '../store.ts';

/** Listing and restoring deleted domains. */
export function restoreSuite(scene: () => StoreScene): void {
  restoreLastSuite(scene);
  deletedListSuite(scene);
  restoreByIdSuite(scene);
  restoreRightsSuite(scene);
  restoreInBatchSuite(scene);
}

function restoreLastSuite(scene: () => StoreScene): void {
  test('a deleted domain is listed and can be restored completely', async () => {
    const { tenant, domain, records } = await filled(scene(), ['a', 'b']);
    const { name } = domain;
    const soa = { soaPrimary: 'ns9.example.net', soaEmail: 'dns@example.net' };
    await scene().must({ kind: 'updateDomain', author: tenant.author, name, ...soa });
    const other = await tenant.createDomain();
    await tenant.deleteDomain(name);
    await tenant.deleteDomain(other.name);
    const page = { direction: 'after', key: null, limit: 1 } as const;
    const listed = await scene().store.listDeletedDomains(tenant.account.id, page);
    expect(listed).toMatchObject({ total: 2, hasAfter: true, rows: [{ name: other.name, id: other.id }] });
    const next = await scene().store.listDeletedDomains(tenant.account.id, {
      ...page,
      key: deletionKey({ id: other.id, deletedAtMs: START_MS }),
    });
    const deleted = {
      ...soa,
      id: domain.id,
      name,
      serial: domain.serial + 2,
      recordCount: 2,
      deletedAtMs: START_MS,
    };
    expect(next).toMatchObject({ hasBefore: true, hasAfter: false, rows: [deleted] });

    const restored = await scene().must({ kind: 'restoreDomain', author: tenant.author, name });
    expect(restored).toMatchObject({ ...soa, name, serial: domain.serial + 3, recordCount: 2 });
    expect(await tenant.get(name)).toEqual(restored);
    expect(await readRecords(scene(), tenant, restored)).toEqual(records);
    expect(replayed(scene(), name)).toBe(restored.serial);
    const left = await scene().store.listDeletedDomains(tenant.account.id, { ...page, limit: 9 });
    expect(left.rows.map((row) => row.name)).toEqual([other.name]);
  });

  test('a restored domain has the writes made just before it was deleted', async () => {
    const { tenant, domain } = await filled(scene(), ['a']);
    const record = newRecord('last');
    await Promise.all([tenant.create(domain.name, record), tenant.deleteDomain(domain.name)]);
    const restored = await scene().must({ kind: 'restoreDomain', author: tenant.author, name: domain.name });
    expect((await readRecords(scene(), tenant, restored)).at(-1)).toEqual(record);
  });
}

function restoreRightsSuite(scene: () => StoreScene): void {
  test('only domains that the account deleted can be restored, and only if the name is free', async () => {
    const [tenant, stranger] = [await scene().newAccount(), await scene().newAccount()];
    const domain = await tenant.createDomain();
    const restore = (by: Tenant, name = domain.name) =>
      scene().store.write({ kind: 'restoreDomain', author: by.author, name });
    expect(await restore(tenant)).toMatchObject({ ok: false, refusal: { code: 'domain_exists' } });
    await tenant.deleteDomain(domain.name);
    expect(await restore(stranger)).toMatchObject({ ok: false, refusal: { code: 'unknown_domain' } });
    expect(await restore(tenant, newName())).toMatchObject({
      ok: false,
      refusal: { code: 'unknown_domain' },
    });
    await scene().must({
      kind: 'createDomain',
      author: stranger.author,
      name: domain.name,
      address: null,
      nameservers: [],
      takesHeldNames: true,
    });
    expect(await restore(tenant)).toMatchObject({ ok: false, refusal: { code: 'domain_taken' } });
  });
}

function deletedListSuite(scene: () => StoreScene): void {
  test('deleted domains are listed latest deletion first, in pages in both directions', async () => {
    const tenant = await scene().newAccount();
    const domains: Domain[] = [];
    for (let i = 0; i < 7; i++) domains.push(await tenant.createDomain());
    // Three are deleted at the same time, the others separately; none in creation order.
    const moments = [5, 2, 9, 5, 1, 5, 7];
    const order = moments.map((_, i) => i).sort((a, b) => moments[b] - moments[a] || b - a);
    for (const i of [3, 1, 6, 0, 4, 2, 5]) {
      tenant.nowMs = START_MS + moments[i];
      await tenant.deleteDomain(domains[i].name);
    }
    const ask = (page: PageRequest) => scene().store.listDeletedDomains(tenant.account.id, page);
    for (const limit of [1, 2, 3, 10]) {
      const forwards = (await walk('after', limit, deletionKey, ask)).flatMap(({ rows }) => rows);
      const backwards = (await walk('before', limit, deletionKey, ask)).reverse().flatMap(({ rows }) => rows);
      expect(forwards.map(({ id }) => id)).toEqual(order.map((i) => domains[i].id));
      expect(backwards).toEqual(forwards);
    }
    // If the domain whose key starts a page is restored, the page still continues at the same position.
    const [, , third] = order.map((i) => domains[i]);
    const key = deletionKey({ id: third.id, deletedAtMs: START_MS + 5 });
    await scene().must({ kind: 'restoreDomain', author: tenant.author, name: third.name, id: third.id });
    tenant.nowMs = START_MS + 20;
    await tenant.deleteDomain(third.name);
    const behind = await ask({ direction: 'after', key, limit: 10 });
    expect(behind.rows.map(({ id }) => id)).toEqual(order.slice(3).map((i) => domains[i].id));
    const before = await ask({ direction: 'before', key, limit: 10 });
    expect(before.rows.map(({ name }) => name)).toEqual(
      [third, domains[order[0]], domains[order[1]]].map(({ name }) => name),
    );
    expect([behind.hasBefore, behind.hasAfter, before.hasBefore, before.hasAfter]).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });
}

/** Several deleted domains of one name, identified by their ids. */
function restoreByIdSuite(scene: () => StoreScene): void {
  test('each of several deleted domains of one name can be restored', async () => {
    const { tenant, name, old, late } = await deletedTwice(scene());
    const restore = (id?: number) =>
      scene().store.write({ kind: 'restoreDomain', author: tenant.author, name, id });
    expect(await ids(tenant)).toEqual([late.id, old.id]);
    const restored = valueOf<Domain>(await restore(old.id));
    expect(await readRecords(scene(), tenant, restored)).toEqual(old.records);
    expect(restored.id).toBe(old.id);
    expect(await ids(tenant)).toEqual([late.id]);
    expect(await restore(late.id)).toMatchObject({ ok: false, refusal: { code: 'domain_exists' } });
    tenant.nowMs += 1;
    await tenant.deleteDomain(name);
    expect(await ids(tenant)).toEqual([old.id, late.id]);
    expect(await readRecords(scene(), tenant, valueOf<Domain>(await restore(late.id)))).toEqual(late.records);
    expect(await restore(late.id)).toMatchObject({ ok: false, refusal: { code: 'domain_exists' } });
    tenant.nowMs += 1;
    await tenant.deleteDomain(name);
    expect(await readRecords(scene(), tenant, valueOf<Domain>(await restore()))).toEqual(late.records);
  });

  test('an id of another name or account, of a hosted domain or of no domain is refused', async () => {
    const { tenant, name, old } = await deletedTwice(scene());
    const [stranger, other] = [await scene().newAccount(), await tenant.createDomain()];
    await tenant.deleteDomain(other.name);
    const refused = (by: Tenant, id: number) =>
      scene().store.write({ kind: 'restoreDomain', author: by.author, name, id });
    const hosted = await tenant.createDomain();
    for (const [by, id] of [
      [tenant, other.id],
      [stranger, old.id],
      [tenant, hosted.id],
      [tenant, 0],
      [tenant, 2 ** 52],
    ] as const) {
      expect(await refused(by, id)).toMatchObject({
        ok: false,
        refusal: { code: 'unknown_domain', message: expect.stringContaining(` with id "${id}" `) as string },
      });
    }
  });

  test('a dry run of a restore by id leaves the list unchanged', async () => {
    const { tenant, name, old, late } = await deletedTwice(scene());
    const author = tenant.author;
    const tried = await scene().store.write({
      kind: 'restoreDomain',
      author,
      name,
      id: old.id,
      dryRun: true,
    });
    expect(tried).toMatchObject({ ok: true, difference: { created: old.records, deleted: [] } });
    expect(await ids(tenant)).toEqual([late.id, old.id]);
  });
}

function restoreInBatchSuite(scene: () => StoreScene): void {
  test('deletions and restores in one batch see the result of the commands before them', async () => {
    const { tenant, name, old, late } = await deletedTwice(scene());
    const author = tenant.author;
    const restore = (id?: number) => scene().store.write({ kind: 'restoreDomain', author, name, id });
    const record = newRecord('last');
    const results = await Promise.all([
      restore(late.id),
      tenant.create(name, record),
      tenant.deleteDomain(name).then((value) => ({ ok: true, value })),
      restore(old.id),
      tenant.deleteDomain(name).then((value) => ({ ok: true, value })),
      restore(old.id),
      restore(late.id),
    ]);
    expect(results.map(({ ok }) => ok)).toEqual([true, true, true, true, true, true, false]);
    expect(await ids(tenant)).toEqual([late.id]);
    expect(await readRecords(scene(), tenant, await tenant.get(name))).toEqual(old.records);
    await tenant.deleteDomain(name);
    expect(await readRecords(scene(), tenant, valueOf<Domain>(await restore(late.id)))).toEqual([
      ...late.records,
      record,
    ]);
  });

  test('a restore directly after a delete finds the deleted domain', async () => {
    const { tenant, domain, records } = await filled(scene(), ['a']);
    const { name } = domain;
    const record = newRecord('last');
    const [, , restored] = await Promise.all([
      tenant.create(name, record),
      tenant.deleteDomain(name),
      scene().must({ kind: 'restoreDomain', author: tenant.author, name }),
    ]);
    expect(await readRecords(scene(), tenant, restored)).toEqual([...records, record]);
    expect(await ids(tenant)).toEqual([]);
  });
}

/** Key for the list of deleted domains. */
function deletionKey({ deletedAtMs, id }: Pick<DeletedDomain, 'deletedAtMs' | 'id'>): string {
  return `${deletedAtMs}.${id}`;
}

/** Deletes a domain, creates it with other records, and deletes it again. */
async function deletedTwice(scene: StoreScene) {
  const { tenant, domain, records } = await filled(scene, ['a', 'b']);
  const { name } = domain;
  await tenant.deleteDomain(name);
  const anew = await tenant.createDomain(name);
  const record = newRecord('c');
  await tenant.create(name, record);
  await tenant.deleteDomain(name);
  return { tenant, name, old: { id: domain.id, records }, late: { id: anew.id, records: [record] } };
}

/** Reads the deleted domains of the account, in the order of the list. */
async function ids(tenant: Tenant): Promise<readonly number[]> {
  const page = { direction: 'after', key: null, limit: 9 } as const;
  const { rows, total } = await tenant.scene.store.listDeletedDomains(tenant.account.id, page);
  expect(total).toBe(rows.length);
  return rows.map(({ id }) => id);
}

/** Returns the served serial of a domain. */
function replayed(scene: StoreScene, name: Domain['name']): number | undefined {
  return scene.served().get(name)?.serial;
}
