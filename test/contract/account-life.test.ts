import { beforeAll, expect, test } from 'vitest';
import { endpoints, type EndpointId } from '../../src/contract/endpoints.ts';
import {
  createAccount,
  createDomain,
  createRecord,
  expectCode,
  freshDomainName,
  listRecords,
  type Account,
} from '../harness/fixtures.ts';
import type { HttpReply } from '../harness/http-client.ts';
import { Browser, invite, join, PASSWORD } from '../harness/people.ts';
import { startForFile } from '../harness/service.ts';

/*
 * Rule 83: suspended and deleted accounts. The table below says what a suspended account may do, a second time and on
 * purpose: a new route that writes does not compile without a row here.
 */

const service = await startForFile({ ZONEWRIGHT_DNSSEC_SECRET: 'for-tests-only-for-tests-only-1234' });
const { http } = service;

/** A customer of whom there is something of everything. */
interface Customer {
  readonly account: Account;
  readonly owner: Browser;
  readonly ownerId: string;
  readonly colleagueId: string;
  readonly keyId: string;
  readonly invitation: { readonly id: string; readonly token: string };
  readonly domain: string;
  readonly record: string;
  readonly serial: number;
  /** Signed, with a key of another provider. */
  readonly signed: string;
  readonly foreignKey: string;
  /** Its signing is being withdrawn. */
  readonly leaving: string;
  /** Its key is being exchanged. */
  readonly rolling: string;
  readonly rollover: string;
  readonly deleted: string;
}

const FOREIGN =
  '257 3 13 mdsswUyr3DPW132mOi8V9xESWE8jTo0dxCjjnopKl+GqJxpVXckHAeF+KkxLbxILfDLUT0rAK9iUzy1L53eKGQ==';

async function must(sent: Promise<HttpReply>, ...statuses: number[]): Promise<Record<string, never>> {
  const reply = await sent;
  expect(statuses, `${reply.status} ${reply.text}`).toContain(reply.status);
  return reply.json as Record<string, never>;
}

async function newCustomer(): Promise<Customer> {
  const account = await createAccount(service, 'Customer');
  const send = (method: string, path: string, body?: unknown) => http.request(method, path, body);
  const owner = await join(service, await invite(send, { account: account.id, role: 'owner' }));
  const colleague = await join(service, await invite(send, { account: account.id, role: 'viewer' }));
  const { invitation } = await must(
    send('POST', '/v2/invitations', { account: account.id, role: 'viewer' }),
    201,
  );
  const { key } = await must(send('POST', '/v2/keys', { account: account.id, scope: 'read' }), 201);
  const names = Array.from({ length: 5 }, () => createDomain(account));
  const [domain, signed, rolling, leaving, deleted] = await Promise.all(names);
  const { id: record } = await createRecord(account, domain, {});
  for (const name of [signed, rolling, leaving])
    await must(account.http.put(`/v2/domains/${name}`, { dns_sec: 'enabled' }), 204);
  const added = await must(account.http.post(`/v2/domains/${signed}/dnssec/keys`, { dnskey: FOREIGN }), 201);
  const started = await must(account.http.post(`/v2/domains/${rolling}/dnssec/rollovers`, {}), 201);
  await must(account.http.put(`/v2/domains/${leaving}`, { dns_sec: 'disabled' }), 204);
  await must(account.http.delete(`/v2/domains/${deleted}`), 204);
  const serial = Number((await account.http.get(`/v2/domains/${domain}`)).headers['zone-serial']);
  const { id, link } = invitation as unknown as { id: string; link: string };
  return {
    ...{
      account,
      owner: owner.browser,
      ownerId: owner.id,
      colleagueId: colleague.id,
      domain,
      record,
      serial,
    },
    ...{ signed, rolling, leaving, deleted, keyId: (key as { id: string }).id },
    invitation: { id, token: link.split('#')[1] },
    foreignKey: (added['key'] as { id: string }).id,
    rollover: (started['rollover'] as { id: string }).id,
  };
}

type Writing = Extract<(typeof endpoints)[number], { method: 'POST' | 'PUT' | 'PATCH' | 'DELETE' }>['id'];

type Sample = (customer: Customer) => readonly [path: string, body?: unknown];

/**
 * A request that changes something while the account is not suspended, and whether it is refused or open while it is. `each`:
 * it is refused for each domain. `elsewhere`: operators manage other accounts, and people sign in and out.
 */
