import { beforeAll, expect, test } from 'vitest';
import type { TrailEntryJson } from '../../src/contract/trail-shape.ts';
import { endpoints } from '../../src/contract/endpoints.ts';
import { createAccount, createDomain, expectCode, type Account } from '../harness/fixtures.ts';
import type { HttpReply } from '../harness/http-client.ts';
import { Browser, invite, join, newOwner, PASSWORD, type Send } from '../harness/people.ts';
import { startForFile } from '../harness/service.ts';

/* Rule 82: the trail says who did what, when and from where. */

const service = await startForFile();
const byKey: Send = (method, path, body) => service.http.request(method, path, body);
const ofBrowser =
  (browser: Browser): Send =>
  (method, path, body) =>
    browser.send(method, path, body);

function entriesOf({ status, text, json }: HttpReply): readonly TrailEntryJson[] {
  expect(status, text).toBe(200);
  return (json as unknown as { trail: readonly TrailEntryJson[] }).trail;
}

async function readTrail(send: Send, query = ''): Promise<readonly TrailEntryJson[]> {
  return entriesOf(await send('GET', `/v2/trail?per_page=500${query}`));
}

/** Refusals, reads and exports are written within a second. */
async function findEntry(send: Send, query: string): Promise<TrailEntryJson> {
  let found: readonly TrailEntryJson[] = [];
  await expect.poll(async () => (found = await readTrail(send, query)).length).toBeGreaterThan(0);
  return found[0];
}

const actionsOf = (entries: readonly TrailEntryJson[]) => entries.map(({ action }) => action);

async function newKey(account: string, body: object): Promise<string> {
  const created = await service.http.post('/v2/keys', { account, ...body });
  expect(created.status, created.text).toBe(201);
  return created.json.key!.id;
}

let account: Account;
let owner: Browser;
const keys: string[] = [];

beforeAll(async () => {
  account = await createAccount(service);
  owner = (await join(service, await invite(byKey, { account: account.id, role: 'owner' }))).browser;
  for (let at = 0; at < 5; at++) keys.push(await newKey(account.id, { scope: 'read', label: `key ${at}` }));
});

test('rule 82: an entry says who did what, when, from where and with what', async () => {
  const [entry] = await readTrail(ofBrowser(owner), `&object=${keys[4]}`);
  expect(entry).toMatchObject({
    ...{ account: account.id, action: 'key.create', object: keys[4], count: 1 },
    ...{ address: '127.0.0.1', detail: { scope: 'read', label: 'key 4' }, date_first: entry.date },
  });
  expect(Object.keys(entry)).toEqual([
    ...['id', 'account', 'date', 'action', 'actor', 'actor_name', 'address', 'object', 'detail', 'count'],
    'date_first',
  ]);
  expect(Math.abs(Date.parse(entry.date) - Date.now())).toBeLessThan(600_000);
});

test('rule 82: pages go from the latest entry to the earliest, and back', async () => {
  const read = (cursor: string) =>
    owner.send('GET', `/v2/trail?action=key.create&per_page=2&cursor=${cursor}`);
  const pages: HttpReply[] = [];
  for (let next: string | undefined = ''; next !== undefined;) {
    const page: HttpReply = await read(next);
    pages.push(page);
    next = page.json.meta!.links.next || undefined;
  }
  const made = await readTrail(ofBrowser(owner), '&action=key.create');
  expect(made).toHaveLength(6);
  expect(pages.flatMap(entriesOf)).toEqual(made);
  expect(pages.map(({ json }) => json.meta!.total)).toEqual([6, 6, 6]);
  expect(made.map(({ id }) => id)).toEqual(made.map(({ id }) => id).toSorted((a, b) => b - a));
  const back = await read(pages[2].json.meta!.links.prev);
  expect(entriesOf(back)).toEqual(entriesOf(pages[1]));
  const cursor = pages[0].json.meta!.links.next;
  expectCode(await owner.send('GET', `/v2/trail?action=key.&cursor=${cursor}`), 400, 'invalid_request');
});

