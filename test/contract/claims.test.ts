import { expect, onTestFinished, test } from 'vitest';
import type { ClaimJson } from '../../src/contract/claim-shape.ts';
import { startNameserver, type Answerer } from '../../src/dns-client/nameserver.test-support.ts';
import {
  delegating,
  recordOf,
  startParent,
  withoutDs,
  withTexts,
} from '../../src/dns-client/parent.test-support.ts';
import { formatServerAddress } from '../../src/dns-client/server-address.ts';
import {
  createAccount,
  createDomain,
  createRecord,
  expectCode,
  freshDomainName,
  listRecords,
} from '../harness/fixtures.ts';
import type { HttpClient, HttpReply } from '../harness/http-client.ts';
import { startForFile, startService, type Service } from '../harness/service.ts';

/* Rule 85, with a service that asks parent zones and nameservers on the loopback interface. */

const nameservers = Array.from({ length: 8 }, (_, i) => `ns${i + 1}.dns.example`);
const CHALLENGE = '_zonewright-challenge';

/** The records of the servers of the parent zone and of the old nameservers. */
interface World {
  /** By domain, for each of two servers of the parent zone; none: the domain is not delegated. */
  readonly delegations: Map<string, readonly (readonly string[])[]>;
  /** By name, for each of two nameservers. */
  readonly texts: Map<string, readonly (readonly string[])[]>;
}

async function startWorld(zone: string) {
  const world: World = { delegations: new Map(), texts: new Map() };
  const parentAnswer =
    (server: number): Answerer =>
    ({ questions }) => {
      const [{ name, type }] = questions;
      const hosts = type === 'NS' ? (world.delegations.get(name)?.[server] ?? []) : [];
      if (hosts.length > 0) return delegating(name, ...hosts);
      const texts = type === 'TXT' ? (world.texts.get(name)?.[server] ?? []) : [];
      return texts.length > 0 ? withTexts(name, ...texts) : withoutDs(zone);
    };
  const oldAnswer =
    (server: number): Answerer =>
    ({ questions }) =>
      withTexts(questions[0].name, ...(world.texts.get(questions[0].name)?.[server] ?? []));
  const old = await Promise.all([0, 1].map((i) => startNameserver(oldAnswer(i), `127.0.1.${i + 1}`)));
  const also = Object.fromEntries(
    old.map(({ host }, i) => [`${OLD[i]} A`, { answers: [recordOf(OLD[i], host)] }]),
  );
  const servers = { 'a.servers.net': parentAnswer(0), 'b.servers.net': parentAnswer(1) };
  const parent = await startParent({ zone, servers, also });
  const service = await startService({
    settings: {
      ZONEWRIGHT_CLAIMS: 'verified',
      ZONEWRIGHT_NAMESERVERS: nameservers.join(','),
      ZONEWRIGHT_NAMESERVER_SET: '4',
      ZONEWRIGHT_RESOLVERS: parent.resolvers.map(formatServerAddress).join(','),
      ZONEWRIGHT_PRIVATE_PARENTS: [...parent.privateServers, ...old].map(formatServerAddress).join(','),
    },
  });
  onTestFinished(async () => {
    await service.stop();
  });
  return { service, ...world, newName: () => `${freshDomainName().split('.')[0]}.${zone}` };
}

const OLD = ['ns1.old.net', 'ns2.old.net'] as const;

function claimOf(reply: HttpReply): ClaimJson {
  expect(reply.status, reply.text).toBe(200);
  return (JSON.parse(reply.text) as { claim: ClaimJson }).claim;
}

const look = async (client: HttpClient, domain: string): Promise<ClaimJson> =>
  claimOf(await client.post(`/v2/domains/${domain}/claim/check`, undefined));

async function setOf(client: HttpClient): Promise<readonly string[]> {
  const reply = await client.get('/v2/account/nameservers');
  expect(reply.status, reply.text).toBe(200);
  return (JSON.parse(reply.text) as { nameservers: readonly string[] }).nameservers;
}

