import { describe, expect, test } from 'vitest';
import { recordOctets } from '../../model/stored-octets.ts';
import {
  START_SECONDS,
  newKey,
  newName,
  newRecord,
  walk,
  type StoreScene,
  type Tenant,
} from './store-scene.test-support.ts';
import type { Page, PageRequest } from '../store.ts';

interface Listed {
  readonly key: string;
}

/** Common interface of the four lists: `fill` adds rows, `read` returns keys. */
interface ListCase {
  readonly list: string;
  readonly fill: (tenant: Tenant, count: number) => Promise<void>;
  readonly read: (tenant: Tenant, page: PageRequest) => Promise<Page<Listed>>;
}

/** Lists in pages by key: complete, in order, in both directions, stable while rows are added and removed. */
export function listSuite(scene: () => StoreScene): void {
  wholeListSuite(scene);
  rowSuite(scene);
  fieldSuite(scene);
}

function wholeListSuite(scene: () => StoreScene): void {
  describe.each(cases)('the list of $list', ({ fill, read }) => {
    test.for([1, 3, 7, 100])('is complete in pages of %i, in both directions', async (limit) => {
      const tenant = await scene().newAccount();
      await fill(tenant, 7);
      const ask = (page: PageRequest): Promise<Page<Listed>> => read(tenant, page);
      const forwards = await walk('after', limit, keyOf, ask);
      const backwards = (await walk('before', limit, keyOf, ask)).reverse();
      const keys = forwards.flatMap(({ rows }) => rows.map(keyOf));
      expect(keys).toEqual([...new Set(keys)].sort());
      expect(keys.length).toBeGreaterThanOrEqual(7);
      expect(backwards.flatMap(({ rows }) => rows.map(keyOf))).toEqual(keys);
      for (const pages of [forwards, backwards]) {
        expect(pages.map(({ total }) => total)).toEqual(pages.map(() => keys.length));
        expect(pages.map(({ hasBefore }) => hasBefore)).toEqual(pages.map((_, index) => index > 0));
        expect(pages.map(({ hasAfter }) => hasAfter)).toEqual(
          pages.map((_, index) => index < pages.length - 1),
        );
      }
    });
  });
}

function rowSuite(scene: () => StoreScene): void {
  test('the next page continues correctly while rows around it are added and removed', async () => {
    const tenant = await scene().newAccount();
    const domain = await tenant.createDomain();
    const records = Array.from({ length: 6 }, (_, index) => newRecord(`r${index}`));
    for (const record of records) await tenant.create(domain.name, record);
    const read = (key: string | null) =>
      scene().store.listRecords(domain, { direction: 'after', key, limit: 2 });
    const first = await read(null);
    await tenant.delete(domain.name, records[0]?.id ?? '');
    await tenant.delete(domain.name, records[1]?.id ?? '');
    await tenant.create(domain.name, newRecord('r6'));
    const second = await read(first.rows.at(-1)?.id ?? null);
    expect(second.rows.map(({ name }) => name)).toEqual(['r2', 'r3']);
    expect(second).toMatchObject({ hasBefore: false, hasAfter: true, total: 5 });
  });

  test('a list shows no rows of other accounts or domains', async () => {
    const [one, two] = [await scene().newAccount(), await scene().newAccount()];
    const [mine, other] = [await one.createDomain(), await one.createDomain()];
    await one.create(mine.name, newRecord('www'));
    const page = { direction: 'after', key: null, limit: 10 } as const;
    const empty = { rows: [], hasBefore: false, hasAfter: false, total: 0 };
    expect(await scene().store.listDomains(two.account.id, page)).toEqual(empty);
    expect(await scene().store.listRecords(other, page)).toEqual(empty);
    expect(await scene().store.listDomains('nobody', page)).toEqual(empty);
    expect((await scene().store.listKeys(two.account.id, page)).rows).toEqual([two.key]);
  });

  test('a zone is read owner by owner, the apex first, each in creation order', async () => {
    const tenant = await scene().newAccount();
    const { name } = await tenant.createDomain();
    for (const owner of ['b', 'a', '', 'B', 'A'])
      await tenant.create(name, newRecord(owner, owner === 'B' ? 2 : 1));
    await tenant.create(name, newRecord('', 2));
    const records = [...(scene().store.readZone(name)?.records ?? [])];
    expect(records.map(({ owner, rdata }) => [owner, rdata[3]])).toEqual([
      ['', 1],
      ['', 2],
      ['a', 1],
      ['b', 1],
      ['b', 2],
    ]);
  });
}

function fieldSuite(scene: () => StoreScene): void {
  test('listed rows have all fields that the HTTP interface shows', async () => {
    const tenant = await scene().newAccount();
    const domain = await tenant.createDomain();
    const record = newRecord('WWW');
    await tenant.create(domain.name, record);
    const { id, name, type, data, priority, ttl } = record;
    const shown = { id, name, type, data, priority, ttl };
    const page = { direction: 'after', key: null, limit: 10 } as const;
    expect((await scene().store.listRecords(domain, page)).rows).toEqual([shown]);
    expect((await scene().store.listDomains(tenant.account.id, page)).rows).toEqual([
      {
        ...domain,
        serial: START_SECONDS + 1,
        revisedSerial: START_SECONDS + 1,
        recordCount: 1,
        octets: recordOctets(record),
      },
    ]);
    expect((await scene().store.listAccounts({ ...page, limit: 1000 })).rows).toEqual(scene().accounts);
  });
}

const keyOf = ({ key }: Listed): string => key;

const cases: readonly ListCase[] = [
  {
    list: 'accounts',
    async fill({ scene }, count) {
      for (let index = 0; index < count; index++) await scene.newAccount();
    },
    read: ({ scene }, page) => keyed(scene.store.listAccounts(page), ({ id }) => id),
  },
  {
    list: 'all keys',
    fill: createKeys,
    read: ({ scene }, page) => keyed(scene.store.listKeys(null, page), ({ id }) => id),
  },
  {
    list: 'keys of an account',
    fill: createKeys,
    read: ({ scene, account }, page) => keyed(scene.store.listKeys(account.id, page), ({ id }) => id),
  },
  {
    list: 'domains',
    async fill(tenant, count) {
      await Promise.all(Array.from({ length: count }, () => tenant.createDomain()));
    },
    read: ({ scene, account }, page) => keyed(scene.store.listDomains(account.id, page), ({ name }) => name),
  },
  {
    list: 'records',
    async fill(tenant, count) {
      const { name } = await tenant.createDomain(newName(), [newRecord('', 1), newRecord('', 2)]);
      await Promise.all(Array.from({ length: count }, (_, i) => tenant.create(name, newRecord(`z${-i}`))));
    },
    async read({ scene, account }, page) {
      const { rows } = await scene.store.listDomains(account.id, { direction: 'after', key: null, limit: 1 });
      const domain = rows.at(0);
      if (domain === undefined) throw new Error('the domain is there');
      return keyed(scene.store.listRecords(domain, page), ({ id }) => id);
    },
  },
];

async function createKeys({ scene, account }: Tenant, count: number): Promise<void> {
  const keys = Array.from({ length: count }, () => newKey(account.id));
  await Promise.all(keys.map((key) => scene.must({ kind: 'createKey', key })));
}

async function keyed<T>(page: Promise<Page<T>>, key: (row: T) => string): Promise<Page<Listed>> {
  const { rows, ...rest } = await page;
  return { ...rest, rows: rows.map((row) => ({ key: key(row) })) };
}
