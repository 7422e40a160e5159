import { type KeyObject } from 'node:crypto';
import { expect, test } from 'vitest';
import type { RolloverJson, SigningStatusJson } from '../../src/contract/signing-status-shape.ts';
import type { ZoneKeyJson } from '../../src/contract/zone-key-shape.ts';
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
import { newKeyPair } from '../../src/dnssec/key-pair.test-support.ts';

const service = await startForFile({ ZONEWRIGHT_DNSSEC_SECRET: 'for-tests-only-for-tests-only-1234' });
const { http, dns } = service;

const enabled = { dns_sec: 'enabled' };

// RFC 6605 section 6.1: the key, and the DS record that it has under the name example.net.
const PRIVATE = 'GU6SnQ/Ou+xC5RumuIUIuJZteXT2z0O/ok1s38Et6mQ=';
const PUBLIC = 'GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edbkrSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA==';
const bindFile = `Private-key-format: v1.2\nAlgorithm: 13 (ECDSAP256SHA256)\nPrivateKey: ${PRIVATE}\n`;

async function createSigned(): Promise<string> {
  const domain = freshDomainName();
  const created = await http.post('/v2/domains', { domain, ...enabled });
  expect(created.status, created.text).toBe(201);
  return domain;
}

function keysOf(domain: string): string {
  return `/v2/domains/${domain}/dnssec/keys`;
}

function keyOf(reply: HttpReply, status = 201): ZoneKeyJson {
  expect(reply.status, reply.text).toBe(status);
  return (JSON.parse(reply.text) as { key: ZoneKeyJson }).key;
}

async function listOf(domain: string): Promise<readonly ZoneKeyJson[]> {
  const reply = await http.get(keysOf(domain));
  expect(reply.status, reply.text).toBe(200);
  return (JSON.parse(reply.text) as { keys: readonly ZoneKeyJson[] }).keys;
}

async function statusOf(domain: string): Promise<SigningStatusJson> {
  const reply = await http.get(`/v2/domains/${domain}/dnssec/status`);
  return (JSON.parse(reply.text) as { dnssec: SigningStatusJson }).dnssec;
}

