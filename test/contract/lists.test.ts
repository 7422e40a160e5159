import { expect, test } from 'vitest';
import {
  createAccount,
  createDomain,
  createRecord,
  expectError,
  freshDomainName,
  listRecords,
} from '../harness/fixtures.ts';
import type { HttpClient, HttpReply } from '../harness/http-client.ts';
import { chooseSeed, seededRandom } from '../harness/random.ts';
import { startForFile } from '../harness/service.ts';

const service = await startForFile();
const { http } = service;
const NO_LINKS = { next: '', prev: '' };

/** Creates a domain with this number of records, including the service's NS records. */
async function domainWithRecords(count: number): Promise<string> {
  const domain = await createDomain(service);
  const own = (await listRecords(service, domain)).length;
  const lanes = Array.from({ length: 16 }, async (_, lane) => {
    for (let i = lane; i < count - own; i += 16) {
      await createRecord(service, domain, { type: 'TXT', name: `n${i}`, data: `${i}` });
    }
  });
  await Promise.all(lanes);
  return domain;
}

test('rule 11: per_page defaults to 100 and is clamped to 1…500', async () => {
  const domain = await domainWithRecords(510);
  const rows: [string, number][] = [
    ['', 100],
    ['?per_page=1', 1],
    ['?per_page=7', 7],
    ['?per_page=500', 500],
    ['?per_page=501', 500],
    ['?per_page=100000', 500],
    ['?per_page=0', 1],
    ['?per_page=-3', 1],
  ];
  for (const [query, expected] of rows) {
    const reply = await http.get(`/v2/domains/${domain}/records${query}`);
    expect(reply.status, `${query} ${reply.text}`).toBe(200);
    expect(reply.json.records, query).toHaveLength(expected);
    expect(reply.json.meta!.total, query).toBe(510);
  }
});

test('rule 11: a per_page that is not a number is 400 on every list', async () => {
  const domain = await createDomain(service);
  for (const value of ['abc', '10abc', 'NaN', 'ten', '%00', '1%2C5']) {
    expectError(await http.get(`/v2/domains/${domain}/records?per_page=${value}`), 400);
    expectError(await http.get(`/v2/domains?per_page=${value}`), 400);
  }
});

test('rule 11: a forged cursor is 400', async () => {
  const domain = await domainWithRecords(12);
  const { next } = (await http.get(`/v2/domains/${domain}/records?per_page=5`)).json.meta!.links;
  expect(next).toMatch(/^[A-Za-z0-9_-]+$/);
  const bad = [
    '!',
    'abc',
    '%20',
    '%00',
    next.slice(0, -4),
    'bm9uc2Vuc2U',
    Buffer.from('{"x":1}').toString('base64url'),
    '\u00e9',
  ];
  for (const cursor of bad.map(encodeURI)) {
    expectError(await http.get(`/v2/domains/${domain}/records?cursor=${cursor}`), 400);
    expectError(await http.get(`/v2/domains?cursor=${cursor}`), 400);
  }
});

test('rule 11: unknown query keys and odd queries are tolerated on every method', async () => {
  const domain = await createDomain(service);
  const path = `/v2/domains/${domain}/records`;
  for (const query of ['?x=1', '?&per_page=3', '?per_page=3&', '?&&x', '?', '?x[]=1&x[]=2']) {
    expect((await http.get(`${path}${query}`)).status, query).toBe(200);
    expect((await http.get(`/v2/domains${query}`)).status, query).toBe(200);
  }
  expect((await http.get('/v2/account?per_page=500')).status).toBe(200);
  expect((await http.get(`/v2/domains/${domain}?per_page=x`)).status).toBe(200);
  const record = { type: 'A', name: 'www', data: '192.0.2.1', ttl: 300 };
  const created = await http.post(`${path}?per_page=500`, record);
  expect(created.status, created.text).toBe(201);
  const one = `${path}/${created.json.record!.id}?per_page=500&x=1`;
  expect((await http.get(one)).status).toBe(200);
  expect((await http.patch(one, { ttl: 60 })).status).toBe(204);
  expect((await http.delete(one)).status).toBe(204);
  expect((await http.post('/v2/domains?per_page=abc', { domain: freshDomainName() })).status).toBe(201);
  expect((await http.delete(`/v2/domains/${domain}?per_page=500`)).status).toBe(204);
});