test('rule 85: a new domain of a customer is edited, and served when the challenge stands at all its nameservers', async () => {
  const { service, delegations, texts, newName } = await startWorld(freshDomainName());
  const customer = await createAccount(service);
  const domain = newName();
  delegations.set(domain, [OLD, OLD]);
  const created = await customer.http.post('/v2/domains', { domain, ip: '192.0.2.1' });
  expect(created.status, created.text).toBe(201);
  expect(created.json.domain).toMatchObject({ domain, withheld: ['unverified'] });
  await createRecord(customer, domain, { name: 'www', data: '192.0.2.7' });
  expect(await service.dns.look(domain, 'A')).toBe('REFUSED');
  const propagation = await customer.http.get(`/v2/domains/${domain}/propagation?wait=20`);
  expect(JSON.parse(propagation.text)).toMatchObject({ propagation: { current: true } });

  const first = claimOf(await customer.http.get(`/v2/domains/${domain}/claim`));
  expect(first).toMatchObject({
    state: 'unverified',
    how: null,
    seen: [],
    date_checked: null,
    date_verified: null,
  });
  expect(first.challenge).toMatchObject({ name: `${CHALLENGE}.${domain}`, type: 'TXT' });
  expect(Date.parse(first.date_expires ?? '') - Date.now()).toBeGreaterThan(27 * 86_400_000);
  expect(first.nameservers).toEqual(await setOf(customer.http));
  const value = first.challenge?.data ?? '';

  const { head } = { head: await customer.http.get(`/v2/domains/${domain}`) };
  texts.set(`${CHALLENGE}.${domain}`, [[value], []]);
  const half = await look(customer.http, domain);
  expect(half.state).toBe('unverified');
  expect(half.next_step).toContain('ns2.old.net does not have the record yet');
  expect(
    half.seen.map(({ role, server, challenge, nameservers: to }) => [role, server, challenge, to]),
  ).toEqual([
    ['parent', 'a.servers.net', null, OLD],
    ['parent', 'b.servers.net', null, OLD],
    ['nameserver', 'ns1.old.net', true, null],
    ['nameserver', 'ns2.old.net', false, null],
  ]);
  texts.set(`${CHALLENGE}.${domain}`, [[value], ['zonewright-claim=another', value]]);
  await expect
    .poll(async () => (await look(customer.http, domain)).state, { timeout: 30_000 })
    .toBe('verified');
  expect(await service.dns.look(`www.${domain}`, 'A')).toEqual(['192.0.2.7']);
  expect(claimOf(await customer.http.get(`/v2/domains/${domain}/claim`))).toMatchObject({
    state: 'verified',
    how: 'challenge',
    next_step: 'Nothing has to be done',
    date_expires: null,
  });
  const now = await customer.http.get(`/v2/domains/${domain}`, {
    headers: { 'if-none-match': String(head.headers.etag) },
  });
  expect([now.status, now.json.domain?.withheld]).toEqual([200, undefined]);
  const changes = await customer.http.get(`/v2/domains/${domain}/changes`);
  expect(
    (JSON.parse(changes.text) as { changes: { action: string }[] }).changes.map(({ action }) => action),
  ).toEqual([
    'domain_release',
    'create',
    ...Array.from({ length: 5 }, () => 'create'),
    'domain_withhold',
    'domain_create',
  ]);
});

test('rule 85: a delegation to the nameservers of the account is a proof, if all servers of the parent zone have it', async () => {
  const { service, delegations, newName } = await startWorld(freshDomainName());
  const [customer, other] = [await createAccount(service), await createAccount(service)];
  const set = await setOf(customer.http);
  expect(set).toHaveLength(4);
  expect(nameservers).toEqual(expect.arrayContaining([...set]));
  expect(await setOf(customer.http)).toEqual(set);
  expect(await setOf(other.http)).not.toEqual(set);
  const claimed = async (domain: string, to: readonly (readonly string[])[]): Promise<ClaimJson> => {
    await createDomain(customer, domain);
    delegations.set(domain, to);
    return look(customer.http, domain);
  };
  const [whole, part, late, wide] = [newName(), newName(), newName(), newName()];
  expect(await claimed(whole, [set, set])).toMatchObject({ state: 'verified', how: 'delegation' });
  expect(await service.dns.look(whole, 'NS')).toEqual([...set]);
  const records = await listRecords(customer, whole);
  expect(records.map(({ data }) => data).sort()).toEqual([...set]);
  expect(await claimed(part, [set.slice(1), set.slice(1)])).toMatchObject({ state: 'unverified' });
  expect(await claimed(late, [set, OLD])).toMatchObject({
    state: 'unverified',
    next_step: expect.stringContaining('b.servers.net delegates it to ns1.old.net and ns2.old.net') as string,
  });
  expect(await claimed(wide, [nameservers, nameservers])).toMatchObject({ state: 'unverified' });
  expect(await service.dns.look(late, 'NS')).toBe('REFUSED');
});

