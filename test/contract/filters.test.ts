import { expect, test } from 'vitest';
import { rowsOf } from '../harness/bulk-replies.ts';
import { createAccount, createDomain, createRecord, expectError } from '../harness/fixtures.ts';
import { startForFile } from '../harness/service.ts';

const service = await startForFile();
const owner = await createAccount(service);
const { http } = owner;
const domain = await createDomain(owner, 'filters-one.example');
const second = await createDomain(owner, 'filters-two.example');
for (const members of [
  { name: '', type: 'TXT', data: 'v=spf1 -all' },
  { name: 'www', data: '192.0.2.1' },
  { name: 'www', data: '192.0.2.10' },
  { name: 'WWW', type: 'AAAA', data: '2001:db8::1' },
  { name: 'mail', type: 'TXT', data: '100% of_it' },
]) {
  await createRecord(owner, domain, members);
}
await createRecord(owner, second, { name: 'www', data: '198.51.100.1' });

async function found(query: string, path = `/v2/domains/${domain}/records`): Promise<string[]> {
  const records = rowsOf(await http.get(`${path}?${query}`), 'records');
  return records.filter(({ type }) => type !== 'NS').map(({ data }) => data);
}

test.each([
  ['type=aaaa', ['2001:db8::1']],
  ['type=MX', []],
  ['name=www', ['192.0.2.1', '192.0.2.10', '2001:db8::1']],
  [`name=Www.${domain}.&type=A`, ['192.0.2.1', '192.0.2.10']],
  ['name=@', ['"v=spf1 -all"']],
  ['name=', ['"v=spf1 -all"']],
  ['data=192.0.2.1', ['192.0.2.1']],
  ['data=192.0.2.1&data_match=prefix', ['192.0.2.1', '192.0.2.10']],
  ['data=v=spf1 -all', ['"v=spf1 -all"']],
  ['data=%22v=spf1 -all%22', ['"v=spf1 -all"']],
  ['data=v=spf1', []],
  ['data=v=spf1&data_match=prefix', ['"v=spf1 -all"']],
  ['data=%22v=spf1&data_match=prefix', ['"v=spf1 -all"']],
  ['data=spf1&data_match=contains', ['"v=spf1 -all"']],
  ['data=SPF1&data_match=contains', []],
  ['search=SPF1', ['"v=spf1 -all"']],
  ['search=MAIL', ['"100% of_it"']],
  ['search=0%25 of_', ['"100% of_it"']],
  ['search=0_', []],
  ['search=%25', ['"100% of_it"']],
  ['search=www&type=A&data=192.0.2.10', ['192.0.2.10']],
  ['search=', ['"v=spf1 -all"', '192.0.2.1', '192.0.2.10', '2001:db8::1', '"100% of_it"']],
])('rule 50: ?%s finds %j', async (query, expected) => {
  expect(await found(query.replaceAll(' ', '%20'))).toEqual(expected);
});

test('rule 50: pages of a filtered list can be read in both directions', async () => {
  const path = `/v2/domains/${domain}/records?name=www&per_page=1`;
  const first = await http.get(path);
  expect(first.json.meta!.total).toBe(3);
  const next = await http.get(`${path}&cursor=${first.json.meta!.links.next}`);
  const last = await http.get(`${path}&cursor=${next.json.meta!.links.next}`);
  expect([next, last].map(({ json }) => json.records!.map(({ data }) => data))).toEqual([
    ['192.0.2.10'],
    ['2001:db8::1'],
  ]);
  expect(last.json.meta!.links.next).toBe('');
  const back = await http.get(`${path}&cursor=${last.json.meta!.links.prev}`);
  expect(back.json.records).toEqual(next.json.records);
});

test.each(['type=nonsense', 'data_match=fuzzy', `search=${'x'.repeat(8195)}`, `name=${'x'.repeat(64)}`])(
  'rule 50: ?%s is refused',
  async (query) => {
    expectError(await http.get(`/v2/domains/${domain}/records?${query}`), 400);
  },
);

