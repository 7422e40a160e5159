import { afterAll, expect, test } from 'vitest';
import type { DelegationJson } from '../../src/contract/delegation-shape.ts';
import type { Answerer } from '../../src/dns-client/nameserver.test-support.ts';
import {
  delegating,
  dsText,
  recordOf,
  startParent,
  withDs,
  withoutDs,
} from '../../src/dns-client/parent.test-support.ts';
import { formatServerAddress } from '../../src/dns-client/server-address.ts';
import {
  createAccount,
  createDomain,
  createRecord,
  freshDomainName,
  listRecords,
} from '../harness/fixtures.ts';
import type { HttpClient } from '../harness/http-client.ts';
import { startService } from '../harness/service.ts';

/* Rule 87, with a service that asks a parent zone on the loopback interface. */

async function startWorld() {
  const zone = freshDomainName();
  /** By domain, for each of two servers of the parent zone; none: the domain is not delegated. */
  const referrals = new Map<string, readonly (object | undefined)[]>();
  const withDsRecord = new Set<string>();
  let asked = 0;
  const answer =
    (server: number): Answerer =>
    ({ questions }) => {
      const [{ name, type }] = questions;
      asked++;
      if (type === 'DS' && withDsRecord.has(name)) return withDs(name);
      return (type === 'NS' ? referrals.get(name)?.[server] : undefined) ?? withoutDs(zone);
    };
  const parent = await startParent({
    zone,
    servers: { 'a.servers.net': answer(0), 'b.servers.net': answer(1) },
  });
  const service = await startService({
    settings: {
      ZONEWRIGHT_NAMESERVERS: 'ns1.dns.example,ns2.dns.example',
      ZONEWRIGHT_RESOLVERS: parent.resolvers.map(formatServerAddress).join(','),
      ZONEWRIGHT_PRIVATE_PARENTS: parent.privateServers.map(formatServerAddress).join(','),
    },
  });
  return { zone, service, referrals, withDsRecord, askedCount: () => asked };
}

// The answers of its servers end with the first test, so that there is only one.
test('rule 87: what each server of the parent zone has, what it should have, and the next step', async () => {
  const { zone, service, referrals, withDsRecord, askedCount } = await startWorld();
  afterAll(() => service.stop());
  const customer = await createAccount(service);
  const domain = `customer.${zone}`;
  await createDomain(customer, domain);
  const path = `/v2/domains/${domain}/delegation`;

  const beganAtMs = Date.now();
  const first = await look(customer.http, path);
  expect(first).toMatchObject({
    state: 'not_delegated',
    parent: zone,
    expected: { nameservers: ['ns1.dns.example', 'ns2.dns.example'], glue: [], ds: [] },
    servers: [
      { server: 'a.servers.net', nameservers: [], glue: [], ds: [], problem: null },
      { server: 'b.servers.net', nameservers: [], glue: [], ds: [], problem: null },
    ],
    problems: [],
  });
  expect(first.next_step).toContain('ns1.dns.example, ns2.dns.example');
  const lookedAtMs = Date.parse(first.looked_at ?? '');
  // In whole seconds.
  expect(lookedAtMs).toBeGreaterThan(beganAtMs - 1000);
  expect(lookedAtMs).toBeLessThanOrEqual(Date.now());

  const questions = askedCount();
  expect(await look(customer.http, path)).toEqual(first);
  expect(await look(customer.http, `${path}?refresh=true`)).toEqual(first);
  expect(askedCount()).toBe(questions);

  const records = await listRecords(customer, domain);
  for (const { id } of records.filter(({ type }) => type === 'NS'))
    await customer.http.delete(`/v2/domains/${domain}/records/${id}`);
  const inside = `ns.${domain}`;
  await createRecord(customer, domain, { type: 'NS', name: '', data: inside });
  await createRecord(customer, domain, { type: 'A', name: 'ns', data: '192.0.2.53' });
  const glue = recordOf(inside, '192.0.2.53');
  referrals.set(domain, [{ ...delegating(domain, inside), additionals: [glue] }, delegating(domain, inside)]);
  withDsRecord.add(domain);
  const refreshed = async () => (await look(customer.http, `${path}?refresh=true`)).state;
  await expect.poll(refreshed, { timeout: 20_000, interval: 1000 }).toBe('delegated');
  const second = await look(customer.http, path);
  expect(second).toMatchObject({
    expected: { nameservers: [inside], glue: [{ name: inside, address: '192.0.2.53' }] },
    servers: [
      { nameservers: [inside], glue: [{ name: inside, address: '192.0.2.53' }], ds: [dsText] },
      { nameservers: [inside], glue: [], ds: [dsText] },
    ],
  });
  expect(second.problems.map(({ code, servers }) => [code, ...servers])).toEqual([
    ['glue_missing', 'b.servers.net'],
    ['ds_unexpected', 'a.servers.net', 'b.servers.net'],
  ]);

  const foreign = await (await createAccount(service)).http.get(path);
  expect(foreign.status).toBe(404);
  const malformed = await customer.http.get(`${path}?refresh=maybe`);
  expect([malformed.status, malformed.json.code]).toEqual([400, 'invalid_request']);

  // A parent zone that the account has here counts where no other answers.
  const above = freshDomainName();
  await createDomain(customer, above);
  await createDomain(customer, `inner.${above}`);
  await createRecord(customer, above, { type: 'NS', name: 'inner', data: 'ns1.dns.example' });
  expect(await look(customer.http, `/v2/domains/inner.${above}/delegation`)).toMatchObject({
    state: 'partly',
    parent: above,
    servers: [{ server: above, address: null, nameservers: ['ns1.dns.example'] }],
  });
});

async function look(client: HttpClient, path: string): Promise<DelegationJson> {
  const reply = await client.get(path);
  expect(reply.status, reply.text).toBe(200);
  return (JSON.parse(reply.text) as { delegation: DelegationJson }).delegation;
}
