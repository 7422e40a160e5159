import { expect, test } from 'vitest';
import type { RolloverJson, SigningStatusJson } from '../../src/contract/signing-status-shape.ts';
import { bulkBody } from '../harness/bulk-replies.ts';
import {
  createAccount,
  createDomain,
  expectError,
  expectUnchanged,
  freshDomainName,
} from '../harness/fixtures.ts';
import type { HttpReply } from '../harness/http-client.ts';
import { startForFile } from '../harness/service.ts';

const service = await startForFile({ ZONEWRIGHT_DNSSEC_SECRET: 'for-tests-only-for-tests-only-1234' });
const { http, dns } = service;

const enabled = { dns_sec: 'enabled' };
const disabled = { dns_sec: 'disabled' };

async function createSigned(): Promise<string> {
  const domain = freshDomainName();
  const created = await http.post('/v2/domains', { domain, ...enabled });
  expect(created.status, created.text).toBe(201);
  return domain;
}

function rolloversOf(domain: string): string {
  return `/v2/domains/${domain}/dnssec/rollovers`;
}

function rolloverOf(reply: HttpReply): RolloverJson {
  expect(reply.status, reply.text).toBe(201);
  return (JSON.parse(reply.text) as { rollover: RolloverJson }).rollover;
}

async function statusOf(domain: string): Promise<SigningStatusJson> {
  const reply = await http.get(`/v2/domains/${domain}/dnssec/status`);
  return (JSON.parse(reply.text) as { dnssec: SigningStatusJson }).dnssec;
}

