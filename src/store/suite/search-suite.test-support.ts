import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ZoneName } from '../../model/domain.ts';
import type { DomainRecord, OwnerKey } from '../../model/record.ts';
import { labelSearchSuite, otherForms } from './label-search-suite.test-support.ts';
import { MAX_WAITING_PER_ACCOUNT } from '../long-reads.ts';
import type { RecordFilter } from '../record-filter.ts';
import type { FoundRecord, ListedRecord } from '../store.ts';
import {
  newName,
  newRecord,
  newTxtRecord,
  walk,
  type StoreScene,
  type Tenant,
} from './store-scene.test-support.ts';
import { StoreBusy } from '../../writes/store-errors.ts';

const all = { direction: 'after', key: null, limit: 100 } as const;

/** Filtered lists: in pages by key and with exact totals. */
export function searchSuite(scene: () => StoreScene): void {
  filterSuite(scene);
  contentSuite(scene);
  labelSearchSuite(scene);
  accountSearchSuite(scene);
  turnsSuite(scene);
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

function contentSuite(scene: () => StoreScene): void {
  test('TXT content of any octets is shown as written and found by the shown text', async () => {
    const tenant = await scene().newAccount();
    const { store } = scene();
    const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);
    await fc.assert(
      fc.asyncProperty(anyContents, anyFilters, async (contents, filters) => {
        const records = contents.map(txtRecord);
        const domain = await tenant.createDomain(newName(), records);
        try {
          const shown = (await store.listRecords(domain, all)).rows;
          expect(shown.map(({ data }) => data)).toEqual(records.map(({ data }) => data));
          for (const filter of filters.map((make) => make(records))) {
            const listed = await store.listRecords(domain, all, filter);
            const expected = records.filter((record) => matches(record, filter));
            expect(idsOf(listed.rows), JSON.stringify(filter)).toEqual(idsOf(expected));
            const found = await store.searchRecords(tenant.account.id, all, filter);
            const inFull = records.filter((record) => matches(record, filter, domain.name));
            expect(idsOf(found.rows), JSON.stringify(filter)).toEqual(idsOf(inFull));
            expect([listed.total, found.total]).toEqual([expected.length, inFull.length]);
          }
        } finally {
          await tenant.deleteDomain(domain.name);
        }
      }),
      { numRuns: 30 },
    );
  });

  test('NUL is searched for like any other character, also in fields that cannot contain it', async () => {
    const tenant = await scene().newAccount();
    const contents = ['a\0b', 'a\0', 'ab', 'a\uffff\ufffe\ufffe'].map((text) => Buffer.from(text));
    const domain = await tenant.createDomain(newName(), contents.map(txtRecord));
    const find = async (filter: RecordFilter) =>
      (await scene().store.listRecords(domain, all, filter)).rows.map(({ data }) => data);
    expect(await find({ search: '\0' })).toEqual(['"a\0b"', '"a\0"']);
    expect(await find({ data: { text: '"a\0b"', match: 'exact' } })).toEqual(['"a\0b"']);
    expect(await find({ data: { text: '"a\0', match: 'prefix' } })).toEqual(['"a\0b"', '"a\0"']);
    expect(await find({ search: '\uffff' })).toEqual(['"a\uffff\ufffe\ufffe"']);
    expect(await find({ search: '\ufffe' })).toEqual(['"a\uffff\ufffe\ufffe"']);
    for (const search of ['\0', `${domain.name}\0`]) {
      expect((await scene().store.listDomains(tenant.account.id, all, search)).rows).toEqual([]);
    }
  });
}

const anyContents = fc.array(
  fc
    .array(
      fc.oneof(
        fc
          .constantFrom(
            '\0',
            '\ufffe',
            '\uffff',
            '\u{1fffe}',
            '\ufffd',
            '"',
            '\\',
            'A',
            'a',
            'é',
            '😀',
            '%',
            '_',
          )
          .map((text) => Buffer.from(text)),
        fc.uint8Array({ maxLength: 4 }),
      ),
      { maxLength: 8 },
    )
    .map((parts) => Buffer.concat(parts)),
  { minLength: 1, maxLength: 6 },
);