type Row = 'elsewhere' | readonly ['refused' | 'open' | 'each', Sample];

const file = 'new 60 IN A 192.0.2.2\n';
const newRecord = { type: 'A', name: 'new', data: '192.0.2.2', ttl: 60 };

const rows: Readonly<Record<Writing, Row>> = {
  createDomain: ['refused', () => ['/v2/domains', { domain: freshDomainName() }]],
  updateDomain: ['refused', ({ domain }) => [`/v2/domains/${domain}`, { dns_sec: 'enabled' }]],
  patchDomain: ['refused', ({ domain }) => [`/v2/domains/${domain}`, { dns_sec: 'enabled' }]],
  deleteDomain: ['refused', ({ domain }) => [`/v2/domains/${domain}`]],
  updateSoa: ['refused', ({ domain }) => [`/v2/domains/${domain}/soa`, { email: 'new@example.net' }]],
  changeDnssec: ['refused', ({ signed }) => [`/v2/domains/${signed}/dnssec`, { denial: 'nsec3' }]],
  noteDsSeen: ['refused', ({ leaving }) => [`/v2/domains/${leaving}/dnssec/ds_seen`, { ds: [] }]],
  startRollover: ['refused', ({ signed }) => [`/v2/domains/${signed}/dnssec/rollovers`, {}]],
  cancelRollover: [
    'refused',
    ({ rolling, rollover }) => [`/v2/domains/${rolling}/dnssec/rollovers/${rollover}`],
  ],
  setNameservers: ['each', () => ['/v2/nameservers', { from: ['*'], to: ['ns.other.example'] }]],
  addZoneKey: ['refused', ({ rolling }) => [`/v2/domains/${rolling}/dnssec/keys`, { dnskey: FOREIGN }]],
  announceZoneKey: [
    'refused',
    ({ signed, foreignKey }) => [`/v2/domains/${signed}/dnssec/keys/${foreignKey}`, { announced: false }],
  ],
  removeZoneKey: ['refused', ({ signed, foreignKey }) => [`/v2/domains/${signed}/dnssec/keys/${foreignKey}`]],
  createRecord: ['refused', ({ domain }) => [`/v2/domains/${domain}/records`, newRecord]],
  updateRecord: ['refused', ({ domain, record }) => [`/v2/domains/${domain}/records/${record}`, { ttl: 61 }]],
  deleteRecord: ['refused', ({ domain, record }) => [`/v2/domains/${domain}/records/${record}`]],
  replaceZone: ['refused', ({ domain }) => [`/v2/domains/${domain}/zonefile`, file]],
  mergeZone: ['refused', ({ domain }) => [`/v2/domains/${domain}/zonefile`, file]],
  changeRecords: ['refused', ({ domain, record }) => [`/v2/domains/${domain}/batch`, { delete: [record] }]],
  revertRecords: ['refused', ({ domain, serial }) => [`/v2/domains/${domain}/revert`, { to: serial }]],
  restoreDomain: ['refused', ({ deleted }) => [`/v2/domains/${deleted}/restore`, {}]],
  createKey: ['refused', () => ['/v2/keys', { scope: 'read' }]],
  rotateKey: ['refused', ({ keyId }) => [`/v2/keys/${keyId}/rotate`, {}]],
  updateMember: ['refused', ({ colleagueId }) => [`/v2/users/${colleagueId}`, { role: 'editor' }]],
  createInvitation: ['refused', () => ['/v2/invitations', { role: 'viewer' }]],
  deleteOwnAccount: ['refused', () => ['/v2/account?name=Customer']],
  revokeKey: ['open', ({ keyId }) => [`/v2/keys/${keyId}`]],
  revokeInvitation: ['open', ({ invitation }) => [`/v2/invitations/${invitation.id}`]],
  removeUser: ['open', ({ colleagueId }) => [`/v2/users/${colleagueId}`]],
  updateUser: ['open', () => ['/v2/user', { name: 'Other Name' }]],
  confirmSession: ['open', () => ['/v2/session/confirm', { password: PASSWORD }]],
  ...{ signIn: 'elsewhere', signOut: 'elsewhere', endSessions: 'elsewhere', endSession: 'elsewhere' },
  ...{ openInvitation: 'elsewhere', acceptInvitation: 'elsewhere', recoverUser: 'elsewhere' },
  ...{ startPasskeySignIn: 'elsewhere', signInWithPasskey: 'elsewhere', startAddingPasskey: 'elsewhere' },
  ...{ addPasskey: 'elsewhere', renamePasskey: 'elsewhere', removePasskey: 'elsewhere' },
  ...{ startOneTimeCodes: 'elsewhere', confirmOneTimeCodes: 'elsewhere', removeOneTimeCodes: 'elsewhere' },
  ...{ replaceRecoveryCodes: 'elsewhere', removePassword: 'elsewhere' },
  checkClaim: ['refused', ({ domain }) => [`/v2/domains/${domain}/claim/check`, {}]],
  verifyDomain: 'elsewhere',
  ...{ createAccess: 'elsewhere', endAccess: 'elsewhere' },
  ...{ startProviderSignIn: 'elsewhere', startProviderConfirmation: 'elsewhere' },
  ...{ startProviderInvitation: 'elsewhere', startProviderLink: 'elsewhere', unlinkIdentity: 'elsewhere' },
  ...{ setAccountLimits: 'elsewhere', createAccount: 'elsewhere' },
  ...{ suspendAccount: 'elsewhere', resumeAccount: 'elsewhere' },
  ...{ deleteAccount: 'elsewhere', restoreAccount: 'elsewhere' },
};