test('rule 82: the trail is read by action, actor, object, address and time', async () => {
  const send = ofBrowser(owner);
  const all = await readTrail(send);
  const [{ actor }] = all.filter(({ object }) => object === keys[0]);
  const user = all.find(({ action }) => action === 'invitation.accept')!.actor;
  expect(user).toMatch(/^user:/);
  const filters: readonly [string, (entry: TrailEntryJson) => boolean][] = [
    ['action=key.', ({ action }) => action.startsWith('key.')],
    ['action=invitation.accept', ({ action }) => action === 'invitation.accept'],
    [`actor=${actor}`, (entry) => entry.actor === actor],
    [`actor=${user.slice('user:'.length)}`, (entry) => entry.actor === user],
    [`object=${keys[1]}`, ({ object }) => object === keys[1]],
    ['address=127.0.0.1&to=2000-01-01T00:00:00Z', () => false],
    ['from=2000-01-01T00:00:00Z&action=key.create', ({ action }) => action === 'key.create'],
    ['address=192.0.2.77', () => false],
  ];
  for (const [query, isShown] of filters)
    expect(await readTrail(send, `&${query}`), query).toEqual(all.filter(isShown));
  for (const query of [
    'action=nothing.',
    'action=key',
    'from=yesterday',
    'to=1',
    `object=${'x'.repeat(256)}`,
  ])
    for (const path of ['/v2/trail', '/v2/trail/export'])
      expectCode(await send('GET', `${path}?${query}`), 400, 'invalid_request');
});

test('rule 82: an account sees its own trail, and operators see all', async () => {
  const other = await createAccount(service);
  const stranger = (await join(service, await invite(byKey, { account: other.id, role: 'owner' }))).browser;
  expect(actionsOf(await readTrail(ofBrowser(stranger), `&object=${keys[0]}`))).toEqual([]);
  for (const path of ['/v2/trail', '/v2/trail/export'])
    for (const named of [account.id, 'all', 'nobody'])
      expectCode(await stranger.send('GET', `${path}?account=${named}`), 403, 'forbidden');
  const operator = ofBrowser((await newOwner(service)).browser);
  for (const send of [operator, byKey]) {
    expect(await readTrail(send, `&object=${keys[0]}&account=${account.id}`)).toHaveLength(1);
    expect(await readTrail(send, `&object=${keys[0]}&account=all`)).toHaveLength(1);
    expect(await readTrail(send, `&object=${keys[0]}`)).toEqual([]);
    expectCode(await send('GET', '/v2/trail?account=nobody'), 404, 'unknown_account');
  }
  const looked = await findEntry(ofBrowser(owner), '&action=account.read');
  expect(looked.detail).toMatchObject({ request: 'listTrail' });
});

test('rule 82: editors, viewers and keys without the permission do not read it', async () => {
  for (const role of ['editor', 'viewer']) {
    const token = await invite(ofBrowser(owner), { role });
    const { browser } = await join(service, token);
    expectCode(await browser.send('GET', '/v2/trail'), 403, 'forbidden');
  }
  expectCode(await account.http.get('/v2/trail'), 403, 'forbidden');
  const may = await owner.send('POST', '/v2/keys', { rights: [{ may: ['trail:read'] }] });
  expect(may.status, may.text).toBe(201);
  const reader = service.http.withKey(may.json.key!.key);
  expect((await reader.get('/v2/trail')).status).toBe(200);
  expectCode(await reader.get('/v2/trail?account=all'), 403, 'forbidden');
});

test('rule 82: the trail is exported as JSON lines, earliest first, which the trail tells', async () => {
  const send = ofBrowser(owner);
  const before = await readTrail(send, '&action=key.create');
  const reply = await send('GET', '/v2/trail/export?action=key.create');
  expect(reply.status, reply.text).toBe(200);
  expect(reply.headers['content-type']).toBe('application/x-ndjson');
  expect(reply.headers['content-disposition']).toBe('attachment; filename="trail.jsonl"');
  const lines = reply.text.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(before.toReversed());
  const noted = await findEntry(send, '&action=trail.export');
  expect(noted).toMatchObject({ object: account.id, address: '127.0.0.1', detail: { action: 'key.create' } });
  const none = await send('GET', '/v2/trail/export?address=192.0.2.77');
  expect([none.status, none.text]).toEqual([200, '']);
});

