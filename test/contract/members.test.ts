import { expect, test } from 'vitest';
import { createAccount, createDomain, createRecord, expectCode, type Account } from '../harness/fixtures.ts';
import type { HttpReply } from '../harness/http-client.ts';
import { Browser, invite, join, newOwner, PASSWORD, type Send } from '../harness/people.ts';
import { startForFile } from '../harness/service.ts';

/* Rule 78: the users of an account, and invitations. */

const service = await startForFile();
const byKey: Send = (method, path, body) => service.http.request(method, path, body);
const byBrowser =
  (browser: Browser): Send =>
  (method, path, body) =>
    browser.send(method, path, body);

interface MembersReply {
  readonly users: readonly { readonly id: string; readonly email: string; readonly role: string | null }[];
  readonly invitations: readonly { readonly id: string; readonly email: string | null }[];
  readonly invitation: { readonly id: string; readonly link: string };
  readonly recovery: { readonly link: string };
}

const membersOf = ({ json }: HttpReply) => json as unknown as MembersReply;

/** An account with a domain and an owner, as an administrator opens it for a customer. */
async function newCustomer() {
  const account = await createAccount(service);
  const owner = await join(service, await invite(byKey, { account: account.id, role: 'owner' }));
  return { account, owner };
}

async function newMember({ account }: { account: Account }, role: object) {
  return join(service, await invite(byKey, { account: account.id, ...role }));
}

test('rule 54: an account is opened for a customer without a key that anybody else would see', async () => {
  const body = { name: 'Customer', email: 'info@customer.example', owner: 'Anna@Customer.example' };
  const counted = async (): Promise<number> => {
    const { json } = await byKey('GET', '/v2/accounts?per_page=1');
    return (json as unknown as { meta: { total: number } }).meta.total;
  };
  const before = await counted();
  const { browser } = await newOwner(service);
  const planned = await browser.send('POST', '/v2/accounts?dry_run=true', body);
  expect(planned.json).toMatchObject({ dry_run: true, invitation: { role: 'owner' } });
  expect(planned.text).not.toMatch(/zwi_|zw_|"key"/);
  expectCode(await browser.send('POST', '/v2/accounts', { ...body, owner: 'Anna' }), 400, 'invalid_request');
  expect(await counted()).toBe(before);
  const repeated = { 'idempotency-key': 'open' };
  const opened = await browser.send('POST', '/v2/accounts', body, repeated);
  expect(opened.status, opened.text).toBe(201);
  expect(opened.text).not.toMatch(/zw_|"key"/);
  expect((await browser.send('POST', '/v2/accounts', body, repeated)).json).toEqual(opened.json);
  const { account, invitation } = opened.json as unknown as { account: Account } & MembersReply;
  expect(invitation).toMatchObject({ email: 'anna@customer.example', role: 'owner', operator: false });
  const anna = await join(service, invitation.link.split('#')[1], 'anna@customer.example');
  const keys = await anna.browser.send('GET', '/v2/keys');
  expect(keys.json).toMatchObject({ keys: [] });
  const created = await anna.browser.send('POST', '/v2/keys', {});
  expect(created.status, created.text).toBe(201);
  const { trail } = (await anna.browser.send('GET', '/v2/trail')).json as unknown as {
    trail: { action: string; object: string; detail: object }[];
  };
  expect(
    trail
      .map(({ action }) => action)
      .reverse()
      .slice(0, 3),
  ).toEqual(['account.create', 'invitation.create', 'invitation.accept']);
  expect(trail.at(-1)?.detail).toEqual({ name: body.name, email: body.email });
  expect(await counted()).toBe(before + 1);
  expect(account.id).toBe(trail.at(-1)?.object);
});

test('rule 54: the trail says that the first key was shown to whoever created the account', async () => {
  const { account, owner } = await newCustomer();
  const { trail } = (await owner.browser.send('GET', '/v2/trail?action=account.create')).json as unknown as {
    trail: { object: string; detail: { first_key?: string } }[];
  };
  expect(trail).toMatchObject([
    { object: account.id, detail: { first_key: 'shown to whoever created the account' } },
  ]);
});