const methodOf = new Map<EndpointId, string>(endpoints.map(({ id, method }) => [id, method]));

/** Sends the sample of a route as the owner, who may do all of it. */
function sendSample(customer: Customer, id: EndpointId, sample: Sample): Promise<HttpReply> {
  const [path, body] = sample(customer);
  return customer.owner.send(methodOf.get(id) ?? '', path, body);
}

function rowsOf(kind: 'refused' | 'open' | 'each'): (readonly [Writing, Sample])[] {
  return Object.entries(rows).flatMap(([id, row]) =>
    row[0] === kind ? [[id as Writing, row[1] as Sample]] : [],
  );
}

/** Everything that an account shows, to compare it before and after. */
async function stateOf({ account, owner, domain, signed }: Customer): Promise<object> {
  const paths = [
    '/v2/domains?per_page=500',
    `/v2/domains/${domain}/changes`,
    `/v2/domains/${signed}/soa`,
    `/v2/domains/${signed}/dnssec/keys`,
    '/v2/deleted_domains',
    '/v2/users',
    '/v2/invitations',
  ];
  const replies = await Promise.all(paths.map((path) => owner.send('GET', path)));
  const keys = await http.get(`/v2/keys?account=${account.id}`);
  const records = await listRecords(account, domain);
  return {
    texts: replies.map(({ text }) => text),
    records,
    keys: keys.text.replaceAll(/"date_used":[^}]*/g, ''),
  };
}

const suspensionOf = ({ account: { id } }: Customer): string => `/v2/accounts/${id}/suspension`;
const goOn = { reason: 'Unpaid: write to billing@example.net', answers: 'go_on' };

let customer: Customer;

beforeAll(async () => {
  customer = await newCustomer();
});

test('rule 83: whatever a suspended account would change is refused with the reason, and nothing changes', async () => {
  await must(http.put(suspensionOf(customer), goOn), 200);
  const before = await stateOf(customer);
  for (const [id, sample] of rowsOf('refused')) {
    const reply = await sendSample(customer, id, sample);
    expect([reply.status, reply.json.code], `${id} ${reply.text}`).toEqual([403, 'account_suspended']);
    expect(reply.json.error).toContain(goOn.reason);
    const [path, body] = sample(customer);
    const dry = await customer.owner.send(
      methodOf.get(id) ?? '',
      `${path}${path.includes('?') ? '&' : '?'}dry_run=true`,
      body,
    );
    expect([dry.status, dry.json.code], `${id} ${dry.text}`).toEqual([403, 'account_suspended']);
  }
  for (const [id, sample] of rowsOf('each')) {
    const { domains } = (await sendSample(customer, id, sample)).json as unknown as {
      domains: { code: string }[];
    };
    expect(
      domains.map(({ code }) => code),
      id,
    ).toEqual(domains.map(() => 'account_suspended'));
    expect(domains.length).toBeGreaterThan(0);
  }
  const key = customer.account.http;
  expectCode(await key.post(`/v2/domains/${customer.domain}/records`, newRecord), 403, 'account_suspended');
  const joining = {
    token: customer.invitation.token,
    email: 'late@example.net',
    name: 'Late',
    password: PASSWORD,
  };
  expectCode(
    await new Browser(service).send('POST', '/v2/invitation/accept', joining),
    403,
    'account_suspended',
  );
  expect(await stateOf(customer)).toEqual(before);
});

