import { beforeAll, expect, test } from 'vitest';
import type { TrailEntryJson } from '../../src/contract/trail-shape.ts';
import { MAX_REFUSALS_PER_ACTOR } from '../../src/operations/trail-buffer.ts';
import { createAccount, createDomain, freshDomainName, type Account } from '../harness/fixtures.ts';
import type { HttpClient, HttpReply } from '../harness/http-client.ts';
import { invite, join, newOwner, type Browser } from '../harness/people.ts';
import { startForFile } from '../harness/service.ts';

/* Rule 82: requests for what belongs to others are answered as if there were nothing, and only operators find them in the trail. */

const service = await startForFile();

let customer: Account;
let prober: Account;
let theirs: string;

beforeAll(async () => {
  [customer, prober] = [await createAccount(service), await createAccount(service)];
  theirs = await createDomain(customer);
});

type Shown = Readonly<Record<string, unknown>>;

async function readTrail(account: string, query = ''): Promise<readonly TrailEntryJson[]> {
  const reply = await service.http.get(`/v2/trail?account=${account}&per_page=500${query}`);
  expect(reply.status, reply.text).toBe(200);
  return (reply.json as unknown as { trail: readonly TrailEntryJson[] }).trail;
}

/** The refusals of an actor that only operators see: object, count and detail, the earliest first. */
async function hiddenOf(actor: string): Promise<readonly Shown[]> {
  const all = await readTrail('all', `&action=request.refuse&actor=${actor}`);
  return all
    .filter(({ account }) => account === null)
    .map(({ object, count, detail }) => ({ object, count, ...detail }))
    .reverse();
}

/** A key of its own for each test, so that no other refusals are counted with its own. */
async function newProber(
  { id: account }: Account = prober,
  rights: object = { scope: 'full' },
): Promise<{ http: HttpClient; id: string }> {
  const reply = await service.http.post('/v2/keys', { account, ...rights });
  expect(reply.status, reply.text).toBe(201);
  const { key, id } = reply.json.key!;
  return { http: service.http.withKey(key), id };
}

async function newMember({ id: account }: Account, rights: object) {
  const token = await invite((...sent) => service.http.request(...sent), { account, ...rights });
  return join(service, token);
}

/** A refusal for the own trail, which is an entry of its own only if there is room. */
async function refuseAfterwards(browser: Browser): Promise<void> {
  const reply = await browser.send('GET', '/v2/accounts');
  expect(reply.status, reply.text).toBe(403);
}

/** The answer without what is different each time. */
function told({ status, text, headers }: HttpReply, name: string): unknown {
  const fixed = Object.entries(headers).map(([header, value]) => [header, changing.has(header) ? '' : value]);
  return [status, text.replaceAll(name, 'NAME'), fixed];
}

const changing: ReadonlySet<string> = new Set(['date', 'x-request-id', 'ratelimit']);

test('rule 82: a domain of others and an unknown one are answered alike, and the trail for operators tells them apart', async () => {
  const { http, id } = await newProber();
  const unknown = theirs.replace('d', 'x');
  const [asked, none] = [
    await http.get(`/v2/domains/${theirs.toUpperCase()}`),
    await http.get(`/v2/domains/${unknown.toUpperCase()}`),
  ];
  expect(asked.status).toBe(404);
  expect(told(asked, theirs)).toEqual(told(none, unknown));
  await http.get(`/v2/domains/${theirs}`);
  await http.get(`/v2/domains/www.${theirs}`);
  await expect.poll(() => hiddenOf(id)).toHaveLength(1);
  expect(await hiddenOf(id)).toMatchObject([
    {
      ...{ object: theirs, request: 'getDomain', answered: 'as if it did not exist (404)' },
      ...{ account: customer.id, sender_account: prober.id },
    },
  ]);
  for (const account of [customer, prober])
    expect(await readTrail(account.id, '&action=request.refuse')).toEqual([]);
});

test('rule 82: what an account deleted, and domains named in a body, are found as well', async () => {
  const { http, id } = await newProber();
  const gone = await createDomain(customer);
  expect((await customer.http.delete(`/v2/domains/${gone}`)).status).toBe(204);
  expect((await http.post(`/v2/domains/${gone}/restore`, {})).status).toBe(404);
  const body = { from: ['*'], to: ['ns.other.example'], domains: [theirs, freshDomainName()] };
  const reply = await http.put('/v2/nameservers', body);
  expect(reply.status, reply.text).toBe(200);
  await expect.poll(() => hiddenOf(id)).toHaveLength(2);
  expect(await hiddenOf(id)).toMatchObject([
    { object: gone, request: 'restoreDomain', account: customer.id, deleted: true },
    { object: theirs, request: 'setNameservers', account: customer.id },
  ]);
});

