import { expect, test } from 'vitest';
import type { SigningStatusJson } from '../../src/contract/signing-status-shape.ts';
import { expectError, freshDomainName, postRecord } from '../harness/fixtures.ts';
import { startForFile } from '../harness/service.ts';

const service = await startForFile({ ZONEWRIGHT_DNSSEC_SECRET: 'for-tests-only-for-tests-only-1234' });
const { http, dns } = service;

const A = 1;

/** More than are signed with the answer of the request. */
const NAMES = 5200;

/** Slices are taken about ten times in a second. */
const SLICES = { timeout: 150_000, interval: 100 };

async function createLarge(): Promise<string> {
  const domain = freshDomainName();
  expect((await http.post('/v2/domains', { domain })).status).toBe(201);
  const lines = Array.from({ length: NAMES }, (_, at) => `host${at} 300 IN A 192.0.2.1`);
  const imported = await http.post(`/v2/domains/${domain}/zonefile`, lines.join('\n'));
  expect(imported.status, imported.text).toBe(200);
  return domain;
}

async function statusOf(domain: string): Promise<SigningStatusJson> {
  const reply = await http.get(`/v2/domains/${domain}/dnssec/status`);
  expect(reply.status, reply.text).toBe(200);
  return (JSON.parse(reply.text) as { dnssec: SigningStatusJson }).dnssec;
}

test('rules 61 to 65: a large domain is signed after the answer, and changed meanwhile', async () => {
  const domain = await createLarge();
  const enabled = await http.patch(`/v2/domains/${domain}`, { dns_sec: 'enabled' });
  expect(enabled.status, enabled.text).toBe(204);
  expect((await http.get(`/v2/domains/${domain}`)).json.domain).toMatchObject({ dns_sec: 'enabled' });
  const status = await statusOf(domain);
  expect(status).toMatchObject({ state: 'signing', denial: null, keys: [], ds: { wanted: [] } });
  expect(status.progress?.total).toBeGreaterThan(NAMES);
  expectError(await http.post(`/v2/domains/${domain}/dnssec/rollovers`, {}), 409, 'still being made');
  expect((await postRecord(service, domain, { name: 'aaa', data: '192.0.2.2' })).status).toBe(201);

  await expect.poll(async () => (await statusOf(domain)).progress, SLICES).toBe(null);
  const signed = await statusOf(domain);
  expect(signed).toMatchObject({ state: 'signed', denial: 'nsec', ds: { wanted: [expect.any(String)] } });
  for (const name of ['aaa', 'host0', `host${NAMES - 1}`]) {
    const { answers } = await dns.ask(`${name}.${domain}`, A, { dnssec: true });
    expect(answers.map(({ type }) => type)).toEqual([A, 46]);
  }

  expect((await http.patch(`/v2/domains/${domain}/dnssec`, { denial: 'nsec3' })).status).toBe(204);
  expect(await statusOf(domain)).toMatchObject({ state: 'signed', denial: 'nsec' });
  await expect.poll(async () => (await statusOf(domain)).progress, SLICES).toBe(null);
  expect(await statusOf(domain)).toMatchObject({ denial: 'nsec3' });

  expect((await http.patch(`/v2/domains/${domain}?force=true`, { dns_sec: 'disabled' })).status).toBe(204);
  expect(await statusOf(domain)).toMatchObject({ state: 'unsigned', ds: { wanted: [] } });
  const { answers } = await dns.ask(`host0.${domain}`, A, { dnssec: true });
  expect(answers.map(({ type }) => type)).toEqual([A]);
  expectError(await http.patch(`/v2/domains/${domain}`, { dns_sec: 'enabled' }), 409, 'still being removed');
  await expect.poll(async () => (await statusOf(domain)).progress, SLICES).toBe(null);
});

test('rule 63: a large domain that is being signed can be switched off without force', async () => {
  const domain = await createLarge();
  expect((await http.patch(`/v2/domains/${domain}`, { dns_sec: 'enabled' })).status).toBe(204);
  expect((await http.patch(`/v2/domains/${domain}`, { dns_sec: 'disabled' })).status).toBe(204);
  expect((await http.get(`/v2/domains/${domain}`)).json.domain).toMatchObject({ dns_sec: 'disabled' });
  await expect.poll(async () => (await statusOf(domain)).progress, SLICES).toBe(null);
  expect(await statusOf(domain)).toMatchObject({ state: 'unsigned' });
});