test('rule 85: the account that shows control first gets a name that another one has claimed', async () => {
  const { service, delegations, texts, newName } = await startWorld(freshDomainName());
  const [squatter, holder] = [await createAccount(service), await createAccount(service)];
  const domain = newName();
  delegations.set(domain, [OLD, OLD]);
  await createDomain(squatter, domain);
  await createDomain(squatter, `www.${domain}`);
  const refused = await holder.http.post('/v2/domains', { domain });
  expectCode(refused, 409, 'domain_claimed');
  const value = /zonewright-claim=[0-9a-f]{40}/.exec(refused.text)?.[0] ?? '';
  expect(refused.json.error).toContain(`${CHALLENGE}.${domain}`);
  texts.set(`${CHALLENGE}.${domain}`, [[value], [value]]);
  const create = async (): Promise<number> => (await holder.http.post('/v2/domains', { domain })).status;
  await expect.poll(create, { timeout: 30_000 }).toBe(201);
  expect(await service.dns.look(domain, 'SOA')).not.toBe('REFUSED');
  expect(claimOf(await holder.http.get(`/v2/domains/${domain}/claim`)).how).toBe('challenge');
  expectCode(await squatter.http.get(`/v2/domains/${domain}`), 404, 'unknown_domain');
  const deleted = await squatter.http.get('/v2/deleted_domains');
  expect(deleted.text).toContain(`"domain":"${domain}"`);
  const changes = await squatter.http.post(`/v2/domains/${domain}/restore`, undefined);
  expectCode(changes, 409, 'domain_taken');
  // The other account's domain below the name is still not served: the holder's domain answers for it.
  expect(await service.dns.look(`www.${domain}`, 'SOA')).toBe('NXDOMAIN');
});

test('rule 85: an administrator vouches for an account, and its own domains and those inside others need no proof', async () => {
  const { service, newName } = await startWorld(freshDomainName());
  const customer = await createAccount(service);
  const [domain, own] = [newName(), newName()];
  await createDomain(service, own);
  expect(await service.dns.look(own, 'SOA')).not.toBe('REFUSED');
  await createDomain(customer, domain);
  const path = `/v2/accounts/${customer.id}/domains/${domain}/verify`;
  expectCode(await customer.http.post(path, undefined), 403, 'forbidden');
  expectCode(
    await service.http.post(`/v2/accounts/${customer.id}/domains/${own}/verify`, undefined),
    404,
    'unknown_domain',
  );
  const planned = await service.http.post(`${path}?dry_run=true`, undefined);
  expect(JSON.parse(planned.text)).toMatchObject({ dry_run: true, claim: { state: 'unverified' } });
  expect(await service.dns.look(domain, 'SOA')).toBe('REFUSED');
  expect(claimOf(await service.http.post(path, undefined))).toMatchObject({
    state: 'verified',
    how: 'administrator',
  });
  expect(await service.dns.look(domain, 'SOA')).not.toBe('REFUSED');
  const inner = await customer.http.post('/v2/domains', { domain: `sub.${domain}` });
  expect([inner.status, inner.json.domain?.withheld]).toEqual([201, undefined]);
  expect(claimOf(await customer.http.get(`/v2/domains/sub.${domain}/claim`)).how).toBe('parent');
  const check = await customer.http.get(`/v2/domains/${domain}/check`);
  expect(check.text).not.toContain('domain_withheld');
});

test('rule 85: an unverified domain is reported, deleted and restored as it is, and blocks nobody', async () => {
  const { service, newName } = await startWorld(freshDomainName());
  const [customer, other] = [await createAccount(service), await createAccount(service)];
  const domain = newName();
  await createDomain(customer, domain);
  const check = await customer.http.get(`/v2/domains/${domain}/check`);
  expect(check.text).toContain('"code":"domain_withheld","severity":"error"');
  expect((await other.http.post('/v2/domains', { domain: `a.${domain}` })).status).toBe(201);
  await customer.http.delete(`/v2/domains/${domain}`);
  const taken = await other.http.post('/v2/domains', { domain });
  expect(taken.status, taken.text).toBe(201);
  await other.http.delete(`/v2/domains/${domain}`);
  const restored = await customer.http.post(`/v2/domains/${domain}/restore`, undefined);
  expect(restored.json.domain).toMatchObject({ withheld: ['unverified'] });
  expect(await service.dns.look(domain, 'SOA')).toBe('REFUSED');
});