/** A key of algorithm 13 as another provider publishes it. */
function newDnskey(flags = 257): string {
  const { publicKey } = newKeyPair('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const octets = Buffer.concat([Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  return `${flags} 3 13 ${octets.toString('base64')}`;
}

const members = ['id', 'tag', 'algorithm', 'flags', 'origin', 'dnskey', 'ds', 'announced', 'date_created'];

test('rule 67: a domain is signed with the key that it has elsewhere', async () => {
  const domain = await createDomain(service);
  const serial = await dns.serial(domain);
  const reply = await http.post(keysOf(domain), { private_key: bindFile });
  const key = keyOf(reply);
  expect(Object.keys(key)).toEqual(members);
  expect(key).toMatchObject({ tag: 55648, algorithm: 13, flags: 257, origin: 'imported' });
  expect(key.dnskey).toBe(`257 3 13 ${PUBLIC}`);
  expect(key.ds).toMatch(/^55648 13 2 [0-9A-F]{64}$/);
  expect(reply.headers['zone-serial']).toBe(String(serial + 1));
  expect((await http.get(`/v2/domains/${domain}`)).json.domain).toMatchObject(enabled);
  expect(await listOf(domain)).toEqual([key]);
  expect((await http.get(`/v2/domains/${domain}/dnssec`)).json.dns_sec).toEqual([
    `${domain} IN DNSKEY ${key.dnskey}`,
    `${domain} IN DS ${key.ds}`,
  ]);
  expect(await dns.serial(domain)).toBe(serial + 1);
  expect((await dns.ask(domain, 'SOA', { dnssec: true })).answers).toHaveLength(2);
});

test('rule 67: importing a key again changes nothing, and another one is refused', async () => {
  const domain = await createDomain(service);
  const pem = newKeyPair('ed25519', {}).privateKey.export({ format: 'pem', type: 'pkcs8' });
  const key = keyOf(await http.post(keysOf(domain), { private_key: pem }));
  expect(key).toMatchObject({ algorithm: 15, origin: 'imported' });
  await expectUnchanged(service, domain, async () => {
    expect(keyOf(await http.post(keysOf(domain), { private_key: pem }), 200)).toEqual(key);
    const other = await http.post(keysOf(domain), { private_key: bindFile });
    expectError(other, 409, /is signed with another key/);
    expect(other.json.code).toBe('dnssec_conflict');
  });
  const { status, text } = await http.post(`/v2/domains/${domain}/dnssec/rollovers`, {});
  expect(status, text).toBe(201);
});

test('rule 67: an RSA key signs, and is exchanged for one of algorithm 13', async () => {
  const domain = await createDomain(service);
  const { privateKey } = newKeyPair('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ format: 'pem', type: 'pkcs1' });
  const key = keyOf(await http.post(keysOf(domain), { private_key: pem }));
  expect(key).toMatchObject({ algorithm: 8, flags: 257, origin: 'imported' });
  expect(key.dnskey).toMatch(/^257 3 8 AwEAA/);
  const { answers } = await dns.ask(domain, 'SOA', { dnssec: true });
  // Algorithm 8 stands in the third octet; 18 octets and the name of the signer precede 256 of signature.
  const rrsig = answers.find(({ type }) => type === 46)?.rdata;
  expect([rrsig?.[2], rrsig?.length]).toEqual([8, 18 + domain.length + 2 + 256]);
  const other = await createSigned();
  const [{ dnskey }] = await listOf(other);
  expectError(await http.post(keysOf(domain), { dnskey }), 409, /signed with algorithm 8/);
  for (const algorithm of [8, 10]) {
    const path = `/v2/domains/${domain}/dnssec/rollovers`;
    expectError(await http.post(path, { algorithm }), 400, /algorithm must be 13 or 15/);
  }
  const rolled = await http.post(`/v2/domains/${domain}/dnssec/rollovers`, {});
  expect(JSON.parse(rolled.text)).toMatchObject({ rollover: { kind: 'algorithm', step: 'signing' } });
  expect((await listOf(domain)).map(({ algorithm }) => algorithm)).toEqual([8, 13]);
});

test('rules 67 and 68: a DNSKEY answer that is too large for UDP is truncated, and whole over TCP', async () => {
  const domain = await createDomain(service);
  const newRsa = (bits: number): KeyObject => newKeyPair('rsa', { modulusLength: bits }).privateKey;
  const pem = newRsa(2048).export({ format: 'pem', type: 'pkcs8' });
  keyOf(await http.post(keysOf(domain), { private_key: pem }));
  for (let i = 0; i < 4; i++) {
    const { n = '' } = newRsa(2048).export({ format: 'jwk' });
    const octets = Buffer.concat([Buffer.of(3, 1, 0, 1), Buffer.from(n, 'base64url')]);
    keyOf(await http.post(keysOf(domain), { dnskey: `257 3 8 ${octets.toString('base64')}` }));
  }
  const overUdp = await dns.ask(domain, 'DNSKEY', { dnssec: true });
  expect([overUdp.packet.flag_tc, overUdp.answers.length]).toEqual([true, 0]);
  const overTcp = await dns.ask(domain, 'DNSKEY', { dnssec: true, tcp: true });
  expect([overTcp.packet.flag_tc, overTcp.answers.length]).toEqual([false, 6]);
});

test('rule 67: a private key is in no answer, no error and no history', async () => {
  const domain = await createDomain(service);
  const texts: string[] = [];
  const send = async (body: object, options?: object): Promise<HttpReply> => {
    const reply = await http.post(keysOf(domain), body, options);
    texts.push(reply.text, JSON.stringify(reply.headers));
    return reply;
  };
  const short = bindFile.replace('mQ=', '');
  expectError(await send({ private_key: short }), 400);
  expectError(await send({ private_key: bindFile.replace('v1.2', 'v2') }), 400, /Private-key-format/);
  expectError(await send({ private_key: bindFile.replace('13 ', '5 ') }), 400, /algorithm must be 13/);
  expectError(await send({ private_key: bindFile.replace('13 ', '8 ') }), 400, /no RSA key/);
  expectError(await send({ private_key: [bindFile] }), 400, /private_key must be a string/);
  expectError(await send({ private_key: bindFile, dnskey: bindFile }), 400, /^Send either/);
  expectError(await send({ dnskey: bindFile }), 400);
  const headers = { 'idempotency-key': freshDomainName() };
  const first = keyOf(await send({ private_key: bindFile }, { headers }));
  expect(keyOf(await send({ private_key: bindFile }, { headers }))).toEqual(first);
  for (const path of ['', '/changes', '/zonefile?dnssec=true', '/dnssec/status', '/dnssec/keys']) {
    texts.push((await http.get(`/v2/domains/${domain}${path}`)).text);
  }
  expect(texts.join()).not.toContain(PRIVATE.slice(0, 20));
  expect(texts.join()).not.toContain('sealed');
});

test('rule 67: a dry run signs nothing, and preconditions count', async () => {
  const domain = await createDomain(service);
  await expectUnchanged(service, domain, async () => {
    const plan = await http.post(`${keysOf(domain)}?dry_run=true`, { private_key: bindFile });
    const changes = { dns_sec: { before: 'disabled', after: 'enabled' } };
    expect([plan.status, bulkBody(plan).changes]).toMatchObject([200, changes]);
    const headers = { 'if-match': '"other"' };
    expectError(await http.post(keysOf(domain), { private_key: bindFile }, { headers }), 412);
  });
  expect(await listOf(domain)).toEqual([]);
});

test("rule 68: another provider's keys are published beside the own one", async () => {
  const domain = await createSigned();
  const [own] = await listOf(domain);
  const serial = await dns.serial(domain);
  const [ksk, zsk] = [newDnskey(257), newDnskey(256)];
  const reply = await http.post(keysOf(domain), { dnskey: ksk }, { headers: { 'x-change-note': 'moving' } });
  const foreign = keyOf(reply);
  expect(Object.keys(foreign)).toEqual(members);
  expect(foreign).toMatchObject({ flags: 257, origin: 'foreign', dnskey: ksk });
  expect(reply.headers['zone-serial']).toBe(String(serial + 1));
  const signing = keyOf(await http.post(keysOf(domain), { dnskey: zsk }));
  expect(signing).toMatchObject({ flags: 256, ds: null });
  expect(await listOf(domain)).toEqual([own, foreign, signing]);
  expect(await dns.look(domain, 'DNSKEY')).toHaveLength(3);
  expect(await dns.look(domain, 'CDS')).toHaveLength(2);
  expect(await dns.look(domain, 'CDNSKEY')).toHaveLength(2);
  // Only the own key signs.
  expect((await dns.ask(domain, 'DNSKEY', { dnssec: true })).answers).toHaveLength(4);
  const { ds, keys } = await statusOf(domain);
  expect(ds.wanted).toEqual([own.ds, foreign.ds].sort());
  expect(keys.map(({ state, role, origin }) => [state, role, origin])).toEqual([
    ['active', 'csk', 'made'],
    ['active', 'ksk', 'foreign'],
    ['active', 'zsk', 'foreign'],
  ]);
  const { changes } = bulkBody(await http.get(`/v2/domains/${domain}/changes`)) as unknown as {
    readonly changes: readonly object[];
  };
  expect(changes[1]).toMatchObject({ action: 'domain_update', note: 'moving' });
  await expectUnchanged(service, domain, async () => {
    expect(keyOf(await http.post(keysOf(domain), { dnskey: ksk }), 200)).toEqual(foreign);
  });
});

test("rule 68: another provider's key must fit the domain", async () => {
  const unsigned = await createDomain(service);
  expectError(await http.post(keysOf(unsigned), { dnskey: newDnskey() }), 409, /is not signed/);
  const domain = await createSigned();
  const [own] = await listOf(domain);
  await expectUnchanged(service, domain, async () => {
    for (const dnskey of [
      '',
      '257 3 13',
      `385 3 13 ${PUBLIC}`,
      `257 3 8 ${PUBLIC}`,
      `257 3 13 ${PUBLIC.slice(4)}`,
    ]) {
      expectError(await http.post(keysOf(domain), { dnskey }), 400);
    }
    const ed25519 = `257 3 15 ${Buffer.alloc(32, 7).toString('base64')}`;
    expectError(await http.post(keysOf(domain), { dnskey: ed25519 }), 409, /sign with the same one/);
    expectError(await http.post(keysOf(domain), { dnskey: own.dnskey }), 409, /has a key with the tag/);
    expectError(await http.post(keysOf(domain), {}), 400, /^Send either/);
  });
  for (let count = 0; count < 4; count++) keyOf(await http.post(keysOf(domain), { dnskey: newDnskey() }));
  expectError(await http.post(keysOf(domain), { dnskey: newDnskey() }), 409, /cannot have more/);
});

test("rule 65: beside another provider's keys, the own key is exchanged, and its algorithm is not", async () => {
  const domain = await createSigned();
  keyOf(await http.post(keysOf(domain), { dnskey: newDnskey() }));
  const rollovers = `/v2/domains/${domain}/dnssec/rollovers`;
  expectError(await http.post(rollovers, { algorithm: 15 }), 409, /has to sign with the same algorithm/);
  const begun = await http.post(rollovers, {});
  expect(begun.status, begun.text).toBe(201);
  const { rollover } = JSON.parse(begun.text) as { readonly rollover: RolloverJson };
  expect(rollover).toMatchObject({ kind: 'shared', step: 'published', date_next: null });
  expect(await dns.look(domain, 'DNSKEY')).toHaveLength(3);
  // The service asks nobody here, and so it does not know what the other provider publishes.
  const status = await statusOf(domain);
  expect(status.rollover).toEqual(rollover);
  expect(status.next_step).toMatch(/those of the other providers included, publish both .* It is not known/);
  expectError(await http.post(keysOf(domain), { dnskey: newDnskey() }), 409, /is being exchanged/);
  expect((await http.delete(`${rollovers}/${rollover.id}`)).status).toBe(204);
  expect(await dns.look(domain, 'DNSKEY')).toHaveLength(2);
});

test("rule 69: another provider's key is removed, and the own one is not", async () => {
  const domain = await createSigned();
  const [own] = await listOf(domain);
  const { id } = keyOf(await http.post(keysOf(domain), { dnskey: newDnskey() }));
  const serial = await dns.serial(domain);
  await expectUnchanged(service, domain, async () => {
    const refused = await http.delete(`${keysOf(domain)}/${own.id}`);
    expectError(refused, 409, /is signed with this key/);
    expect((await http.delete(`${keysOf(domain)}/${id}?dry_run=true`)).status).toBe(200);
  });
  const reply = await http.delete(`${keysOf(domain)}/${id}`);
  expect([reply.status, reply.headers['zone-serial']], reply.text).toEqual([204, String(serial + 1)]);
  expect(await listOf(domain)).toEqual([own]);
  expect(await dns.look(domain, 'DNSKEY')).toHaveLength(1);
  const again = await http.delete(`${keysOf(domain)}/${id}`);
  expectError(again, 404, /^Invalid key/);
  expect(again.json.code).toBe('unknown_key');
});

test('rule 69: a key is not removed while a domain of the account delegates to it', async () => {
  const parent = await createDomain(service);
  const domain = `sub.${parent}`;
  expect((await http.post('/v2/domains', { domain, ...enabled })).status).toBe(201);
  const { id, ds } = keyOf(await http.post(keysOf(domain), { dnskey: newDnskey() }));
  const records = `/v2/domains/${parent}/records`;
  await http.post(records, { type: 'NS', name: 'sub', data: 'ns1.example.net', ttl: 60 });
  const added = await http.post(records, { type: 'DS', name: 'sub', data: ds, ttl: 60 });
  const refused = await http.delete(`${keysOf(domain)}/${id}`);
  expectError(refused, 409, /has its DS record/);
  expect(refused.json.code).toBe('dnssec_conflict');
  expect((await http.delete(`${records}/${added.json.record!.id}`)).status).toBe(204);
  expect((await http.delete(`${keysOf(domain)}/${id}`)).status).toBe(204);
});

test('rule 72: a provider leaves, whichever it is', async () => {
  const domain = await createSigned();
  const [own] = await listOf(domain);
  const foreign = keyOf(await http.post(keysOf(domain), { dnskey: newDnskey() }));
  const zsk = keyOf(await http.post(keysOf(domain), { dnskey: newDnskey(256) }));
  expect([own, foreign, zsk].map(({ announced }) => announced)).toEqual([true, true, false]);
  const announce = (id: string, announced: unknown) => http.patch(`${keysOf(domain)}/${id}`, { announced });
  for (const [{ id, ds: gone }, { ds: left }] of [
    [foreign, own],
    [own, foreign],
  ]) {
    const serial = await dns.serial(domain);
    const reply = await announce(id, false);
    expect([reply.status, reply.headers['zone-serial']], reply.text).toEqual([204, String(serial + 1)]);
    expect(await dns.look(domain, 'CDS')).toHaveLength(1);
    expect(await dns.look(domain, 'DNSKEY')).toHaveLength(3);
    expect((await statusOf(domain)).ds.wanted).toEqual([left]);
    expect((await http.get(`/v2/domains/${domain}/dnssec`)).text).not.toContain(gone);
    expect((await listOf(domain)).find((key) => key.id === id)?.announced).toBe(false);
    await expectUnchanged(service, domain, async () => {
      expect((await announce(id, false)).status).toBe(204);
    });
    expect((await announce(id, true)).status).toBe(204);
  }
  expect(await dns.look(domain, 'CDS')).toHaveLength(2);
});

test('rule 72: one key stays announced, and none with the flags 256 is', async () => {
  const domain = await createSigned();
  const [own] = await listOf(domain);
  const zsk = keyOf(await http.post(keysOf(domain), { dnskey: newDnskey(256) }));
  const foreign = keyOf(await http.post(keysOf(domain), { dnskey: newDnskey() }));
  expect((await http.patch(`${keysOf(domain)}/${own.id}`, { announced: false })).status).toBe(204);
  expect((await statusOf(domain)).state).toBe('moving_away');
  await expectUnchanged(service, domain, async () => {
    const announce = (id: string, announced: unknown) => http.patch(`${keysOf(domain)}/${id}`, { announced });
    expectError(await announce(foreign.id, false), 409, /is the only announced one/);
    expectError(await http.delete(`${keysOf(domain)}/${foreign.id}`), 409, /is the only announced one/);
    expectError(await announce(zsk.id, true), 409, /has the flags 256/);
    expectError(await announce(freshDomainName(), false), 404, /^Invalid key/);
    expectError(await announce(own.id, 'yes'), 400, /announced must be a boolean/);
    expectError(await announce(own.id, undefined), 400, /announced is required/);
    const path = `/v2/domains/${domain}/dnssec/rollovers`;
    expectError(await http.post(path, {}), 409);
    const off = await http.patch(`/v2/domains/${domain}`, { dns_sec: 'disabled' });
    expectError(off, 409, /has keys of another provider/);
    expect(off.json.code).toBe('dnssec_conflict');
  });
});

test('rules 67 to 69: other accounts and domains that are not signed have no keys', async () => {
  const domain = await createSigned();
  const [{ id }] = await listOf(domain);
  const other = await createAccount(service);
  expectError(await other.http.get(keysOf(domain)), 404);
  expectError(await other.http.post(keysOf(domain), { private_key: bindFile }), 404);
  expectError(await other.http.delete(`${keysOf(domain)}/${id}`), 404);
  const unsigned = await createDomain(service);
  expect(await listOf(unsigned)).toEqual([]);
  expectError(await http.delete(`${keysOf(unsigned)}/${id}`), 404, /^Invalid key/);
});