test('rule 83: a suspended account reads, sees why it is suspended, and goes on when it is resumed', async () => {
  const standing = await customer.account.http.get('/v2/account/standing');
  expect(standing.json).toMatchObject({
    standing: { state: 'suspended', suspension: goOn, deletion: null, progress: null },
  });
  expect((await customer.owner.send('GET', '/v2/account')).status).toBe(200);
  expect(await service.dns.serial(customer.domain)).toBeGreaterThan(0);
  await must(http.delete(suspensionOf(customer)), 204);
  await must(http.delete(suspensionOf(customer)), 204);
  expect((await customer.account.http.get('/v2/account/standing')).text).toBe(
    '{"standing":{"state":"active","suspension":null,"deletion":null,"progress":null}}',
  );
  for (const [id, sample] of rowsOf('refused').filter(([name]) =>
    ['updateRecord', 'rotateKey'].includes(name),
  ))
    expect((await sendSample(customer, id, sample)).status, id).toBeLessThan(300);
});

test('rule 83: access can be taken away, and people look after themselves, while the account is suspended', async () => {
  const other = await newCustomer();
  await must(http.put(suspensionOf(other), goOn), 200);
  for (const [id, sample] of rowsOf('open')) {
    const reply = await sendSample(other, id, sample);
    expect(reply.status, `${id} ${reply.text}`).toBeLessThan(300);
  }
  await must(http.put(`/v2/accounts/${other.account.id}/limits`, { domains: 9 }), 200);
  expect((await other.owner.send('DELETE', '/v2/sessions')).status).toBe(204);
});

test('rule 83: operators do not suspend or delete what manages other accounts, or themselves', async () => {
  const administrators = await createAccount(service);
  const made = await must(http.post('/v2/keys', { account: administrators.id, scope: 'admin' }), 201);
  const { id, key } = made['key'] as { id: string; key: string };
  const admin = http.withKey(key);
  for (const send of [
    () => http.put(suspensionOf({ account: administrators } as Customer), goOn),
    () => http.delete(`/v2/accounts/${administrators.id}`),
    () => admin.delete(`/v2/account?name=account`),
  ])
    expect([403, 409, 400], (await send()).text).toContain((await send()).status);
  expectCode(await http.delete(`/v2/accounts/${administrators.id}`), 409, 'administrative_account');
  expectCode(
    await admin.put(suspensionOf({ account: administrators } as Customer), goOn),
    400,
    'invalid_request',
  );
  await must(http.delete(`/v2/keys/${id}`), 204);
  await must(http.put(suspensionOf({ account: administrators } as Customer), goOn), 200);
});

test('rule 83: an account with an operator among its users is neither suspended nor deleted, as one with such a key', async () => {
  const account = await createAccount(service);
  const token = await invite((...request) => http.request(...request), {
    account: account.id,
    role: 'owner',
    operator: true,
  });
  const operator = await join(service, token);
  const suspend = () => http.put(suspensionOf({ account } as Customer), goOn);
  const refused = [
    await suspend(),
    await http.delete(`/v2/accounts/${account.id}`),
    await operator.browser.send('DELETE', `/v2/account?name=${encodeURIComponent(await nameOf(account.id))}`),
  ];
  for (const reply of refused) {
    expectCode(reply, 409, 'administrative_account');
    expect(reply.text).toContain(operator.email);
  }
  const owner = await join(
    service,
    await invite((...request) => http.request(...request), { account: account.id, role: 'owner' }),
  );
  expect((await owner.browser.send('DELETE', `/v2/users/${operator.id}`)).status).toBe(204);
  await must(suspend(), 200);
});

async function nameOf(accountId: string): Promise<string> {
  const made = await must(http.get(`/v2/accounts/${accountId}`), 200);
  const { account } = made as unknown as { account: { name: string } };
  return account.name;
}

test('rule 83: reason and answers are checked, and an unknown account is 404', async () => {
  const path = suspensionOf(customer);
  for (const body of [
    {},
    { reason: 'x' },
    { answers: 'stop' },
    { reason: '', answers: 'stop' },
    { reason: 'x'.repeat(201), answers: 'stop' },
    { reason: 'a\nb', answers: 'stop' },
    { reason: 'x', answers: 'later' },
  ])
    expectCode(await http.put(path, body), 400, 'invalid_request');
  for (const method of ['PUT', 'DELETE'] as const)
    expectCode(await http.request(method, '/v2/accounts/nobody/suspension', goOn), 404, 'unknown_account');
  expectCode(await http.delete('/v2/accounts/nobody'), 404, 'unknown_account');
  expectCode(await http.post('/v2/accounts/nobody/restore', {}), 404, 'unknown_account');
  expectCode(await customer.account.http.put(path, goOn), 403, 'forbidden');
});