/** Generates parts of the shown text of a record, sometimes in other case, and other text. */
const anyFilters = fc.array(
  fc
    .record({
      from: fc.nat(5),
      start: fc.nat(9),
      length: fc.integer({ min: 1, max: 12 }),
      other: fc.option(fc.constantFrom('\0', '\ufffe', '\uffff\ufffe', '\u{1fffe}', '\ufffd', '\\"'), {
        freq: 3,
      }),
      kind: fc.constantFrom('exact', 'prefix', 'contains', 'search', 'SEARCH'),
      whole: fc.boolean(),
      isBare: fc.boolean(),
    })
    .map(
      ({ from, start, length, other, kind, whole, isBare }) =>
        (records: readonly DomainRecord[]): RecordFilter => {
          const characters = Array.from(records[from % records.length].data);
          const part = whole ? characters : characters.slice(kind === 'prefix' ? 0 : start).slice(0, length);
          const text = (other ?? part.slice(isBare ? 1 : 0).join('')) || '"';
          if (kind === 'search' || kind === 'SEARCH')
            return { search: kind === 'search' ? text : upper(text) };
          return { data: { text, match: kind } };
        },
    ),
  { minLength: 10, maxLength: 10 },
);

/** @param domain given if fully qualified names are searched */
function matches(record: DomainRecord, { data, search }: RecordFilter, domain?: ZoneName): boolean {
  const { name, data: shown } = record;
  if (search !== undefined) {
    const full = [name, domain].filter(Boolean).join('.');
    const wanted = [search, ...otherForms(search)].map(upper);
    return [full, shown].some((text) => wanted.some((form) => upper(text).includes(form)));
  }
  const text = data?.text ?? '';
  const quoted = `"${text.replaceAll('"', '\\"')}`;
  const isBare = !text.startsWith('"');
  if (data?.match === 'exact') return shown === text || (isBare && shown === `${quoted}"`);
  if (data?.match === 'prefix') return shown.startsWith(text) || (isBare && shown.startsWith(quoted));
  return shown.includes(text);
}

/** Lower-cases ASCII letters only. */
function upper(text: string): string {
  return text.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());
}

function txtRecord(content: Uint8Array, at: number): DomainRecord {
  return newTxtRecord(at === 0 ? '' : `Name${at}`, content);
}

function accountSearchSuite(scene: () => StoreScene): void {
  test('records are found in all domains of an account, and in no others', async () => {
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

  test('a search in an account uses fully qualified names, so a domain name finds all its records', async () => {
    const tenant = await scene().newAccount();
    const { name } = await tenant.createDomain(newName(), [newRecord(''), newRecord('www')]);
    await tenant.createDomain(newName(), [newRecord('www')]);
    const find = async (search: string) =>
      (await scene().store.searchRecords(tenant.account.id, all, { search })).rows.map(
        (row) => `${row.name} in ${row.domain}`,
      );
    expect(await find(name.toUpperCase())).toEqual([` in ${name}`, `www in ${name}`]);
    expect(await find(`.${name}`)).toEqual([`www in ${name}`]);
    expect(await find(`ww.${name}`)).toEqual([`www in ${name}`]);
  });

  test('domains are found by a substring of their name', async () => {
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

function turnsSuite(scene: () => StoreScene): void {
  const search = async ({ account }: Tenant, gone?: AbortSignal): Promise<string> => {
    try {
      const { total } = await scene().store.searchRecords(
        account.id,
        all,
        { search: 'www' },
        gone && (() => gone),
      );
      return `${total} found`;
    } catch (error) {
      return error instanceof StoreBusy ? 'busy' : String(error);
    }
  };

  test('searches of one account wait for each other, and only those beyond its share are refused', async () => {
    const [tenant, other] = [await scene().newAccount(), await scene().newAccount()];
    await fill(tenant);
    const searches = Array.from({ length: 1 + MAX_WAITING_PER_ACCOUNT + 3 }, () => search(tenant));
    expect(await search(other)).toBe('0 found');
    const found = await Promise.all(searches);
    expect(found.slice(-3)).toEqual(['busy', 'busy', 'busy']);
    expect(new Set(found.slice(0, -3))).toEqual(new Set(['2 found']));
    expect(await search(tenant)).toBe('2 found');
  });

  test('an aborted search does not wait, but runs if it can start immediately', async () => {
    const tenant = await scene().newAccount();
    const gone = new AbortController();
    const [first, left, third] = [search(tenant), search(tenant, gone.signal), search(tenant)];
    gone.abort();
    expect(await Promise.all([first, left, third])).toEqual(['0 found', 'busy', '0 found']);
  });
}

async function fill(tenant: Tenant) {
  const text = '"v=spf1 100% \\ all"';
  const names = ['Www', 'www', 'mail', '100%', 'under_score'];
  const records = names.map((name, at) => newRecord(name, at + 1));
  const txt = newRecord('txt', 1, { type: 16, data: text, rdata: Uint8Array.of(1, 65) });
  return await tenant.createDomain(newName(), [...records, txt]);
}
