import { expect, test } from 'vitest';
import { assert } from '../../base/assert.ts';
import type { Domain } from '../../model/domain.ts';
import type { DomainRecord, OwnerKey } from '../../model/record.ts';
import type { HistoryEntry } from '../../writes/history-entry.ts';
import { readPastContent } from '../past-content.ts';
import type { Page, PageRequest } from '../store.ts';
import {
  newRecord,
  StoreScene,
  walk,
  type OpenStore,
  type StoreFixture,
  type Tenant,
} from './store-scene.test-support.ts';

const both = ['after', 'before'] as const;

interface Scene {
  readonly store: OpenStore;
  readonly tenant: Tenant;
  readonly domain: Domain;
  readonly customers: readonly DomainRecord[];
}

/** Rows of signatures stand among those of customers: no read for customers may show them. */
export function generatedRowsSuite(newFixture: () => Promise<StoreFixture>): void {
  test('customers never see the rows of signatures', async () => {
    const fixture = await newFixture();
    const scene = await openWithGenerated(fixture);
    await expectLists(scene);
    await expectSearches(scene);
    await expectContent(scene);
    await expectHistory(scene);
    await scene.store.close();
    await fixture.remove();
  });
}

/** Makes every second record of a domain a row of signatures, together with its entry in the feed. */
async function openWithGenerated(fixture: StoreFixture): Promise<Scene> {
  const before = new StoreScene(await fixture.open());
  const tenant = await before.newAccount();
  const { name } = await tenant.createDomain();
  const owners = ['', 'a', 'b', 'c', 'd', 'e'];
  const records = owners.flatMap((owner, at) => [newRecord(owner, at), newRecord(owner, 100 + at)]);
  for (const record of records) await tenant.create(name, record);
  await before.store.close();
  const hidden = records.filter((_, at) => at % 2 === 1).map(({ id }) => `'${id}'`);
  for (const [table, id] of [
    ['records', 'id'],
    ['changes', 'record_id'],
  ])
    await fixture.query(
      `UPDATE ${table} SET ${id} = '~s!' || ${id}, type = 200, name = '', data = '' WHERE ${id} IN (${hidden.join(', ')}) RETURNING 1`,
    );
  await fixture.query(`UPDATE domains SET record_count = record_count - ${hidden.length} RETURNING 1`);
  const store = await fixture.open();
  const domain = await store.findDomain(tenant.account.id, name);
  assert(domain !== undefined, 'the domain is there');
  return { store, tenant, domain, customers: records.filter((_, at) => at % 2 === 0) };
}

async function expectLists({ store, domain, customers }: Scene): Promise<void> {
  for (const direction of both) {
    await expectPages(direction, customers, (page) => store.listRecords(domain, page));
    await expectPages(direction, customers, (page) => store.listRecords(domain, page, { search: '2' }));
  }
  const end = await store.listRecords(domain, { direction: 'after', key: '~s!', limit: 9 });
  expect(end).toMatchObject({ rows: [], hasBefore: true, hasAfter: false });
  const ofOwner = await store.listRecords(domain, first, { owner: 'a' as OwnerKey });
  expect(ofOwner).toMatchObject({ total: 1, rows: [{ id: customers[1].id }] });
  expect(await store.listRecords(domain, first, { type: 200 })).toMatchObject({ total: 0, rows: [] });
  for (const { id } of customers) {
    expect(await store.findRecord(domain.id, id)).toMatchObject({ id });
    expect(await store.findRecord(domain.id, `~s!${id}`)).toBeUndefined();
  }
}

async function expectSearches({ store, tenant, customers }: Scene): Promise<void> {
  const accountId = tenant.account.id;
  const keyOf = (row: { readonly id: string; readonly domain: string }) => `${row.domain} ${row.id}`;
  for (const direction of both) {
    const pages = await walk(direction, 2, keyOf, (page) => store.searchRecords(accountId, page, {}));
    expectAll(direction, pages, customers);
  }
  const found = await store.searchRecords(accountId, first, { owner: 'b' as OwnerKey });
  expect(found).toMatchObject({ total: 1, rows: [{ id: customers[2].id }] });
}

async function expectContent({ store, tenant, domain, customers }: Scene): Promise<void> {
  const view = await store.openZoneView(tenant.account.id, domain.name);
  assert(view !== undefined, 'the domain is there');
  const shown: DomainRecord[] = [];
  for await (const slice of view.slices()) shown.push(...slice);
  await view.close();
  expect(shown).toEqual(customers);
  const past = await store.openZoneView(tenant.account.id, domain.name);
  assert(past !== undefined, 'the domain is there');
  const content = await readPastContent(past, { serial: domain.serial - 6 });
  await past.close();
  expect(content).toMatchObject({ ok: true, value: { records: customers.slice(0, 3) } });
}

async function expectHistory({ store, domain, customers }: Scene): Promise<void> {
  for (const direction of both) {
    const pages = await walk(
      direction,
      2,
      ({ seq }: HistoryEntry) => String(seq),
      (page) => store.listChanges(domain, page),
    );
    const rows = (direction === 'after' ? pages : pages.toReversed()).flatMap((page) => page.rows);
    expect(rows.map((entry) => entry.new?.id)).toEqual([
      ...customers.toReversed().map(({ id }) => id),
      undefined,
    ]);
    expect(pages.every(({ total }) => total === customers.length + 1)).toBe(true);
  }
}

const first: PageRequest = { direction: 'after', key: null, limit: 9 };

async function expectPages(
  direction: PageRequest['direction'],
  customers: readonly DomainRecord[],
  read: (page: PageRequest) => Promise<Page<{ readonly id: string }>>,
): Promise<void> {
  expectAll(direction, await walk(direction, 2, ({ id }) => id, read), customers);
}

function expectAll(
  direction: PageRequest['direction'],
  pages: readonly Page<{ readonly id: string }>[],
  customers: readonly DomainRecord[],
): void {
  const inOrder = direction === 'after' ? pages : pages.toReversed();
  expect(inOrder.flatMap(({ rows }) => rows.map(({ id }) => id))).toEqual(customers.map(({ id }) => id));
  expect(pages.every(({ total }) => total === customers.length)).toBe(true);
}
