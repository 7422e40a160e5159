import { expect, test } from 'vitest';
import type { TrailEntryJson } from '../../src/contract/trail-shape.ts';
import { createAccount, createDomain, createRecord, expectCode, type Account } from '../harness/fixtures.ts';
import type { HttpReply } from '../harness/http-client.ts';
import { Browser, invite, join, newOwner, PASSWORD, type Send } from '../harness/people.ts';
import { startForFile } from '../harness/service.ts';

/* Rule 81: operators see the records of a customer only after saying why. */

const service = await startForFile();
const byKey: Send = (method, path, body) => service.http.request(method, path, body);
const reason = 'Ticket 4711: mail does not arrive';

interface AccessReply {
  readonly access: { readonly id: string; readonly account: string; readonly date_expires: string };
  readonly accesses: readonly { readonly id: string; readonly reason: string }[];
}

const accessOf = ({ json }: HttpReply) => json as unknown as AccessReply;

/** An account with an owner, a domain and a record. */
async function newCustomer() {
  const account = await createAccount(service);
  const owner = await join(service, await invite(byKey, { account: account.id, role: 'owner' }));
  const domain = await createDomain(account);
  await createRecord(account, domain, { name: 'secret' });
  return { account, owner, domain, records: `/v2/domains/${domain}/records` };
}

const askAccess = (browser: Browser, account: Account, why = reason) =>
  browser.send('POST', `/v2/accounts/${account.id}/access`, { reason: why });

test('rule 81: an operator reads a customer’s records after saying why, changes nothing, and the owner sees it', async () => {
  const { account, owner, domain, records } = await newCustomer();
  const { browser, email } = await newOwner(service);
  const there = { 'zonewright-account': account.id };
  expectCode(await browser.send('GET', records, undefined, there), 404, 'unknown_account');
  expectCode(await browser.send('GET', records), 404, 'unknown_domain');
  const made = await askAccess(browser, account, ` ${reason} `);
  expect(made.status, made.text).toBe(201);
  expect(made.json).toMatchObject({ access: { account: account.id, reason, user: { email } } });

  const read = await browser.send('GET', records, undefined, there);
  expect(read.status, read.text).toBe(200);
  expect(read.text).toContain('"secret"');
  expectCode(await browser.send('GET', records), 404, 'unknown_domain');
  const www = { type: 'A', name: 'www', data: '192.0.2.1', ttl: 300 };
  expectCode(await browser.send('POST', records, www, there), 403, 'forbidden');
  expectCode(await browser.send('DELETE', `/v2/domains/${domain}`, undefined, there), 403, 'forbidden');
  expectCode(await browser.send('POST', '/v2/keys', {}, there), 403, 'forbidden');

  const { id } = accessOf(made).access;
  const seen = await owner.browser.send('GET', '/v2/account/accesses');
  expect(seen.json).toMatchObject({ accesses: [{ id, reason, user: { email } }] });
  expect(accessOf(await browser.send('GET', '/v2/accesses')).accesses).toMatchObject([{ id }]);
  expect((await browser.send('DELETE', `/v2/accounts/${account.id}/access`)).status).toBe(204);
  expectCode(await browser.send('GET', records, undefined, there), 404, 'unknown_account');
  expectCode(await browser.send('DELETE', `/v2/accounts/${account.id}/access`), 404, 'unknown_access');
  expect(accessOf(await owner.browser.send('GET', '/v2/account/accesses')).accesses).toEqual([]);
});

test('rule 81: an access is for one session, and ends with it', async () => {
  const { account, owner, records } = await newCustomer();
  const { browser, email } = await newOwner(service);
  const other = new Browser(service);
  await other.send('POST', '/v2/session', { email, password: PASSWORD });
  expect((await askAccess(browser, account)).status).toBe(201);
  const there = { 'zonewright-account': account.id };
  expect((await browser.send('GET', records, undefined, there)).status).toBe(200);
  expectCode(await other.send('GET', records, undefined, there), 404, 'unknown_account');
  const again = await askAccess(browser, account, 'Ticket 4712');
  expect(accessOf(await browser.send('GET', '/v2/accesses')).accesses.map(({ id }) => id)).toEqual([
    accessOf(again).access.id,
  ]);
  expect((await browser.send('DELETE', '/v2/session')).status).toBe(204);
  expect(accessOf(await owner.browser.send('GET', '/v2/account/accesses')).accesses).toEqual([]);
  expect(accessOf(await other.send('GET', '/v2/accesses')).accesses).toEqual([]);
});