test.each([
  ['quotes', '\\"', '\\"'],
  ['NULs', '\\000', '\0'],
  ['octets that are not UTF-8', '\\255', '\ufffd'],
])('rule 50: the longest TXT data of %s can be found by its whole content', async (_, written, shown) => {
  const strings = Array.from({ length: 17 }, (_, at) => `"${written.repeat(at < 16 ? 255 : 16)}"`).join(' ');
  const zoneFile = `long 300 IN TXT ${strings}\n`;
  const data = `"${shown.repeat(4096)}"`;
  const name = await createDomain(owner);
  expect((await http.post(`/v2/domains/${name}/zonefile`, zoneFile)).status).toBe(200);
  const path = `/v2/domains/${name}/records`;
  const asked = encodeURIComponent(data);
  expect(await found(`data=${asked}`, path)).toEqual([data]);
  expect(await found(`data=${asked}`, '/v2/records')).toEqual([data]);
  expect(await found(`data=${asked.slice(0, -'%22'.length)}`, path)).toEqual([]);
});

test('rule 50: a request line that is too long is refused, not cut off', async () => {
  const path = `/v2/domains/${domain}/records?data=${'%EF%BF%BD'.repeat(4600)}`;
  const reply = await http.get(path);
  expect([reply.status, reply.json.code]).toEqual([431, 'headers_too_large']);
});

test('rule 50: NUL can be searched for, and a value that is not percent-encoded UTF-8 is taken literally', async () => {
  const name = await createDomain(owner);
  const path = `/v2/domains/${name}/records`;
  for (const data of ['a\0b', 'ab', '100%FF']) await createRecord(owner, name, { type: 'TXT', data });
  expect(await found('search=%00', path)).toEqual(['"a\0b"']);
  expect(await found('data=%22a%00b%22', path)).toEqual(['"a\0b"']);
  expect(await found('data=%22a%00&data_match=prefix', path)).toEqual(['"a\0b"']);
  expect(await found('data=%22a&data_match=prefix', path)).toEqual(['"a\0b"', '"ab"']);
  for (const search of ['%FF', '%25FF']) expect(await found(`search=${search}`, path)).toEqual(['"100%FF"']);
  for (const search of ['%ED%A0%80', '%C0%80', 'b%FF'])
    expect(await found(`search=${search}`, path)).toEqual([]);
});

test('rule 51: domains are found by part of their name', async () => {
  const names = async (search: string): Promise<string[]> => {
    const reply = await http.get(`/v2/domains?search=${search}`);
    expect(reply.json.meta!.total).toBe(reply.json.domains!.length);
    return reply.json.domains!.map((row) => row.domain);
  };
  expect(await names('FILTERS-')).toEqual([domain, second]);
  expect(await names('two.ex')).toEqual([second]);
  expect(await names('_')).toEqual([]);
});

test('rule 51: records are found in all domains of the account, and in no other account', async () => {
  const reply = await http.get('/v2/records?name=www&type=A');
  const rows = rowsOf(reply, 'records');
  expect(rows.map((row) => [row.domain, row.data])).toEqual([
    [domain, '192.0.2.1'],
    [domain, '192.0.2.10'],
    [second, '198.51.100.1'],
  ]);
  expect(Object.keys(rows[0])).toEqual(['id', 'type', 'name', 'data', 'priority', 'ttl', 'domain']);
  expect(await found('search=198.51', '/v2/records')).toEqual(['198.51.100.1']);
  expect(await found(`search=www.${second}`, '/v2/records')).toEqual(['198.51.100.1']);
  expect(await found(`search=${second}`, '/v2/records')).toEqual(['198.51.100.1']);
  expect(await found(`search=.${domain}&type=TXT`, '/v2/records')).toEqual(['"100% of_it"']);
  expect(await found(`search=${domain}&type=TXT`, '/v2/records')).toEqual(['"v=spf1 -all"', '"100% of_it"']);
  const { next } = (await http.get('/v2/records?name=www&type=A&per_page=2')).json.meta!.links;
  const page = await http.get(`/v2/records?name=www&type=A&per_page=2&cursor=${next}`);
  expect(page.json.records!.map(({ data }) => data)).toEqual(['198.51.100.1']);
  expect((await service.http.get('/v2/records?search=198.51')).json.records).toEqual([]);
});
