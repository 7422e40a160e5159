import { expect, inject, test } from 'vitest';
import {
  createAccount,
  createDomain,
  createRecord,
  expectError,
  freshDomainName,
  postRecord,
} from '../harness/fixtures.ts';
import type { HttpReply } from '../harness/http-client.ts';
import { startForFile, startService } from '../harness/service.ts';

const service = await startForFile();
const { http, dns } = service;
/** With the embedded store, propagation is known immediately; on PostgreSQL, nameservers report some milliseconds later. */
const reported = inject('engine') === 'sqlite' ? 'wait=0' : 'wait=10';

function zoneSerial(reply: HttpReply): number {
  const text = reply.headers['zone-serial'];
  expect(text, `${reply.status} ${reply.text}`).toMatch(/^\d{1,10}$/);
  return Number(text);
}

interface Propagation {
  readonly domain: string;
  readonly serial: number;
  readonly current: boolean;
  readonly nameservers: readonly Record<string, unknown>[];
}

async function propagation(domain: string, query = ''): Promise<Propagation> {
  const reply = await http.get(`/v2/domains/${domain}/propagation${query}`);
  expect(reply.status, reply.text).toBe(200);
  return (JSON.parse(reply.text) as { propagation: Propagation }).propagation;
}

test('rule 36: every write after which the domain exists returns the serial that DNS serves', async () => {
  const domain = freshDomainName();
  const path = `/v2/domains/${domain}`;
  let serial = 0;
  const expectSerial = async (reply: HttpReply, steps: number): Promise<HttpReply> => {
    const named = zoneSerial(reply);
    if (serial !== 0) expect(named).toBe(serial + steps);
    serial = named;
    expect(await dns.serial(domain)).toBe(serial);
    return reply;
  };
  await expectSerial(await http.post('/v2/domains', { domain }), 0);
  await expectSerial(await http.post('/v2/domains', { domain }), 0);
  const created = await expectSerial(await postRecord(service, domain, {}), 1);
  const record = `${path}/records/${created.json.record!.id}`;
  await expectSerial(await postRecord(service, domain, {}), 0);
  await expectSerial(await http.patch(record, { ttl: 60 }), 1);
  await expectSerial(await http.patch(record, {}), 0);
  await expectSerial(await http.patch(`${path}/soa`, { email: 'someone@example.com' }), 1);
  await expectSerial(await http.patch(`${path}/soa`, {}), 0);
  await expectSerial(await http.put(path, { dns_sec: 'disabled' }), 0);
  await expectSerial(await http.get(path), 0);
  await expectSerial(await http.get(`${path}/soa`), 0);
  await expectSerial(await http.delete(record), 1);
  for (const reply of [
    await http.delete(record),
    await http.get(`${path}/records`),
    await http.delete(path),
    await http.get(path),
  ]) {
    expect(reply.headers).not.toHaveProperty('zone-serial');
  }
});

test('rule 36: each of several concurrent writes returns a serial that includes it', async () => {
  const domain = await createDomain(service);
  const replies = await Promise.all(
    Array.from({ length: 40 }, (_, at) => postRecord(service, domain, { name: `n${at}` })),
  );
  const served = await dns.serial(domain);
  const serials = replies.map(zoneSerial);
  expect(Math.max(...serials)).toBe(served);
  const first = await propagation(domain, `?serial=${Math.min(...serials)}&${reported}`);
  expect(first.current).toBe(true);
});

test('rule 37: the only nameserver of a single process is current', async () => {
  const domain = await createDomain(service);
  const serial = zoneSerial(await postRecord(service, domain, {}));
  const seen = await propagation(`${domain.toUpperCase()}.`, `?${reported}`);
  expect(Object.keys(seen)).toEqual(['domain', 'serial', 'current', 'nameservers']);
  expect(seen).toMatchObject({ domain, serial, current: true });
  const [only, ...others] = seen.nameservers;
  expect(others).toEqual([]);
  expect(Object.keys(only)).toEqual(['id', 'name', 'serial', 'date_taken', 'date_seen', 'live', 'current']);
  expect(only).toMatchObject({ serial, live: true, current: true });
  expect(only['date_seen']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
  expect((await propagation(domain, `?serial=${serial}&wait=60`)).current).toBe(true);
});

test('rule 37: a request waits for a future serial until its time is up', async () => {
  const domain = await createDomain(service);
  const next = zoneSerial(await http.get(`/v2/domains/${domain}`)) + 1;
  expect(await propagation(domain, `?serial=${next}`)).toMatchObject({ serial: next, current: false });
  expect(await propagation(domain, `?serial=${next}&wait=1`)).toMatchObject({
    serial: next,
    current: false,
    nameservers: [{ serial: next - 1, live: true, current: false }],
  });
  const waiting = propagation(domain, `?serial=${next}&wait=60`);
  await createRecord(service, domain, {});
  expect(await waiting).toMatchObject({ serial: next, current: true });
});

test('rule 37: malformed queries are 400, and domains of other accounts are unknown', async () => {
  const domain = await createDomain(service);
  const path = `/v2/domains/${domain}/propagation`;
  for (const [query, field] of [
    ['?serial=', 'serial'],
    ['?serial=one', 'serial'],
    ['?serial=4294967296', 'serial'],
    ['?wait=61', 'wait'],
    ['?serial=1&wait=soon', 'wait'],
  ] as const) {
    const reply = await http.get(`${path}${query}`);
    expectError(reply, 400, field);
    expect(reply.json.field).toBe(field);
  }
  const { http: stranger } = await createAccount(service);
  expectError(await stranger.get(`${path}?wait=60`), 404, /^Invalid domain/);
  expectError(await http.get(`/v2/domains/${freshDomainName()}/propagation?wait=60`), 404, /^Invalid domain/);
  expectError(await http.get(path, { key: null }), 403);
  expectError(await http.post(path, {}), 405);
});

test('rule 37: a stopping service ends the waits and does not delay', async () => {
  const stopping = await startService();
  const domain = await createDomain(stopping);
  const path = `/v2/domains/${domain}/propagation`;
  const next = zoneSerial(await stopping.http.get(`/v2/domains/${domain}`)) + 1;
  const waiting = stopping.http.get(`${path}?serial=${next}&wait=60`, { timeoutMs: 50_000 });
  await stopping.http.get(path);
  const stopped = stopping.stop();
  const reply = await waiting;
  expectError(reply, 503);
  expect(reply.headers['retry-after']).toBe('1');
  expect(await stopped).toBe(0);
});