test('rule 78: an account is opened for a customer, who invites a colleague, who reads, and gets a narrow key', async () => {
  const { account, owner } = await newCustomer();
  const created = await owner.browser.send('POST', '/v2/domains', { domain: 'customer.example' });
  expect(created.status, created.text).toBe(201);
  const email = 'colleague@example.net';
  const invited = await owner.browser.send('POST', '/v2/invitations', {
    email: 'Colleague@Example.net',
    role: 'viewer',
  });
  expect(invited.status, invited.text).toBe(201);
  const { link, id } = membersOf(invited).invitation;
  expect(invited.json).toMatchObject({
    invitation: { email, role: 'viewer', grants: null, operator: false },
  });
  const open = await owner.browser.send('GET', '/v2/invitations');
  expect(membersOf(open).invitations.map((invitation) => invitation.id)).toEqual([id]);
  expect(open.text).not.toMatch(/zwi_|"link"|"hash"/);

  const token = link.split('#')[1];
  const other = new Browser(service);
  const body = { token, email: 'somebody@else.example', name: 'Eve', password: PASSWORD };
  expectCode(await other.send('POST', '/v2/invitation/accept', body), 400, 'invalid_request');
  const colleague = await join(service, token, email);
  const users = await owner.browser.send('GET', '/v2/users');
  expect(membersOf(users).users).toMatchObject([
    {
      email: owner.email,
      role: 'owner',
      operator: false,
      password: true,
      one_time_codes: false,
      passkeys: 0,
    },
    { id: colleague.id, email, name: 'Some User', role: 'viewer', grants: null },
  ]);
  expect(users.text).not.toMatch(/scrypt|factors/);
  expect(membersOf(await owner.browser.send('GET', '/v2/invitations')).invitations).toEqual([]);

  const { browser } = colleague;
  const records = '/v2/domains/customer.example/records';
  expect((await browser.send('GET', records)).status).toBe(200);
  const www = { type: 'A', name: 'www', data: '192.0.2.1', ttl: 300 };
  expectCode(await browser.send('POST', records, www), 403, 'forbidden');
  for (const path of ['/v2/users', '/v2/invitations', '/v2/keys'])
    expectCode(await browser.send('GET', path), 403, 'forbidden');
  expectCode(await browser.send('POST', '/v2/invitations', { role: 'viewer' }), 403, 'forbidden');
  expectCode(await browser.send('POST', '/v2/keys', {}), 403, 'forbidden');
  const narrow = await owner.browser.send('POST', '/v2/keys', {
    template: 'address',
    host: 'www.customer.example',
  });
  expect(narrow.status, narrow.text).toBe(201);
  const host = account.http.withKey(narrow.json.key!.key);
  expect((await host.post(records, www)).status).toBe(201);
  expectCode(await host.post(records, { ...www, name: 'mail' }), 403, 'forbidden');
});

test('rule 78: a removed user’s open sessions and keys stop at once', async () => {
  const customer = await newCustomer();
  const second = await newMember(customer, { role: 'owner' });
  const made = await second.browser.send('POST', '/v2/keys', { scope: 'read' });
  const client = service.http.withKey(made.json.key!.key);
  expect((await client.get('/v2/account')).status).toBe(200);
  const path = `/v2/users/${second.id}`;
  const { browser } = customer.owner;
  const plan = await browser.send('DELETE', `${path}?dry_run=true`);
  expect(plan.json).toMatchObject({ dry_run: true, user: { id: second.id, role: 'owner' } });
  expect((await client.get('/v2/account')).status).toBe(200);
  expect((await second.browser.send('GET', '/v2/session')).status).toBe(200);
  expect((await browser.send('DELETE', path)).status).toBe(204);
  expectCode(await client.get('/v2/account'), 403, 'invalid_key');
  expectCode(await second.browser.send('GET', '/v2/session'), 403, 'invalid_key');
  expectCode(await browser.send('DELETE', path), 404, 'unknown_user');
  const again = { email: second.email, password: PASSWORD };
  expectCode(await new Browser(service).send('POST', '/v2/session', again), 403, 'invalid_login');
});