const stop = { reason: 'Phishing', answers: 'stop' };

test('rule 83: with stop, the nameservers no longer answer for the domains of the account, and do so again', async () => {
  const account = await createAccount(service);
  const names = await Promise.all(Array.from({ length: 120 }, () => createDomain(account)));
  const others = await createDomain(await createAccount(service));
  const path = suspensionOf({ account } as Customer);
  const plan = await http.put(`${path}?dry_run=true`, stop);
  expect(plan.json).toMatchObject({
    dry_run: true,
    account: { state: 'suspended', progress: { done: 0, total: 120 } },
  });
  const suspended = await must(http.put(path, stop), 200);
  expect(suspended['account']).toMatchObject({ id: account.id, state: 'suspended', suspension: stop });
  await expect.poll(() => progressOf(account)).toBeNull();
  for (const name of names) await expect.poll(() => isServed(name)).toBe(false);
  await expect.poll(() => isServed(others)).toBe(true);
  await must(http.delete(path), 204);
  await expect.poll(() => progressOf(account)).toBeNull();
  for (const name of names) await expect.poll(() => isServed(name)).toBe(true);
});

async function progressOf({ id }: Account): Promise<unknown> {
  const { account } = await must(http.get(`/v2/accounts/${id}`), 200);
  return (account as { progress: unknown }).progress;
}

/** Whether the nameserver answers for a domain. */
async function isServed(domain: string): Promise<boolean> {
  return (await service.dns.look(domain, 'SOA')) !== 'REFUSED';
}

test('rule 83: a deleted account is not answered for, holds its names, and is restored with all that it had', async () => {
  const { account, owner, domain, signed } = await newCustomer();
  const path = `/v2/accounts/${account.id}`;
  const plan = await must(http.delete(`${path}?dry_run=true`), 200);
  expect(plan).toMatchObject({
    dry_run: true,
    account: { state: 'deleted', deletion: { restorable: true } },
    removes: { domains: 4, keys: 2, users: 2, invitations: 1 },
  });
  expectCode(await owner.send('DELETE', '/v2/account'), 400, 'invalid_request');
  expectCode(await owner.send('DELETE', '/v2/account?name=customer'), 400, 'invalid_request');
  expectCode(await account.http.delete('/v2/account?name=Customer'), 403, 'forbidden');
  expect((await owner.send('DELETE', '/v2/account?name=Customer')).status).toBe(204);
  await must(http.delete(path), 204);
  await expect.poll(() => progressOf(account)).toBeNull();
  for (const name of [domain, signed]) await expect.poll(() => isServed(name)).toBe(false);
  for (const refused of [
    await account.http.post(`/v2/domains/${domain}/records`, newRecord),
    await account.http.get(`/v2/domains/${domain}/records`),
    await owner.send('GET', '/v2/domains'),
    await owner.send('GET', '/v2/account/export'),
    await owner.send('POST', '/v2/keys', { scope: 'read' }),
  ])
    expectCode(refused, 403, 'account_suspended');
  expect((await owner.send('GET', '/v2/session')).json).toMatchObject({ accounts: [] });
  const other = await createAccount(service);
  expectCode(await other.http.post('/v2/domains', { domain }), 409, 'domain_taken');
  expectCode(await http.post('/v2/keys', { account: account.id }), 403, 'account_suspended');
  const restored = await must(http.post(`${path}/restore`, {}), 200);
  expect(restored['account']).toMatchObject({ state: 'active', deletion: null });
  await must(http.post(`${path}/restore`, {}), 200);
  await expect.poll(() => progressOf(account)).toBeNull();
  await expect.poll(() => isServed(domain)).toBe(true);
  await must(account.http.post(`/v2/domains/${domain}/records`, newRecord), 201);
  expect((await owner.send('GET', '/v2/domains')).status).toBe(200);
  const shown = await must(owner.send('GET', '/v2/trail?action=account.'), 200);
  expect((shown['trail'] as { action: string }[]).map(({ action }) => action)).toEqual([
    'account.restore',
    'account.delete',
    'account.create',
  ]);
});