test('rule 82: operators find the failed log-ins of people whom nobody knows', async () => {
  const email = `nobody-${process.pid}@example.net`;
  const reply = await new Browser(service).send('POST', '/v2/session', { email, password: PASSWORD });
  expectCode(reply, 403, 'invalid_login');
  const entry = await findEntry(byKey, '&account=all&action=session.refuse');
  expect(entry).toMatchObject({ account: null, actor: '', object: '' });
  expect(JSON.stringify(entry)).not.toContain(PASSWORD);
});

test('rule 82: no request changes the trail', async () => {
  const ofTrail = endpoints.filter(({ path }) => path.startsWith('/v2/trail'));
  expect(ofTrail.map(({ method }) => method)).toEqual(['GET', 'GET']);
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    for (const path of ['/v2/trail', '/v2/trail/export'])
      expect((await service.http.request(method, path, {})).status, `${method} ${path}`).toBe(405);
  expect((await service.http.request('DELETE', '/v2/trail/1')).status).toBe(404);
});

test('rule 82: a customer from the first day on, as the owner and the operator find it', async () => {
  const { browser: operator, email: operatorEmail } = await newOwner(service);
  const opened = await operator.send('POST', '/v2/accounts', { name: 'New', email: 'new@example.net' });
  expect(opened.status, opened.text).toBe(201);
  const id = opened.json.account!.id;
  const token = await invite(ofBrowser(operator), { account: id, role: 'owner' });
  const { browser: anna, email: annaEmail } = await join(service, token);
  const colleague = await join(service, await invite(ofBrowser(anna), { role: 'viewer' }));
  const domain = await createDomain({ http: service.http.withKey(opened.json.key!.key) });
  const rights = [{ may: ['records:read'], domains: [domain], names: ['www'] }];
  const key = await anna.send('POST', '/v2/keys', { rights, label: 'for Bert' });
  expect(key.status, key.text).toBe(201);
  const narrow = service.http.withKey(key.json.key!.key);
  expectCode(await narrow.get(`/v2/domains/${domain}/zonefile`), 403, 'forbidden');
  expectCode(await colleague.browser.send('POST', '/v2/keys', {}), 403, 'forbidden');
  const reason = 'Ticket 4711: mail does not arrive';
  const access = await operator.send('POST', `/v2/accounts/${id}/access`, { reason });
  expect(access.status, access.text).toBe(201);

  const steps = [
    ['account.create', operatorEmail],
    ['key.create', operatorEmail],
    ['invitation.create', operatorEmail],
    ['invitation.accept', annaEmail],
    ['invitation.create', annaEmail],
    ['invitation.accept', colleague.email],
    ['key.create', annaEmail],
    ['request.refuse', 'for Bert'],
    ['request.refuse', colleague.email],
    ['account.access', operatorEmail],
  ].map(([action, name]) => `${action} ${name}`);
  const told = (entries: readonly TrailEntryJson[]) =>
    entries.map(({ action, actor_name: name }) => `${action} ${name}`);
  const ownerReads = () => readTrail(ofBrowser(anna));
  await expect.poll(async () => told(await ownerReads())).toEqual(expect.arrayContaining(steps));
  const seen = await ownerReads();
  expect(seen.find(({ action }) => action === 'account.access')?.detail).toMatchObject({ reason });
  const narrowed = seen.find(({ object }) => object === key.json.key!.id);
  expect(narrowed?.detail?.['rights']).toContain('named www');
  const found = await readTrail(ofBrowser(operator), `&account=${id}`);
  expect(told(found)).toEqual(expect.arrayContaining(steps));
  expect(found.find(({ action }) => action === 'account.access')?.detail).toMatchObject({ reason });
});