test('rule 78: links of a user who may no longer invite open nothing', async () => {
  const customer = await newCustomer();
  const { browser } = customer.owner;
  const kept = await invite(byBrowser(browser), { role: 'viewer' });
  const removed = await newMember(customer, { role: 'owner' });
  const demoted = await newMember(customer, { role: 'owner' });
  const made = await removed.browser.send('POST', '/v2/keys', {
    rights: [{ may: ['users:write', 'domains:read', 'records:read', 'zones:read'] }],
  });
  expect(made.status, made.text).toBe(201);
  const byOwnKey: Send = (method, path, body) =>
    service.http.request(method, path, body, { key: made.json.key!.key });
  const links = [
    await invite(byBrowser(removed.browser), { role: 'owner' }),
    await invite(byOwnKey, { grants: [{ role: 'viewer', domains: ['example.com'] }] }),
    await invite(byBrowser(demoted.browser), { role: 'owner' }),
  ];
  expect((await browser.send('DELETE', `/v2/users/${removed.id}`)).status).toBe(204);
  expect((await browser.send('PATCH', `/v2/users/${demoted.id}`, { role: 'editor' })).status).toBe(200);
  for (const token of links) {
    const reply = await new Browser(service).send('POST', '/v2/invitation/accept', {
      ...{ token, email: removed.email, name: 'Again', password: PASSWORD },
    });
    expectCode(reply, 404, 'unknown_invitation');
  }
  expect((await join(service, kept)).browser.cookie).toBeDefined();
});

test('rule 78: the last owner stays; all others may leave by themselves', async () => {
  const customer = await newCustomer();
  const { owner } = customer;
  const viewer = await newMember(customer, { role: 'viewer' });
  expectCode(await viewer.browser.send('DELETE', `/v2/users/${owner.id}`), 403, 'forbidden');
  expectCode(await owner.browser.send('DELETE', `/v2/users/${owner.id}`), 409, 'last_owner');
  expectCode(
    await owner.browser.send('PATCH', `/v2/users/${owner.id}`, { role: 'editor' }),
    409,
    'last_owner',
  );
  expect((await viewer.browser.send('DELETE', `/v2/users/${viewer.id}`)).status).toBe(204);
  expectCode(await viewer.browser.send('GET', '/v2/session'), 403, 'invalid_key');
  const editor = await newMember(customer, { role: 'editor' });
  const promoted = await owner.browser.send('PATCH', `/v2/users/${editor.id}`, { role: 'owner' });
  expect(promoted.json).toMatchObject({ user: { id: editor.id, role: 'owner', grants: null } });
  expect((await editor.browser.send('GET', '/v2/users')).status).toBe(200);
  expect((await owner.browser.send('DELETE', `/v2/users/${owner.id}`)).status).toBe(204);
});

test('rule 78: of two who accept one link at the same time, one joins', async () => {
  const { account } = await newCustomer();
  const token = await invite(byKey, { account: account.id, role: 'editor' });
  const accept = (email: string) =>
    new Browser(service).send('POST', '/v2/invitation/accept', {
      token,
      email,
      name: 'Racer',
      password: PASSWORD,
    });
  const replies = await Promise.all([accept('one@race.example'), accept('two@race.example')]);
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 404]);
  const users = membersOf(await byKey('GET', `/v2/users?account=${account.id}`)).users;
  expect(users.map(({ role }) => role).sort()).toEqual(['editor', 'owner']);
});

test('rule 78: an editor changes records and nothing about people', async () => {
  const customer = await newCustomer();
  const domain = await createDomain(customer.account);
  const { browser, id } = await newMember(customer, { role: 'editor' });
  const www = { type: 'A', name: 'www', data: '192.0.2.1', ttl: 300 };
  expect((await browser.send('POST', `/v2/domains/${domain}/records`, www)).status).toBe(201);
  expect((await browser.send('POST', '/v2/domains', { domain: `new-${domain}` })).status).toBe(201);
  expect((await browser.send('GET', '/v2/keys')).status).toBe(200);
  for (const [method, path] of [
    ['GET', '/v2/users'],
    ['PATCH', `/v2/users/${id}`],
    ['DELETE', `/v2/users/${customer.owner.id}`],
    ['POST', '/v2/invitations'],
    ['POST', '/v2/keys'],
    ['GET', '/v2/accounts'],
  ]) {
    const body = method === 'GET' ? undefined : { role: 'owner' };
    expectCode(await browser.send(method, path, body), 403, 'forbidden');
  }
});

