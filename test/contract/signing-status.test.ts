import { expect, test } from 'vitest';
import type { SigningStatusJson } from '../../src/contract/signing-status-shape.ts';
import { dsText, startParent, withDs, withoutDs } from '../../src/dns-client/parent.test-support.ts';
import { formatServerAddress } from '../../src/dns-client/server-address.ts';
import {
  createAccount,
  createDomain,
  createRecord,
  expectError,
  freshDomainName,
} from '../harness/fixtures.ts';
import type { HttpClient } from '../harness/http-client.ts';
import { startForFile, startService } from '../harness/service.ts';

const service = await startForFile();
const { http } = service;

async function statusOf(client: HttpClient, domain: string): Promise<SigningStatusJson> {
  const reply = await client.get(`/v2/domains/${domain}/dnssec/status`);
  expect(reply.status, reply.text).toBe(200);
  return (JSON.parse(reply.text) as { dnssec: SigningStatusJson }).dnssec;
}

test('rule 61: the state of a domain that is not signed, where no resolver may be asked', async () => {
  const domain = await createDomain(service);
  expect(await statusOf(http, domain)).toEqual({
    state: 'unsigned',
    next_step: expect.stringMatching(/^Nothing has to be done: .* asks no resolver/) as string,
    denial: null,
    keys: [],
    ds: { wanted: [], seen: [], date_checked: null },
    earliest_expiry: null,
  });
});

test('rule 61: only domains of the account have a state', async () => {
  const domain = await createDomain(service);
  const other = await createAccount(service);
  for (const name of [domain, freshDomainName(), 'com']) {
    expectError(await other.http.get(`/v2/domains/${name}/dnssec/status`), 404, 'there is no domain');
  }
});

test('rule 61: the nameservers of the parent zone are shown, and an old DS record', async () => {
  const domain = freshDomainName();
  const zone = domain.replace(/^[^.]*\./, '');
  const parent = await startParent({
    zone,
    servers: { 'a.servers.net': () => withDs(domain), 'b.servers.net': () => withoutDs(zone) },
  });
  const asking = await startService({
    settings: {
      ZONEWRIGHT_RESOLVERS: parent.resolvers.map(formatServerAddress).join(','),
      ZONEWRIGHT_PRIVATE_PARENTS: parent.privateServers.map(formatServerAddress).join(','),
    },
  });
  try {
    expect((await asking.http.post('/v2/domains', { domain })).status).toBe(201);
    const { state, ds } = await statusOf(asking.http, domain);
    const [a, b] = parent.privateServers.map(formatServerAddress);
    expect({ state, seen: ds.seen }).toEqual({
      state: 'bogus',
      seen: [
        { server: 'a.servers.net', address: a, ds: [dsText], problem: null },
        { server: 'b.servers.net', address: b, ds: [], problem: null },
      ],
    });
    expect(Date.parse(ds.date_checked ?? '')).toBeLessThanOrEqual(Date.now());
  } finally {
    await asking.stop();
  }
});

test('rule 61: a parent zone of the same account counts if no nameserver answers', async () => {
  const parent = await createDomain(service);
  await createRecord(service, parent, { name: 'a.b', type: 'NS', data: 'ns1.example.net' });
  await createRecord(service, parent, { name: 'a.b', type: 'DS', data: `4711 8 2 ${'ab'.repeat(32)}` });
  const domain = `a.b.${parent}`;
  expect((await http.post('/v2/domains', { domain })).status).toBe(201);
  const status = await statusOf(http, domain);
  expect(status).toMatchObject({ state: 'bogus', ds: { seen: [], date_checked: null } });
  expect(status.next_step).toContain(`Delete the old DS record in your domain ${parent}`);
});