test('rule 82: nobody finds out from the own trail how many objects of others there are', async () => {
  const { browser, id } = await newMember(prober, { role: 'editor' });
  const account = await createAccount(service);
  const names: string[] = [];
  for (let n = 0; n < MAX_REFUSALS_PER_ACTOR + 5; n++) names.push(await createDomain(account));
  for (const name of names) expect((await browser.send('GET', `/v2/domains/${name}`)).status).toBe(404);
  await expect.poll(() => hiddenOf(`user:${id}`)).toHaveLength(MAX_REFUSALS_PER_ACTOR + 1);
  await refuseAfterwards(browser);
  expect((await hiddenOf(`user:${id}`)).at(-1)).toMatchObject({ object: '', others: true });
  const own = () => readTrail(prober.id, `&action=request.refuse&actor=${id}`);
  await expect.poll(own).toMatchObject([{ detail: { request: 'listAccounts' }, count: 1 }]);
});

test('rule 82: a user of two accounts is found where it has no right, and not in the accounts where it may look', async () => {
  const both = await newMember(customer, { role: 'viewer' });
  const token = await invite((...sent) => service.http.request(...sent), {
    ...{ account: prober.id, role: 'owner', email: both.email },
  });
  const joined = await both.browser.send('POST', '/v2/invitation/accept', { token });
  expect(joined.status, joined.text).toBe(201);
  both.browser.account = prober.id;
  const stranger = await createAccount(service);
  const strange = await createDomain(stranger);
  const { id: key } = await newProber(customer);
  for (const path of [`/v2/domains/${theirs}`, `/v2/domains/${strange}`])
    expect((await both.browser.send('GET', path)).status, path).toBe(404);
  // It may see the domains of the customer, and none of its keys.
  expect((await both.browser.send('DELETE', `/v2/keys/${key}`)).status).toBe(404);
  both.browser.account = stranger.id;
  expect((await both.browser.send('GET', '/v2/domains')).status).toBe(404);
  await expect.poll(() => hiddenOf(`user:${both.id}`)).toHaveLength(3);
  expect(await hiddenOf(`user:${both.id}`)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ object: strange, account: stranger.id, sender_account: prober.id }),
      expect.objectContaining({ object: key, request: 'revokeKey', account: customer.id }),
      expect.objectContaining({ object: stranger.id, request: 'listDomains', account: stranger.id }),
    ]),
  );
});

test('rule 82: a member of single domains is refused another one of the account in the trail of the account', async () => {
  const other = await createDomain(customer);
  const { browser, id } = await newMember(customer, { grants: [{ role: 'viewer', domains: [theirs] }] });
  expect((await browser.send('GET', `/v2/domains/${other}`)).status).toBe(403);
  const own = () => readTrail(customer.id, `&action=request.refuse&actor=${id}`);
  await expect.poll(own).toMatchObject([{ object: other, detail: { request: 'getDomain' } }]);
  expect(await hiddenOf(`user:${id}`)).toEqual([]);
});

test('rules 81 and 82: an operator who has not said why leaves a line for operators, and none after saying it', async () => {
  const { browser } = await newOwner(service);
  const session = await browser.send('GET', '/v2/session');
  const { id } = (session.json as unknown as { user: { id: string } }).user;
  browser.account = customer.id;
  expect((await browser.send('GET', `/v2/domains/${theirs}`)).status).toBe(404);
  await expect.poll(() => hiddenOf(`user:${id}`)).toHaveLength(1);
  const access = await browser.send('POST', `/v2/accounts/${customer.id}/access`, { reason: 'Ticket 1' });
  expect(access.status, access.text).toBe(201);
  expect((await browser.send('GET', `/v2/domains/${theirs}`)).status).toBe(200);
  browser.account = freshDomainName();
  expect((await browser.send('GET', `/v2/domains/${theirs}`)).status).toBe(404);
  const { http, id: later } = await newProber();
  await http.get(`/v2/domains/${theirs}`);
  await expect.poll(() => hiddenOf(later)).toHaveLength(1);
  expect(await hiddenOf(`user:${id}`)).toMatchObject([
    { object: theirs, request: 'getDomain', account: customer.id, count: 1 },
  ]);
});