test('rule 81: only operators who have signed in ask for access', async () => {
  const [mine, theirs] = [await newCustomer(), await newCustomer()];
  expectCode(await askAccess(mine.owner.browser, theirs.account), 403, 'forbidden');
  expectCode(await askAccess(mine.owner.browser, mine.account), 403, 'forbidden');
  const path = `/v2/accounts/${theirs.account.id}/access`;
  expectCode(await byKey('POST', path, { reason }), 403, 'forbidden');
  expectCode(await byKey('DELETE', path), 403, 'forbidden');
  expectCode(await byKey('GET', '/v2/accesses'), 403, 'forbidden');
  expectCode(
    await mine.owner.browser.send('GET', `/v2/account/accesses?account=${theirs.account.id}`),
    403,
    'forbidden',
  );
  const { browser } = await newOwner(service);
  expectCode(await browser.send('POST', '/v2/accounts/x/access', { reason }), 404, 'unknown_account');
  for (const body of [{}, { reason: ' ' }, { reason: 'x'.repeat(501) }, { reason: 'a\nb' }])
    expectCode(await browser.send('POST', path, body), 400, 'invalid_request');
});

/** The refusals of a user in the trail of its own account. */
async function refusedRequests(email: string): Promise<unknown> {
  const { json } = await byKey('GET', '/v2/trail?account=all&action=request.refuse&per_page=500');
  const { trail } = json as unknown as { readonly trail: readonly TrailEntryJson[] };
  const own = trail.filter(({ actor_name: name, account }) => name === email && account !== null);
  return own.map(({ detail }) => detail?.['request']).sort();
}

test('rule 81: without saying why, an operator gives nobody rights in an account that is in use', async () => {
  const { account, owner } = await newCustomer();
  const { browser, email } = await newOwner(service);
  const key = await account.http.get('/v2/account');
  expect(key.status).toBe(200);
  const [{ id: keyId }] = (await byKey('GET', `/v2/keys?account=${account.id}`)).json.keys!;
  const attempts = [
    () => browser.send('POST', '/v2/keys', { account: account.id, scope: 'read' }),
    () => browser.send('POST', `/v2/keys/${keyId}/rotate`, { overlap: 60 }),
    () => browser.send('POST', '/v2/invitations', { account: account.id, role: 'owner' }),
    () => browser.send('POST', `/v2/users/${owner.id}/recovery`),
    () => browser.send('PATCH', `/v2/users/${owner.id}?account=${account.id}`, { role: 'owner' }),
  ];
  for (const attempt of attempts) expectCode(await attempt(), 403, 'access_required');
  const requests = ['createInvitation', 'createKey', 'recoverUser', 'rotateKey', 'updateMember'];
  await expect.poll(() => refusedRequests(email)).toEqual(requests);
  expect((await askAccess(browser, account)).status).toBe(201);
  for (const attempt of attempts) {
    const reply = await attempt();
    expect([200, 201], reply.text).toContain(reply.status);
  }
});

test('rule 81: an operator opens an account for a customer, and invites its owner', async () => {
  const { browser } = await newOwner(service);
  const opened = await browser.send('POST', '/v2/accounts', { name: 'New', email: 'new@example.net' });
  const account = opened.json.account!.id;
  const send: Send = (method, path, body) => browser.send(method, path, body);
  const owner = await join(service, await invite(send, { account, role: 'owner' }));
  expect((await owner.browser.send('GET', '/v2/account')).json.account?.name).toBe('New');
  expectCode(
    await browser.send('POST', '/v2/invitations', { account, role: 'owner' }),
    403,
    'access_required',
  );
});
