import { expect, test } from 'vitest';
import type { Domain, ZoneName } from '../../model/domain.ts';
import type { DomainRecord } from '../../model/record.ts';
import { LARGE_OCTETS, LARGE_ROWS } from '../../writes/command-weight.ts';
import { revisionOf } from '../../writes/revision.ts';
import { change, filled, importZone, readRecords } from './change-scene.test-support.ts';
import { expectExact } from './quota-suite.test-support.ts';
import {
  allChanges,
  newName,
  newRecord,
  replayChanges,
  type StoreScene,
  type Tenant,
} from './store-scene.test-support.ts';

/** More than a command may have that the writer decides itself. */
const COUNT = LARGE_ROWS + 100;

/** Large writes, which are prepared outside the writer and taken over by it. */
export function largeWriteSuite(scene: () => StoreScene): void {
  test('a large import replaces, updates and creates in one serial step, and can be reverted', async () => {
    const { tenant, domain, records } = await filledWithMany(scene());
    const half = COUNT / 2;
    const changed = records
      .slice(0, half)
      .map(({ name, data, rdata }) => newRecord(name, 1, { data, rdata, ttl: 60 }));
    const fresh = manyRecords('new', half);
    const result = await importZone(tenant, domain, [...changed, ...fresh]);
    const now = await tenant.get(domain.name);
    expect(result).toMatchObject({
      ok: true,
      changed: true,
      serial: domain.serial + 1,
      revision: revisionOf(now),
    });
    const { created, updated, deleted } = changesOf(result);
    expect([created.length, updated.length, deleted.length]).toEqual([half, half, COUNT - half]);
    const kept = records.slice(0, half).map((record) => ({ ...record, ttl: 60 }));
    expect(await readRecords(scene(), tenant, domain)).toEqual([...kept, ...fresh]);
    await expectFollowed(scene(), domain);
    await expectExact(scene(), tenant);

    const { author } = tenant;
    const reverted = await scene().store.write({
      kind: 'revertRecords',
      author,
      domain: domain.name,
      to: domain.serial,
    });
    expect(reverted).toMatchObject({ ok: true, changed: true, serial: domain.serial + 2 });
    expect(await readRecords(scene(), tenant, domain)).toEqual(records);
    await expectFollowed(scene(), domain);
    await expectExact(scene(), tenant);
  });

  test('a large domain is restored with everything that it had', async () => {
    const { tenant, domain, records } = await filledWithMany(scene());
    await tenant.deleteDomain(domain.name);
    const restored = await scene().must({ kind: 'restoreDomain', author: tenant.author, name: domain.name });
    expect(restored).toMatchObject({ recordCount: COUNT });
    expect(await tenant.get(domain.name)).toEqual(restored);
    expect(await readRecords(scene(), tenant, restored)).toEqual(records);
    await expectFollowed(scene(), restored);
    await expectExact(scene(), tenant);
  });

  longRecordSuite(scene);
  largeRepeatSuite(scene);
  orderSuite(scene);
  movedBasisSuite(scene);
  usedUpSuite(scene);
}

function longRecordSuite(scene: () => StoreScene): void {
  test('a domain with few long records is replaced, reverted and restored', async () => {
    const { tenant, domain } = await filled(scene(), []);
    const data = 'x'.repeat(LARGE_OCTETS / 8);
    const long = manyRecords('long', 8).map((record) => ({ ...record, data }));
    await importZone(tenant, domain, long);
    const before = await tenant.get(domain.name);
    expect(before.octets).toBeGreaterThan(LARGE_OCTETS);
    expect(changesOf(await importZone(tenant, domain, [newRecord('short')])).deleted).toEqual(long);
    const { author } = tenant;
    const { name } = domain;
    await scene().must({ kind: 'revertRecords', author, domain: name, to: before.serial });
    expect(await readRecords(scene(), tenant, domain)).toEqual(long);
    await tenant.deleteDomain(name);
    const restored = await scene().must({ kind: 'restoreDomain', author, name });
    expect(await readRecords(scene(), tenant, restored)).toEqual(long);
    await expectFollowed(scene(), restored);
    await expectExact(scene(), tenant);
  });
}

function largeRepeatSuite(scene: () => StoreScene): void {
  test('a large write with an idempotency key is done once, however often it is sent at the same time', async () => {
    const { tenant, domain } = await filled(scene(), []);
    const author = { ...tenant.author, idempotency: { key: 'large', hash: 'h' }, note: 'all of it' };
    const send = (records: readonly DomainRecord[]) =>
      scene().store.write({
        kind: 'importZone',
        author,
        domain: domain.name,
        records,
        mode: 'replace',
        soa: null,
      });
    const [first, ...others] = await Promise.all([
      send(manyRecords('r', COUNT)),
      send(manyRecords('r', COUNT)),
      send(manyRecords('r', COUNT)),
    ]);
    expect(first).toMatchObject({ ok: true, changed: true });
    for (const other of others) expect(other).toEqual(first);
    expect(await tenant.get(domain.name)).toMatchObject({ recordCount: COUNT, serial: domain.serial + 1 });
    const page = { direction: 'after', key: null, limit: 1 } as const;
    expect((await scene().store.listChanges(await tenant.get(domain.name), page)).rows).toMatchObject([
      { note: 'all of it', action: 'create' },
    ]);
    await expectExact(scene(), tenant);
  });
}