async function listOf(domain: string): Promise<readonly string[]> {
  return (await http.get(`/v2/domains/${domain}/dnssec`)).json.dns_sec!;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('rule 65: a rollover publishes a new key, and the status says what happens', async () => {
  const domain = await createSigned();
  const before = await listOf(domain);
  const serial = await dns.serial(domain);
  const reply = await http.post(rolloversOf(domain), {});
  const rollover = rolloverOf(reply);
  expect(Object.keys(rollover)).toEqual([
    'id',
    'kind',
    'step',
    'date_created',
    'date_step',
    'date_next',
    'held',
  ]);
  expect(rollover).toMatchObject({ kind: 'key', step: 'published', date_next: null });
  expect(rollover.id).toMatch(UUID);
  expect(rollover.date_step).toBe(rollover.date_created);
  expect(reply.headers['zone-serial']).toBe(String(serial + 1));
  expect(await dns.serial(domain)).toBe(serial + 1);
  expect(await dns.look(domain, 'DNSKEY')).toHaveLength(2);
  // The DS record at the parent zone is still that of the old key.
  const during = await listOf(domain);
  expect(during.filter((line) => line.includes(' DS '))).toEqual(before.slice(1));
  expect(during).toHaveLength(3);
  const status = await statusOf(domain);
  expect(status).toMatchObject({ state: 'rolling', rollover: { id: rollover.id, kind: 'key' } });
  expect(status.keys.map(({ state, origin, algorithm }) => [state, origin, algorithm])).toEqual([
    ['active', 'made', 13],
    ['publishing', 'made', 13],
  ]);
  expect(status.next_step).toMatch(/^Nothing has to be done but wait/);
});

test('rule 65: with another algorithm, the new key signs before it is published', async () => {
  for (const algorithm of [15, '15']) {
    const domain = await createSigned();
    const rollover = rolloverOf(await http.post(rolloversOf(domain), { algorithm }));
    expect(rollover).toMatchObject({ kind: 'algorithm', step: 'signing' });
    expect(await dns.look(domain, 'DNSKEY')).toHaveLength(1);
    expect((await dns.ask(domain, 'SOA', { dnssec: true })).answers).toHaveLength(3);
    const { keys } = await statusOf(domain);
    expect(keys.map(({ algorithm: used }) => used)).toEqual([13, 15]);
  }
});

test('rule 65: one rollover at a time, and only of a signed domain of the account', async () => {
  const domain = await createSigned();
  for (const algorithm of [8, 14, 'ecdsa', true]) {
    expectError(await http.post(rolloversOf(domain), { algorithm }), 400, /^algorithm must be/);
  }
  rolloverOf(await http.post(rolloversOf(domain), {}));
  await expectUnchanged(service, domain, async () => {
    const second = await http.post(rolloversOf(domain), {});
    expectError(second, 409, /is being exchanged already/);
    expect(second.json.code).toBe('dnssec_conflict');
    const off = await http.put(`/v2/domains/${domain}`, disabled);
    expectError(off, 409, /is being exchanged: cancel that first/);
  });
  const unsigned = await createDomain(service);
  expectError(await http.post(rolloversOf(unsigned), {}), 409, /is not signed/);
  const withdrawn = await createSigned();
  expect((await http.put(`/v2/domains/${withdrawn}`, disabled)).status).toBe(204);
  expectError(await http.post(rolloversOf(withdrawn), {}), 409, /is being withdrawn/);
  const other = await createAccount(service);
  expectError(await other.http.post(rolloversOf(domain), {}), 404);
});

test('rule 65: dry runs, preconditions and idempotency keys count for rollovers, too', async () => {
  const domain = await createSigned();
  await expectUnchanged(service, domain, async () => {
    const plan = await http.post(`${rolloversOf(domain)}?dry_run=true`, {});
    expect([plan.status, bulkBody(plan).changes]).toMatchObject([200, { created: [], unchanged: 0 }]);
    expectError(await http.post(rolloversOf(domain), {}, { headers: { 'if-match': '"other"' } }), 412);
  });
  const headers = { 'idempotency-key': freshDomainName(), 'x-change-note': 'yearly' };
  const first = await http.post(rolloversOf(domain), {}, { headers });
  const again = await http.post(rolloversOf(domain), {}, { headers });
  expect([again.status, again.text]).toEqual([201, first.text]);
  expect((await statusOf(domain)).keys).toHaveLength(2);
  const [change] = bulkBody(await http.get(`/v2/domains/${domain}/changes`)).changes as unknown as object[];
  expect(change).toMatchObject({ action: 'domain_update', note: 'yearly' });
  const { id } = rolloverOf(first);
  await expectUnchanged(service, domain, async () => {
    expect((await http.delete(`${rolloversOf(domain)}/${id}?dry_run=true`)).status).toBe(200);
  });
});

test('rule 66: a cancelled rollover leaves the key that was there', async () => {
  for (const algorithm of [13, 15]) {
    const domain = await createSigned();
    const before = await listOf(domain);
    const { id } = rolloverOf(await http.post(rolloversOf(domain), { algorithm }));
    const serial = await dns.serial(domain);
    const reply = await http.delete(`${rolloversOf(domain)}/${id}`);
    expect([reply.status, reply.headers['zone-serial']], reply.text).toEqual([204, String(serial + 1)]);
    expect(await listOf(domain)).toEqual(before);
    expect(await dns.look(domain, 'DNSKEY')).toHaveLength(1);
    expect(await statusOf(domain)).toMatchObject({ rollover: null, keys: [{ state: 'active' }] });
    await expectUnchanged(service, domain, async () => {
      const again = await http.delete(`${rolloversOf(domain)}/${id}`);
      expectError(again, 404);
      expect(again.json.code).toBe('unknown_rollover');
    });
  }
});

test('rule 66: a withdrawal is no rollover that can be cancelled', async () => {
  const domain = await createSigned();
  expect((await http.put(`/v2/domains/${domain}`, disabled)).status).toBe(204);
  const { rollover } = await statusOf(domain);
  await expectUnchanged(service, domain, async () => {
    expectError(await http.delete(`${rolloversOf(domain)}/${rollover!.id}`), 404);
    expectError(await http.delete(`${rolloversOf(domain)}/x`), 404);
  });
});

test('rule 73: a rollover or a withdrawal is held, and goes on when it is released', async () => {
  const domain = await createSigned();
  const path = `/v2/domains/${domain}/dnssec`;
  await expectUnchanged(service, domain, async () => {
    expectError(await http.patch(path, { hold: true }), 409, /^Nothing can be held/);
    expect((await http.patch(path, { hold: false })).status).toBe(204);
    expectError(await http.patch(path, { hold: true, denial: 'nsec3' }), 400, /^Send either denial or hold/);
    expectError(await http.patch(path, { hold: 'yes' }), 400, /hold must be a boolean/);
  });
  const { id } = rolloverOf(await http.post(rolloversOf(domain), {}));
  expect((await http.patch(path, { hold: true })).status).toBe(204);
  const held = await statusOf(domain);
  expect(held).toMatchObject({ state: 'rolling', rollover: { id, held: true } });
  expect(held.next_step).toMatch(/^Run "zonewright domain dnssec resume /);
  await expectUnchanged(service, domain, async () => {
    expect((await http.patch(path, { hold: true })).status).toBe(204);
  });
  expect((await http.patch(path, { hold: false })).status).toBe(204);
  expect(await statusOf(domain)).toMatchObject({ rollover: { id, held: false } });
  expect((await http.patch(path, { hold: true })).status).toBe(204);
  expect((await http.delete(`${rolloversOf(domain)}/${id}`)).status).toBe(204);
});

test('rule 73: where the parent zone cannot be asked, the owner says what it has', async () => {
  const domain = await createSigned();
  const path = `/v2/domains/${domain}/dnssec/ds_seen`;
  expectError(await http.post(path, { ds: [] }), 409, /waits for a DS record/);
  const [, wanted] = (await listOf(domain)).map((line) => line.split(' IN DS ')[1]);
  expect((await http.patch(`/v2/domains/${domain}`, disabled)).status).toBe(204);
  await expectUnchanged(service, domain, async () => {
    expectError(await http.post(path, {}), 400, /^ds is required/);
    expectError(await http.post(path, { ds: ['27933 13'] }), 400, /^ds: /);
    expectError(await http.post(path, { ds: Array<string>(11).fill(wanted) }), 400, /10 records at most/);
    for (const ttl of [0, 604_801, 'a day']) {
      expectError(await http.post(path, { ds: [], ttl }), 400, /^ttl must be/);
    }
  });
  expect((await http.post(path, { ds: [wanted.toLowerCase(), wanted] })).status).toBe(204);
  const { ds, next_step: step } = await statusOf(domain);
  expect(ds.seen).toEqual([{ server: 'owner', address: null, ds: [wanted], problem: null }]);
  expect(ds.date_checked).toMatch(/^20/);
  expect(step).toMatch(
    /^Have the DS record .* removed at the registrar: the parent zone .* as its owner has said, still has it/,
  );
  expect((await http.post(path, { ds: [], ttl: 3600 })).status).toBe(204);
  expect((await statusOf(domain)).next_step).toMatch(/^Nothing has to be done but wait: no server /);
});

test('rule 73: the word of the owner does not count where the service sees the parent zone itself', async () => {
  const parent = await createDomain(service);
  const domain = `sub.${parent}`;
  expect((await http.post('/v2/domains', { domain, ...enabled })).status).toBe(201);
  expect((await http.patch(`/v2/domains/${domain}`, disabled)).status).toBe(204);
  const records = `/v2/domains/${parent}/records`;
  await http.post(records, { type: 'NS', name: 'sub', data: 'ns1.example.net', ttl: 60 });
  const said = await http.post(`/v2/domains/${domain}/dnssec/ds_seen`, { ds: [] });
  expectError(said, 409, /can be asked, so what it has counts: your domain .* has no DS record$/);
  expect(said.json.code).toBe('dnssec_conflict');
});