const open = await startForFile();

test('rule 85: where nobody has to show control, domains are open and have the nameservers of the service', async () => {
  const domain = await createDomain(open);
  expect(claimOf(await open.http.get(`/v2/domains/${domain}/claim`))).toMatchObject({
    state: 'open',
    how: null,
    next_step: 'Nothing has to be done',
    seen: [],
  });
  expect(await look(open.http, domain)).toMatchObject({ state: 'open' });
  const records = await listRecords(open, domain);
  expect(records.map(({ data }) => data).sort()).toEqual([...(await setOf(open.http))].sort());
});

test('rule 85: what all domains had before accounts got sets of their own is given to no account', async () => {
  const twelve = Array.from({ length: 12 }, (_, i) => `ns${i + 1}.dns.example`);
  const former = twelve.slice(1);
  const before = await startService({ settings: { ZONEWRIGHT_NAMESERVERS: former.join(',') } });
  // A start notes it beside other writes; it is not told when.
  for (let i = 0; i < 5; i++) await createAccount(before);
  await before.stop();
  const settings = { ZONEWRIGHT_NAMESERVERS: twelve.join(','), ZONEWRIGHT_NAMESERVER_SET: '11' };
  const service = await startService({ data: before.data, settings });
  onTestFinished(async () => {
    await service.stop();
  });
  // There are twelve sets; nobody gets that of the first names either.
  const given: string[] = [];
  for (let i = 0; i < 10; i++) given.push(String(await setOf((await createAccount(service)).http)));
  expect(new Set(given).size).toBe(10);
  expect(given).not.toContain(String([...former].sort()));
});

test('rule 85: the setting is about new domains, however they are created, and those are served when it is taken back', async () => {
  const before = await startService();
  const { data } = before;
  const customer = await createAccount(before);
  const clientOf = (service: Service): HttpClient => service.http.withKey(customer.http.key);
  const [old, fresh, imported, within] = [
    await createDomain(customer),
    freshDomainName(),
    freshDomainName(),
    'a',
  ];
  await before.stop();

  const strict = await startService({ data, settings: { ZONEWRIGHT_CLAIMS: 'verified' } });
  const owner = clientOf(strict);
  expect(claimOf(await owner.get(`/v2/domains/${old}/claim`)).state).toBe('open');
  expect(await strict.dns.look(old, 'SOA')).not.toBe('REFUSED');
  await createDomain({ http: owner }, fresh);
  const put = await owner.put(`/v2/domains/${imported}/zonefile?create=true`, { records: [] });
  expect(put.status, put.text).toBe(200);
  const other = await createAccount(strict);
  await createDomain(other, `${within}.${fresh}`);
  for (const domain of [fresh, imported]) expect(await strict.dns.look(domain, 'SOA')).toBe('REFUSED');
  await strict.stop();

  const open = await startService({ data });
  onTestFinished(async () => {
    await open.stop();
  });
  expect(await look(clientOf(open), fresh)).toMatchObject({ state: 'open', date_expires: null });
  expect(await open.dns.look(fresh, 'SOA')).not.toBe('REFUSED');
  const below = `${within}.${fresh}`;
  expect(await look(open.http.withKey(other.http.key), below)).toMatchObject({ state: 'unverified' });
  await expect
    .poll(() => open.dns.look(imported, 'SOA'), { timeout: 90_000, interval: 500 })
    .not.toBe('REFUSED');
  const trail = await open.http.get(`/v2/trail?account=${customer.id}&action=domain.release`);
  expect(
    (JSON.parse(trail.text) as { trail: { object: string }[] }).trail.map(({ object }) => object),
  ).toEqual([imported, fresh]);
});

test('rule 85: a service that may ask nobody says so', async () => {
  const service = await startService({ settings: { ZONEWRIGHT_CLAIMS: 'verified' } });
  onTestFinished(async () => {
    await service.stop();
  });
  const customer = await createAccount(service);
  const domain = await createDomain(customer);
  const claim = await look(customer.http, domain);
  expect(claim).toMatchObject({ state: 'unverified', seen: [], date_checked: null });
  expect(claim.next_step).toContain('this service asks no resolver');
  // All accounts have the same nameservers, so that a delegation would prove nothing.
  expect(claim.next_step).not.toContain('have the parent zone');
});