test('rule 11: a cursor belongs to its list and filter, and is 400 on every other', async () => {
  const [one, two] = [await createDomain(service), await createDomain(service)];
  for (const domain of [one, two]) {
    for (const data of ['192.0.2.1', '192.0.2.2']) await createRecord(service, domain, { data });
  }
  for (let at = 0; at < 2; at++) await http.delete(`/v2/domains/${await createDomain(service)}`);
  const { id } = await createAccount(service);
  for (const account of [undefined, id]) await http.post('/v2/keys', { account });
  const lists = [
    '/v2/domains?',
    '/v2/domains?search=.ex',
    '/v2/domains?search=.exa',
    `/v2/domains/${one}/records?`,
    `/v2/domains/${two}/records?`,
    `/v2/domains/${one}/records?name=www`,
    `/v2/domains/${one}/records?search=www`,
    `/v2/domains/${one}/records?data=192&data_match=prefix`,
    `/v2/domains/${one}/records?data=192&data_match=contains`,
    `/v2/domains/${one}/changes?`,
    `/v2/domains/${two}/changes?`,
    `/v2/domains/${one}/changes?from=2026-01-01T00:00:00Z`,
    '/v2/records?',
    '/v2/records?type=A',
    '/v2/deleted_domains?',
    '/v2/accounts?',
    '/v2/keys?',
    `/v2/keys?account=${id}`,
  ];
  const cursors = await Promise.all(
    lists.map(async (list) => (await http.get(`${list}&per_page=1`)).json.meta!.links.next),
  );
  for (const [at, cursor] of cursors.entries()) {
    expect(cursor, lists[at]).toMatch(/^[A-Za-z0-9_-]{1,400}$/);
    for (const [to, list] of lists.entries()) {
      const reply = await http.get(`${list}&x=1&per_page=7&cursor=${cursor}`);
      if (to === at) expect(reply.status, reply.text).toBe(200);
      else expectError(reply, 400, /^cursor must come from meta.links of the same list/);
    }
  }
  const shouted = `/v2/domains/${one.toUpperCase()}./records/?cursor=${cursors[3]}`;
  expect((await http.get(shouted)).status).toBe(200);
});

test('rule 11: a cursor works with any per_page, forwards and backwards', async () => {
  const domain = await domainWithRecords(40);
  const all = await listRecords(service, domain);
  expect(all).toHaveLength(40);
  const path = `/v2/domains/${domain}/records`;
  const forwards = [];
  let reply = await http.get(`${path}?per_page=1`);
  let last = reply;
  for (let size = 1; ; size = (size % 6) + 1) {
    forwards.push(...reply.json.records!);
    expect(reply.json.meta!.total).toBe(40);
    last = reply;
    if (reply.json.meta!.links.next === '') break;
    reply = await http.get(`${path}?cursor=${reply.json.meta!.links.next}&per_page=${size + 1}`);
  }
  expect(forwards).toEqual(all);

  const backwards = [...last.json.records!];
  for (let size = 3; last.json.meta!.links.prev !== ''; size++) {
    last = await http.get(`${path}?per_page=${size}&cursor=${last.json.meta!.links.prev}`);
    backwards.unshift(...last.json.records!);
  }
  expect(backwards).toEqual(all);
});

/** A list together with a model of it: the keys in list order. */
interface Model {
  readonly path: string;
  keys: string[];
  /** Returns the position of a key in list order, even after its row was removed. */
  isAfter(key: string, anchor: string): boolean;
  readKeys(reply: HttpReply): string[];
  add(): Promise<void>;
  remove(key: string): Promise<void>;
}