test('rule 78: roles in single domains narrow every list, and end at the edges of those domains', async () => {
  const customer = await newCustomer();
  const [edited, viewed, hidden] = [
    await createDomain(customer.account),
    await createDomain(customer.account),
    await createDomain(customer.account),
  ];
  const record = await createRecord(customer.account, hidden, {});
  const { browser } = await newMember(customer, {
    grants: [
      { role: 'editor', domains: [edited.toUpperCase()] },
      { role: 'viewer', domains: [viewed] },
    ],
  });
  const list = await browser.send('GET', '/v2/domains');
  expect(list.json.domains?.map(({ domain }) => domain).sort()).toEqual([edited, viewed].sort());
  expect(list.json.meta?.total).toBe(2);
  const www = { type: 'A', name: 'www', data: '192.0.2.1', ttl: 300 };
  const post = (domain: string) => browser.send('POST', `/v2/domains/${domain}/records`, www);
  expect((await post(edited)).status).toBe(201);
  expectCode(await post(viewed), 403, 'forbidden');
  expectCode(await post(hidden), 403, 'forbidden');
  expect((await browser.send('GET', `/v2/domains/${viewed}/records`)).status).toBe(200);
  expectCode(await browser.send('GET', `/v2/domains/${hidden}/records/${record.id}`), 403, 'forbidden');
  expectCode(await browser.send('DELETE', `/v2/domains/${edited}`), 403, 'forbidden');
  expectCode(await browser.send('POST', '/v2/domains', { domain: 'more.example' }), 403, 'forbidden');
  expectCode(await browser.send('GET', '/v2/account'), 403, 'forbidden');
  const session = await browser.send('GET', '/v2/session');
  expect(session.json).toMatchObject({
    accounts: [
      {
        role: null,
        grants: [
          { role: 'editor', domains: [edited] },
          { role: 'viewer', domains: [viewed] },
        ],
      },
    ],
  });
});

test('rule 78: users, invitations and accounts of others are unknown, and stay as they are', async () => {
  const [mine, other] = [await newCustomer(), await newCustomer()];
  const send = byBrowser(mine.owner.browser);
  const theirs = await invite(byKey, { account: other.account.id, role: 'viewer' });
  const [{ id }] = membersOf(await byKey('GET', `/v2/invitations?account=${other.account.id}`)).invitations;
  expectCode(await send('PATCH', `/v2/users/${other.owner.id}`, { role: 'viewer' }), 404, 'unknown_user');
  expectCode(await send('DELETE', `/v2/users/${other.owner.id}`), 404, 'unknown_user');
  expectCode(await send('DELETE', '/v2/users/x'), 404, 'unknown_user');
  expectCode(await send('DELETE', `/v2/invitations/${id}`), 404, 'unknown_invitation');
  for (const account of [other.account.id, 'x']) {
    expectCode(await send('GET', `/v2/users?account=${account}`), 403, 'forbidden');
    expectCode(await send('DELETE', `/v2/invitations/${id}?account=${account}`), 403, 'forbidden');
    expectCode(await send('DELETE', `/v2/users/${mine.owner.id}?account=${account}`), 403, 'forbidden');
    expectCode(await send('POST', '/v2/invitations', { account, role: 'owner' }), 403, 'forbidden');
  }
  expectCode(await send('POST', '/v2/invitations', { role: 'viewer', operator: true }), 403, 'forbidden');
  expectCode(await send('POST', `/v2/users/${mine.owner.id}/recovery`), 403, 'forbidden');
  expectCode(await byKey('GET', '/v2/users?account=x'), 404, 'unknown_account');
  expectCode(await byKey('POST', '/v2/invitations', { account: 'x', role: 'owner' }), 404, 'unknown_account');
  expectCode(await byKey('POST', '/v2/users/x/recovery'), 404, 'unknown_user');
  await join(service, theirs);
});

