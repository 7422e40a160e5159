import { expect, test } from 'vitest';
import type { ZoneName } from '../model/domain.ts';
import type { OwnerKey } from '../model/record.ts';
import type { RecordFilter } from './record-filter.ts';
import type { FoundRecord, ListedRecord } from './store.ts';
import { newName, newRecord, walk, type StoreScene, type Tenant } from './store-scene.test-support.ts';

const all = { direction: 'after', key: null, limit: 100 } as const;

/** Lists of which a filter shows a part: still in pages by key, with exact totals. */
export function searchSuite(scene: () => StoreScene): void {
  filterSuite(scene);
  accountSearchSuite(scene);
}

function filterSuite(scene: () => StoreScene): void {
  const filters: [what: string, filter: RecordFilter, found: string[]][] = [
    ['all', {}, ['Www', 'www', 'mail', '100%', 'under_score', 'txt']],
    ['a type', { type: 16 }, ['txt']],
    ['a name', { owner: 'www' as OwnerKey }, ['Www', 'www']],
    ['a name and a type', { owner: 'www' as OwnerKey, type: 16 }, []],
    ['data', { data: { text: '192.0.2.1', match: 'exact' } }, ['Www']],
    ['data in other letters', { data: { text: 'V=SPF1', match: 'contains' } }, []],
    [
      'how data begins',
      { data: { text: '192.0.2.', match: 'prefix' } },
      ['Www', 'www', 'mail', '100%', 'under_score'],
    ],
    ['what data holds', { data: { text: '0.2.3', match: 'contains' } }, ['mail']],
    ['a sign of patterns', { data: { text: '%', match: 'contains' } }, ['txt']],
    ['text in a name', { search: 'WW' }, ['Www', 'www']],
    ['text in data', { search: 'SPF1' }, ['txt']],
    ['a percent sign', { search: '0%' }, ['100%', 'txt']],
    ['an underscore', { search: 'r_s' }, ['under_score']],
    ['a quote', { search: `'` }, []],
    ['a backslash', { search: '\\' }, ['txt']],
    ['two things', { search: 'w', data: { text: '.1', match: 'contains' } }, ['Www']],
  ];

  test.for(filters)('records are found by %s', async ([, filter, found]) => {
    const tenant = await scene().newAccount();
    const domain = await fill(tenant);
    const page = await scene().store.listRecords(domain, all, filter);
    expect(page.rows.map(({ name }) => name)).toEqual(found);
    expect(page).toMatchObject({ total: found.length, hasBefore: false, hasAfter: false });
    const pages = await walk<ListedRecord>(
      'before',
      1,
      ({ id }) => id,
      (asked) => scene().store.listRecords(domain, asked, filter),
    );
    expect(pages.reverse().flatMap(({ rows }) => rows)).toEqual(page.rows);
    expect(pages.every(({ total }) => total === found.length)).toBe(true);
  });
}

function accountSearchSuite(scene: () => StoreScene): void {
  test("records are found in all of an account's domains, and in no other's", async () => {
    const [tenant, other] = [await scene().newAccount(), await scene().newAccount()];
    const domains = [await fill(tenant), await fill(tenant)];
    await fill(other);
    const filter = { search: 'WWW.' };
    const page = await scene().store.searchRecords(tenant.account.id, all, filter);
    const expected = domains
      .map(({ name }) => name)
      .sort()
      .flatMap((name) => [`Www in ${name}`, `www in ${name}`]);
    expect(page.rows.map(({ name, domain }) => `${name} in ${domain}`)).toEqual(expected);
    expect(page.total).toBe(4);
    const pages = await walk<FoundRecord>(
      'after',
      1,
      ({ domain, id }) => `${domain} ${id}`,
      (asked) => scene().store.searchRecords(tenant.account.id, asked, filter),
    );
    expect(pages.flatMap(({ rows }) => rows)).toEqual(page.rows);
    const whole = await scene().store.searchRecords(tenant.account.id, all, {
      search: `mail.${domains[1].name}`,
    });
    expect(whole.rows).toMatchObject([{ name: 'mail', domain: domains[1].name }]);
  });

  test('domains are found by a part of their name', async () => {
    const tenant = await scene().newAccount();
    const base = newName();
    for (const label of ['alpha', 'beta', 'alphabet'])
      await tenant.createDomain(`${label}.${base}` as ZoneName);
    const find = async (search: string) =>
      (await scene().store.listDomains(tenant.account.id, all, search)).rows.map(
        ({ name }) => name.split('.')[0],
      );
    expect(await find('ALPHA')).toEqual(['alpha', 'alphabet']);
    expect(await find('bet')).toEqual(['alphabet', 'beta']);
    expect(await find('a_p')).toEqual([]);
    const first = await scene().store.listDomains(tenant.account.id, { ...all, limit: 1 }, 'alpha');
    expect(first).toMatchObject({ total: 2, hasAfter: true });
  });
}

async function fill(tenant: Tenant) {
  const text = '"v=spf1 100% \\ all"';
  const names = ['Www', 'www', 'mail', '100%', 'under_score'];
  const records = names.map((name, at) => newRecord(name, at + 1));
  const txt = newRecord('txt', 1, { type: 16, data: text, rdata: Uint8Array.of(1, 65) });
  return await tenant.createDomain(newName(), [...records, txt]);
}