async function recordModel(): Promise<Model> {
  const domain = await domainWithRecords(30);
  const created = (await listRecords(service, domain)).map(({ id }) => id);
  const model: Model = {
    path: `/v2/domains/${domain}/records`,
    keys: created.slice(),
    isAfter: (id, anchor) => created.indexOf(id) > created.indexOf(anchor),
    readKeys: (reply) => reply.json.records!.map(({ id }) => id),
    add: async () => {
      const { id } = await createRecord(service, domain, { name: `added${created.length}` });
      created.push(id);
      model.keys.push(id);
    },
    remove: async (id) => {
      expect((await http.delete(`/v2/domains/${domain}/records/${id}`)).status).toBe(204);
      model.keys = model.keys.filter((key) => key !== id);
    },
  };
  return model;
}

async function domainModel(
  owner: { http: HttpClient },
  random: { below(limit: number): number },
): Promise<Model> {
  const model: Model = {
    path: '/v2/domains',
    keys: [],
    isAfter: (name, anchor) => name > anchor,
    readKeys: (reply) => reply.json.domains!.map(({ domain }) => domain),
    add: async () => {
      const name = `${random.below(1e9).toString().padStart(9, '0')}-model.example`;
      if (model.keys.includes(name)) return;
      await createDomain(owner, name);
      model.keys = [...model.keys, name].sort();
    },
    remove: async (name) => {
      expect((await owner.http.delete(`/v2/domains/${name}`)).status).toBe(204);
      model.keys = model.keys.filter((key) => key !== name);
    },
  };
  for (let i = 0; i < 30; i++) await model.add();
  return model;
}

/** Pages back and forth while rows are added and removed; each page must continue at the row of its cursor. */
async function walk(client: HttpClient, model: Model, seed: number): Promise<void> {
  const random = seededRandom(seed);
  const read = async (query: string): Promise<HttpReply> => {
    const reply = await client.get(`${model.path}?${query}`);
    expect(reply.status, reply.text).toBe(200);
    return reply;
  };
  let reply = await read('per_page=4');
  let page = model.readKeys(reply);
  for (let step = 0; step < 120; step++) {
    const { next, prev } = reply.json.meta!.links;
    const forwards = prev === '' || (next !== '' && random.next() < 0.55);
    if ((forwards ? next : prev) === '') break;
    const anchor = forwards ? page.at(-1)! : page[0];
    for (let i = random.below(4); i > 0; i--) {
      if (random.next() < 0.5) await model.add();
      else if (model.keys.length > 8)
        await model.remove(
          random.next() < 0.3 && model.keys.includes(anchor) ? anchor : random.pick(model.keys),
        );
    }
    const size = 1 + random.below(6);
    reply = await read(`cursor=${forwards ? next : prev}&per_page=${size}`);
    page = model.readKeys(reply);
    const after = model.keys.filter((key) => model.isAfter(key, anchor));
    const before = model.keys.filter((key) => model.isAfter(anchor, key));
    expect(page, `step ${step}`).toEqual(forwards ? after.slice(0, size) : before.slice(-size));
    expect(reply.json.meta!.total).toBe(model.keys.length);
    if (page.length === 0) break;
    expect(reply.json.meta!.links.next !== '', `next at step ${step}`).toBe(
      model.keys.some((key) => model.isAfter(key, page.at(-1)!)),
    );
    expect(reply.json.meta!.links.prev !== '', `prev at step ${step}`).toBe(
      model.keys.some((key) => model.isAfter(page[0], key)),
    );
  }
}

test('rule 11: cursors over records stay stable while rows are added and removed', async () => {
  const seed = chooseSeed();
  console.log(`TEST_SEED=${seed}`);
  const model = await recordModel();
  for (let round = 0; round < 3; round++) await walk(http, model, seed + round);
});