test('rule 78: a repeated invitation shows the same link, and a dry run makes none', async () => {
  const { account, owner } = await newCustomer();
  const body = { account: account.id, role: 'viewer' };
  const headers = { 'idempotency-key': 'invite-once' };
  const [first, second] = [
    await service.http.post('/v2/invitations', body, { headers }),
    await service.http.post('/v2/invitations', body, { headers }),
  ];
  expect(first.status, first.text).toBe(201);
  expect(second.json).toEqual(first.json);
  const mine = { role: 'viewer' };
  const twice = [1, 2].map(() => owner.browser.send('POST', '/v2/invitations', mine, headers));
  const [one, other] = await Promise.all(twice);
  expect(other.json).toEqual(one.json);
  const planned = await owner.browser.send('POST', '/v2/invitations?dry_run=true', mine);
  expect(planned.json).toMatchObject({ dry_run: true, invitation: { role: 'viewer' } });
  expect(planned.text).not.toContain('zwi_');
  const open = membersOf(await owner.browser.send('GET', '/v2/invitations')).invitations;
  expect(open).toHaveLength(2);
  const path = `/v2/invitations/${open[0].id}`;
  expect((await owner.browser.send('DELETE', `${path}?dry_run=true`)).json).toMatchObject({ dry_run: true });
  expect((await owner.browser.send('DELETE', path)).status).toBe(204);
  expectCode(await owner.browser.send('DELETE', path), 404, 'unknown_invitation');
  expect(membersOf(await owner.browser.send('GET', '/v2/invitations')).invitations).toEqual(open.slice(1));
});

test.each([
  [{}, 'role'],
  [{ role: 'admin' }, 'role'],
  [{ role: 'viewer', grants: [] }, 'role'],
  [{ grants: [{ role: 'owner', domains: ['a.example'] }] }, 'role'],
  [{ grants: [{ role: 'viewer', domains: [''] }] }, 'grants[0].domains'],
  [{ role: 'viewer', email: 'no address' }, 'email'],
])('rule 78: the invitation %j is malformed', async (body, field) => {
  const reply = await byKey('POST', '/v2/invitations', body);
  expectCode(reply, 400, 'invalid_request');
  expect(reply.json.field).toBe(field);
});

test('rule 78: limited keys manage users as far as their own rights go', async () => {
  const { account } = await newCustomer();
  const made = await service.http.post('/v2/keys', {
    account: account.id,
    rights: [
      { may: ['users:read', 'users:write', 'account:read', 'domains:read', 'records:read', 'zones:read'] },
    ],
  });
  expect(made.status, made.text).toBe(201);
  const client = service.http.withKey(made.json.key!.key);
  expect((await client.get('/v2/users')).status).toBe(200);
  expect((await client.post('/v2/invitations', { role: 'viewer' })).status).toBe(201);
  expectCode(await client.post('/v2/invitations', { role: 'editor' }), 403, 'forbidden');
  expectCode(await client.get(`/v2/users?account=${(await newCustomer()).account.id}`), 403, 'forbidden');
});

test('rule 78: an administrator makes a link with which a user sets a new password', async () => {
  const { owner } = await newCustomer();
  const reply = await byKey('POST', `/v2/users/${owner.id}/recovery`);
  expect(reply.status, reply.text).toBe(201);
  const token = membersOf(reply).recovery.link.split('/recover#')[1];
  const browser = new Browser(service);
  const accepted = { token, password: 'a recovered password' };
  expect((await browser.send('POST', '/v2/invitation/accept', accepted)).status).toBe(201);
  expectCode(await owner.browser.send('GET', '/v2/session'), 403, 'invalid_key');
});

test('rule 78: an operator who has signed in manages the users of other accounts', async () => {
  const { account } = await newCustomer();
  const { browser } = await newOwner(service);
  const users = membersOf(await browser.send('GET', `/v2/users?account=${account.id}`)).users;
  expect(users.map(({ role }) => role)).toEqual(['owner']);
  expectCode(await browser.send('GET', '/v2/users?account=x'), 404, 'unknown_account');
});
