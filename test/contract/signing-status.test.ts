import { expect, onTestFinished, test } from 'vitest';
import type { SigningStatusJson } from '../../src/contract/signing-status-shape.ts';
import type { Answerer } from '../../src/dns-client/nameserver.test-support.ts';
import { startParent, withDs, withoutDs } from '../../src/dns-client/parent.test-support.ts';
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
    rollover: null,
    earliest_expiry: null,
    progress: null,
  });
});

test('rule 61: only domains of the account have a state', async () => {
  const domain = await createDomain(service);
  const other = await createAccount(service);
  for (const name of [domain, freshDomainName(), 'com']) {
    expectError(await other.http.get(`/v2/domains/${name}/dnssec/status`), 404, 'there is no domain');
  }
});

/** A parent zone whose two servers have the DS records of the test, and a service that asks them. */
async function startWithParent(zone: string) {
  const sets = new Map<string, readonly (readonly string[])[]>();
  const answerOf =
    (server: number): Answerer =>
    ({ questions }) => {
      const [{ name }] = questions;
      const records = (sets.get(name)?.[server] ?? []).map((text) => ({ ...dsRecord(text), name }));
      return records.length === 0 ? withoutDs(zone) : { ...withDs(name), answers: records };
    };
  const servers = { 'a.servers.net': answerOf(0), 'b.servers.net': answerOf(1) };
  const parent = await startParent({ zone, servers });
  const [a, b] = parent.privateServers.map(formatServerAddress);
  const asking = await startService({
    settings: {
      ZONEWRIGHT_RESOLVERS: parent.resolvers.map(formatServerAddress).join(','),
      ZONEWRIGHT_PRIVATE_PARENTS: `${a},${b}`,
      ZONEWRIGHT_DNSSEC_SECRET: 'x'.repeat(32),
    },
  });
  onTestFinished(async () => {
    await asking.stop();
  });
  return { asking, sets, a, b };
}

function dsRecord(text: string): object {
  const [keyTag, algorithm, digestType] = text.split(' ').map(Number);
  const digest = Buffer.from(text.split(' ')[3], 'hex');
  return { type: 'DS', class: 'IN', ttl: 3600, data: { keyTag, algorithm, digestType, digest } };
}

test('rule 61: the way of a domain from unsigned to secure, and what an old DS record does', async () => {
  const zone = freshDomainName();
  const { asking, sets, a, b } = await startWithParent(zone);
  /** A new domain, because the answer about the parent zone is kept for a while. */
  const look = async (
    isSigned: boolean,
    setsOf: (ours: string) => readonly (readonly string[])[],
  ): Promise<SigningStatusJson> => {
    const domain = `${freshDomainName().split('.')[0]}.${zone}`;
    const created = await asking.http.post('/v2/domains', {
      domain,
      dns_sec: isSigned ? 'enabled' : 'disabled',
    });
    expect(created.status, created.text).toBe(201);
    const lines = (await asking.http.get(`/v2/domains/${domain}/dnssec`)).json as { dns_sec?: string[] };
    const ours = lines.dns_sec?.find((line) => line.includes(' IN DS '))?.replace(/^.* IN DS /, '') ?? '';
    sets.set(domain, setsOf(ours));
    const status = await statusOf(asking.http, domain);
    expect(status.ds.wanted).toEqual(isSigned ? [ours] : []);
    return status;
  };
  const waiting = await look(true, () => [[], []]);
  expect(waiting.state).toBe('waiting_for_ds');
  expect(waiting.next_step).toMatch(
    /^Enter this DS record at the registrar of .* key tag \d+, algorithm 13, /,
  );
  const [key] = waiting.keys;
  expect(waiting.ds.wanted[0].startsWith(`${key.tag} ${key.algorithm} 2 `)).toBe(true);
  expect(Date.parse(waiting.earliest_expiry ?? '')).toBeGreaterThan(Date.now() + 15 * 86_400_000);
  const half = await look(true, (ours) => [[ours], []]);
  expect([half.state, half.next_step]).toEqual(['waiting_for_ds', expect.stringMatching(/but wait: a\./)]);
  const all = await look(true, (ours) => [[ours], [ours]]);
  expect([all.state, all.next_step]).toEqual(['secure', 'Nothing has to be done']);
  const besides = await look(true, (ours) => [[ours, OLD_DS], [ours]]);
  expect([besides.state, besides.next_step]).toEqual(['secure', expect.stringContaining(OLD_DS)]);
  const old = await look(true, () => [[OLD_DS], []]);
  expect([old.state, old.next_step]).toEqual([
    'bogus',
    expect.stringContaining('in place of the old DS record'),
  ]);
  expect((await look(false, () => [[], []])).state).toBe('unsigned');
  const left = await look(false, () => [[OLD_DS], []]);
  expect(left).toMatchObject({
    state: 'bogus',
    ds: {
      seen: [
        { server: 'a.servers.net', address: a, ds: [OLD_DS], problem: null },
        { server: 'b.servers.net', address: b, ds: [], problem: null },
      ],
    },
  });
  expect(Date.parse(left.ds.date_checked ?? '')).toBeLessThanOrEqual(Date.now());
});

const OLD_DS = `4711 8 2 ${'AB'.repeat(32)}`;

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