test('rule 11: cursors over domains stay stable while rows are added and removed', async () => {
  const seed = chooseSeed();
  console.log(`TEST_SEED=${seed}`);
  const owner = await createAccount(service);
  const model = await domainModel(owner, seededRandom(seed));
  for (let round = 0; round < 3; round++) await walk(owner.http, model, seed + round);
});

test('rule 12: meta is always present, even on an empty list', async () => {
  const owner = await createAccount(service);
  const none = await owner.http.get('/v2/domains');
  expect(none.text).toBe('{"domains":[],"meta":{"total":0,"links":{"next":"","prev":""}}}');

  const domain = await createDomain(owner);
  for (const { id } of await listRecords(owner, domain))
    await owner.http.delete(`/v2/domains/${domain}/records/${id}`);
  const empty = await owner.http.get(`/v2/domains/${domain}/records`);
  expect(empty.text).toBe('{"records":[],"meta":{"total":0,"links":{"next":"","prev":""}}}');
  expect((await http.get(`/v2/keys?account=${owner.id}`)).json.meta).toEqual({ total: 1, links: NO_LINKS });
  expect((await http.get('/v2/accounts?per_page=1')).json.meta!.total).toBeGreaterThan(1);
});

test('rule 12: meta is present if the rows after the cursor were removed', async () => {
  const domain = await createDomain(service);
  const first = await createRecord(service, domain, { name: 'first' });
  const path = `/v2/domains/${domain}/records`;
  const own = (await listRecords(service, domain)).length;
  const later = await createRecord(service, domain, { name: 'later' });
  const { next } = (await http.get(`${path}?per_page=${own}`)).json.meta!.links;
  await http.delete(`${path}/${later.id}`);
  const reply = await http.get(`${path}?cursor=${next}`);
  expect(reply.json.records).toEqual([]);
  expect(reply.json.meta).toMatchObject({ total: own, links: { next: '' } });
  expect(typeof reply.json.meta!.links.prev).toBe('string');
  expect((await http.get(`${path}/${first.id}`)).status).toBe(200);
});

test('rule 12: total is exact on every page, next and prev are "" at the ends only', async () => {
  const owner = await createAccount(service);
  for (let i = 0; i < 5; i++) await createDomain(owner);
  const first = (await owner.http.get('/v2/domains?per_page=2')).json;
  const middle = (await owner.http.get(`/v2/domains?per_page=2&cursor=${first.meta!.links.next}`)).json;
  const last = (await owner.http.get(`/v2/domains?per_page=2&cursor=${middle.meta!.links.next}`)).json;
  const pages = [first, middle, last].map(({ domains, meta }) => [
    domains!.length,
    meta!.total,
    meta!.links.prev !== '',
    meta!.links.next !== '',
  ]);
  expect(pages).toEqual([
    [2, 5, false, true],
    [2, 5, true, true],
    [1, 5, true, false],
  ]);
});

test('rule 13: records are listed in creation order, and an update does not move them', async () => {
  const domain = await createDomain(service);
  const before = await listRecords(service, domain);
  const created = [];
  for (const name of ['zz', 'aa', 'mm', '', '*', 'AA.b'])
    created.push(await createRecord(service, domain, { name }));
  expect(await listRecords(service, domain)).toEqual([...before, ...created]);
  const moved = created[1];
  await http.patch(`/v2/domains/${domain}/records/${moved.id}`, { name: 'zzz', data: '192.0.2.200' });
  const after = await listRecords(service, domain);
  expect(after.map(({ id }) => id)).toEqual([...before, ...created].map(({ id }) => id));
});

test('rule 13: domains are listed by name', async () => {
  const owner = await createAccount(service);
  const names = ['mm', 'a1', 'zz', 'b2', 'xn--bcher-kva', '0'].map(
    (label) => `${label}.by-name-${process.pid}.example`,
  );
  for (const name of names) await createDomain(owner, name);
  const reply = await owner.http.get('/v2/domains');
  expect(reply.json.domains!.map(({ domain }) => domain)).toEqual([...names].sort());
});
