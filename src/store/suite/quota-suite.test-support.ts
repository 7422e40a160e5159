import { expect, test } from 'vitest';
import { noUsage } from '../../model/account-limits.ts';
import { recordOctets } from '../../model/stored-octets.ts';
import { filled, readRecords } from './change-scene.test-support.ts';
import {
  newKey,
  newName,
  newRecord,
  valueOf,
  type StoreScene,
  type Tenant,
} from './store-scene.test-support.ts';

/** The usage of accounts, counted in the transactions of their writes, and the limits that administrators set. */
export function quotaSuite(scene: () => StoreScene): void {
  test('the usage of an account is exactly what its domains and records are', async () => {
    const { tenant, domain, records } = await filled(scene(), ['a', 'b', 'c']);
    await expectExact(scene(), tenant);
    await tenant.update(domain.name, records[0].id, { name: 'renamed', ttl: 60 });
    await tenant.update(domain.name, records[1].id, { data: '192.0.2.77' });
    await expectExact(scene(), tenant);
    await tenant.create(domain.name, newRecord('umlaut', 1, { data: '"grüße €😀"' }));
    await tenant.delete(domain.name, records[2].id);
    await tenant.delete(domain.name, records[2].id);
    await expectExact(scene(), tenant);
    const other = await tenant.createDomain(newName(), [newRecord('')]);
    await expectExact(scene(), tenant);
    const before = await usageOf(scene(), tenant);
    await tenant.deleteDomain(other.name);
    await expectExact(scene(), tenant);
    const after = await usageOf(scene(), tenant);
    const moved = recordOctets(newRecord(''));
    expect(after.octets).toBe(before.octets - moved);
    expect(after.historyOctets).toBeGreaterThan(before.historyOctets + moved);
    await scene().must({ kind: 'restoreDomain', author: tenant.author, name: other.name });
    await expectExact(scene(), tenant);
    expect(await usageOf(scene(), tenant)).toMatchObject({ domains: 2, octets: before.octets });
  });

  test('refused and dry-run writes are not counted', async () => {
    const { tenant, domain } = await filled(scene(), ['a']);
    const before = await usageOf(scene(), tenant);
    const { author } = tenant;
    await scene().store.write({
      kind: 'createRecord',
      author,
      domain: domain.name,
      record: newRecord('b'),
      dryRun: true,
    });
    await scene().store.write({ kind: 'deleteDomain', author, name: domain.name, dryRun: true });
    await tenant.create(domain.name, newRecord('a', 1, { ttl: 7 }));
    expect(await usageOf(scene(), tenant)).toEqual(before);
  });

  limitSuite(scene);
}

function limitSuite(scene: () => StoreScene): void {
  test('the history reaches back to the first serial that is kept', async () => {
    const { tenant, domain } = await filled(scene(), []);
    const start = await scene().store.findHistoryStart(domain);
    await tenant.create(domain.name, newRecord('a'));
    expect(await scene().store.findHistoryStart(domain)).toBe(start);
    expect(start).toBeLessThanOrEqual(domain.serial);
  });

  test('keys and kept outcomes are counted', async () => {
    const tenant = await scene().newAccount();
    expect(await usageOf(scene(), tenant)).toEqual({ ...noUsage, keys: 1 });
    const author = { ...tenant.author, idempotency: { key: 'k', hash: 'h' } };
    const key = newKey(tenant.account.id);
    await scene().must({ kind: 'createKey', author, key });
    const usage = await usageOf(scene(), tenant);
    expect(usage).toMatchObject({ keys: 2 });
    expect(usage.outcomeOctets).toBeGreaterThan(256);
    await scene().must({ kind: 'createKey', author, key: newKey(tenant.account.id) });
    expect(await usageOf(scene(), tenant)).toEqual(usage);
    await scene().must({
      kind: 'revokeKey',
      author: tenant.author,
      accountId: tenant.account.id,
      keyId: key.id,
    });
    expect(await usageOf(scene(), tenant)).toMatchObject({ keys: 1 });
  });

  test('limits that an administrator sets are stored, and refuse what exceeds them', async () => {
    const { tenant, domain } = await filled(scene(), ['a']);
    const accountId = tenant.account.id;
    const set = (overrides: object) => scene().store.write({ kind: 'updateLimits', accountId, overrides });
    valueOf(await set({ records: 2, domains: 1 }));
    expect(await scene().store.findQuota(accountId)).toMatchObject({ overrides: { records: 2, domains: 1 } });
    expect(await tenant.create(domain.name, newRecord('b'))).toMatchObject({ ok: true });
    expect(await tenant.create(domain.name, newRecord('c'))).toMatchObject({
      refusal: {
        code: 'quota_exceeded',
        message: 'This account would have 3 records, and its limit is 2',
      },
    });
    await expectExact(scene(), tenant);
    valueOf(await set({}));
    expect(await tenant.create(domain.name, newRecord('c'))).toMatchObject({ ok: true });
    expect(await scene().store.findQuota('nobody')).toBeUndefined();
  });
}

async function usageOf(scene: StoreScene, tenant: Tenant) {
  const quota = await scene.store.findQuota(tenant.account.id);
  return quota?.usage ?? noUsage;
}

export async function expectExact(scene: StoreScene, tenant: Tenant): Promise<void> {
  const page = { direction: 'after', key: null, limit: 100 } as const;
  const { rows: domains } = await scene.store.listDomains(tenant.account.id, page);
  const records = (await Promise.all(domains.map((domain) => readRecords(scene, tenant, domain)))).flat();
  const octets = records.reduce((sum, record) => sum + recordOctets(record), 0);
  const expected = { domains: domains.length, records: records.length, octets };
  expect(await usageOf(scene, tenant)).toMatchObject(expected);
}