function orderSuite(scene: () => StoreScene): void {
  test('commands of an account to one domain are decided in the order in which they were sent', async () => {
    const { tenant, domain } = await filled(scene(), ['before']);
    const late = newRecord('late');
    const [large, small, second, last] = await Promise.all([
      importZone(tenant, domain, manyRecords('r', COUNT)),
      tenant.create(domain.name, late),
      importZone(tenant, domain, manyRecords('s', COUNT), { mode: 'merge' }),
      tenant.delete(domain.name, late.id),
    ]);
    for (const result of [large, small, second, last])
      expect(result).toMatchObject({ ok: true, changed: true });
    expect(changesOf(large).deleted).toHaveLength(1);
    expect(await tenant.get(domain.name)).toMatchObject({ recordCount: 2 * COUNT });
    await expectFollowed(scene(), domain);
  });

  test('a domain that is deleted right after a large write is deleted with what was written', async () => {
    const { tenant, domain } = await filled(scene(), []);
    const [large, deleted] = await Promise.all([
      importZone(tenant, domain, manyRecords('r', COUNT)),
      scene().store.write({ kind: 'deleteDomain', author: tenant.author, name: domain.name }),
    ]);
    expect(large).toMatchObject({ ok: true, changed: true });
    expect(deleted).toMatchObject({ ok: true });
    const restored = await scene().must({ kind: 'restoreDomain', author: tenant.author, name: domain.name });
    expect(restored.recordCount).toBe(COUNT);
    await expectExact(scene(), tenant);
  });
}

function movedBasisSuite(scene: () => StoreScene): void {
  test('domains that others create meanwhile do not share an id with one that a large import creates', async () => {
    const [tenant, other] = [await scene().newAccount(), await scene().newAccount()];
    const progress = { isOver: false };
    const imports = Promise.all([newName(), newName()].map((name) => importNew(tenant, name))).finally(
      () => (progress.isOver = true),
    );
    const created: Domain[] = [];
    while (!progress.isOver) created.push(await other.createDomain());
    const results = await imports;
    for (const result of results) expect(result).toMatchObject({ ok: true, changed: true });
    const mine = await Promise.all(results.map(({ name }) => tenant.get(name)));
    for (const domain of mine) {
      expect(domain.recordCount).toBe(COUNT);
      expect(results.find(({ name }) => name === domain.name)?.revision).toBe(revisionOf(domain));
      await expectFollowed(scene(), domain);
    }
    const ids = [...created, ...mine].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const next = await other.createDomain();
    expect(next.id).toBeGreaterThan(Math.max(...ids));
  });

  test('of two accounts that import the same new domain, one gets it', async () => {
    const [one, two] = [await scene().newAccount(), await scene().newAccount()];
    const name = newName();
    const results = await Promise.all([importNew(one, name), importNew(two, name)]);
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    const owner = results[0].ok ? one : two;
    expect(await owner.get(name)).toMatchObject({ recordCount: COUNT });
    for (const tenant of [one, two]) await expectExact(scene(), tenant);
  });
}

function usedUpSuite(scene: () => StoreScene): void {
  test('a limit that other writes use up meanwhile is not exceeded', async () => {
    const { tenant, domain } = await filled(scene(), []);
    const other = await tenant.createDomain();
    const room = 20;
    const { account } = tenant;
    const overrides = { records: COUNT + room };
    await scene().must({ kind: 'updateLimits', accountId: account.id, overrides });
    const large = importZone(tenant, domain, manyRecords('r', COUNT));
    const small = Array.from({ length: 2 * room }, (_, at) => tenant.create(other.name, newRecord(`s${at}`)));
    const done = (await Promise.all(small)).filter(({ ok }) => ok).length;
    const imported = await large;
    const { recordCount } = await tenant.get(domain.name);
    expect(recordCount).toBe(imported.ok ? COUNT : 0);
    expect(recordCount + done).toBeLessThanOrEqual(COUNT + room);
    if (!imported.ok) expect(imported).toMatchObject({ refusal: { code: 'quota_exceeded' } });
    await expectExact(scene(), tenant);
  });

  test('a dry run of a large write says what the write then does', async () => {
    const { tenant, domain, records } = await filledWithMany(scene());
    const creates = [newRecord('extra')];
    const deletes = records.map(({ id }) => id);
    const fore = await scene().store.write({
      kind: 'changeRecords',
      author: tenant.author,
      domain: domain.name,
      changes: { deletes, updates: [], creates },
      rules: { txtLimitBytes: 4096, defaultTtlSeconds: null },
      dryRun: true,
    });
    const result = await change(tenant, domain, { deletes, updates: [], creates });
    expect(changesOf(fore)).toEqual(changesOf(result));
    expect(await readRecords(scene(), tenant, domain)).toEqual(creates);
  });
}

async function importNew(tenant: Tenant, name: ZoneName) {
  const result = await importZone(tenant, { name }, manyRecords('r', COUNT), { nameservers: [] });
  return { ...result, name, revision: result.ok ? result.revision : undefined };
}

export function manyRecords(prefix: string, count: number): DomainRecord[] {
  return Array.from({ length: count }, (_, at) => newRecord(`${prefix}${at}`, at % 256));
}

async function filledWithMany(scene: StoreScene) {
  const { tenant, domain } = await filled(scene, []);
  const records = manyRecords('r', COUNT);
  expect(await importZone(tenant, domain, records)).toMatchObject({ ok: true });
  return { tenant, domain: await tenant.get(domain.name), records };
}

function changesOf(result: Awaited<ReturnType<typeof importZone>>) {
  expect(result).toMatchObject({ ok: true });
  if (!result.ok) throw new Error('it was expected to be done');
  return result.value;
}

/** A follower that replays the feed has what the store serves, and the feed has no gap. */
async function expectFollowed(scene: StoreScene, { name }: Pick<Domain, 'name'>): Promise<void> {
  const changes = await allChanges(scene.store);
  expect(changes.map(({ seq }) => seq)).toEqual(changes.map((_, at) => changes[0].seq + at));
  expect(replayChanges(changes).get(name)).toEqual(scene.served().get(name));
}
