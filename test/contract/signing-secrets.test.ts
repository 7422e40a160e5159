import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { createDomain, createRecord, expectError, freshDomainName, postRecord } from '../harness/fixtures.ts';
import { makeDataFolder, startService, type Service } from '../harness/service.ts';

/* The keys of signed domains are encrypted with a setting, or with a file of the embedded store. */

const FIRST = 'first-secret-for-tests-only-1234567890';
const SECOND = 'second-secret-for-tests-only-123456789';

/** Runs a service on the store of the folder. */
async function withSecret(
  data: string,
  secret: string,
  use: (service: Service) => Promise<void>,
): Promise<void> {
  const service = await startService({ data, settings: { ZONEWRIGHT_DNSSEC_SECRET: secret } });
  try {
    await use(service);
    for (const text of [FIRST, SECOND]) expect(service.output()).not.toContain(text);
  } finally {
    await service.stop();
  }
}

async function sign({ http }: Service, domain: string): Promise<void> {
  const created = await http.post('/v2/domains', { domain, dns_sec: 'enabled' });
  expect(created.status, created.text).toBe(201);
}

async function expectNotOpened(service: Service, domain: string): Promise<void> {
  const { http, dns } = service;
  await expect.poll(() => service.output()).toContain('the keys of signed domains cannot be opened');
  const serial = await dns.serial(domain);
  const refused = await postRecord(service, domain, { name: 'late' });
  expectError(refused, 503);
  expect(JSON.parse(refused.text)).toMatchObject({ code: 'dnssec_unavailable' });
  expect(refused.headers).not.toHaveProperty('retry-after');
  expect(await dns.look(`late.${domain}`, 'A')).toBe('NXDOMAIN');
  expect(await dns.look(domain, 'DNSKEY')).toHaveLength(1);
  expect(await dns.serial(domain)).toBe(serial);
  expect((await http.get(`/v2/domains/${domain}`)).json.domain!.dns_sec).toBe('enabled');
  await createRecord(service, await createDomain(service), {});
}

test('rule 62: a new secret encrypts, and the former one still opens', async () => {
  const data = makeDataFolder();
  const [old, recent] = [freshDomainName(), freshDomainName()];
  await withSecret(data, FIRST, (service) => sign(service, old));
  await withSecret(data, SECOND, (service) => expectNotOpened(service, old));
  await withSecret(data, `${SECOND},${FIRST}`, async (service) => {
    await createRecord(service, old, {});
    await sign(service, recent);
  });
  await withSecret(data, FIRST, (service) => expectNotOpened(service, recent));
  await withSecret(data, SECOND, async (service) => {
    await expectNotOpened(service, old);
    await createRecord(service, recent, {});
    // The way out if a secret is lost.
    expect((await service.http.put(`/v2/domains/${old}?force=true`, { dns_sec: 'disabled' })).status).toBe(
      204,
    );
    expect((await service.http.put(`/v2/domains/${old}`, { dns_sec: 'enabled' })).status).toBe(204);
    await createRecord(service, old, { name: 'again' });
  });
});

const withoutSetting = {
  sqlite: 'rule 62: without the setting, the embedded store keeps a secret in dnssec.key',
  postgres: 'rule 62: without the setting, no domain is signed on PostgreSQL, and all else works',
};

test(withoutSetting[inject('engine')], async () => {
  const data = makeDataFolder();
  const domain = freshDomainName();
  const file = join(data, 'dnssec.key');
  if (inject('engine') === 'postgres') {
    await withSecret(data, '', async (service) => {
      const { http } = service;
      const unsigned = await createDomain(service);
      for (const refused of [
        await http.post('/v2/domains', { domain, dns_sec: 'enabled' }),
        await http.put(`/v2/domains/${unsigned}`, { dns_sec: 'enabled' }),
      ]) {
        expectError(refused, 503, /operator has to set the secret/);
        expect(JSON.parse(refused.text)).toMatchObject({ code: 'dnssec_unavailable', field: 'dns_sec' });
      }
      expectError(await http.get(`/v2/domains/${domain}`), 404);
      expect((await http.put(`/v2/domains/${unsigned}`, { dns_sec: 'disabled' })).status).toBe(204);
      await createRecord(service, unsigned, {});
    });
    return expect(existsSync(file)).toBe(false);
  }
  await withSecret(data, '', (service) => sign(service, domain));
  const secret = readFileSync(file, 'utf8').trim();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await withSecret(data, '', async (service) => {
    await createRecord(service, domain, {});
    expect(service.output()).not.toContain(secret);
  });
  expect(readFileSync(file, 'utf8').trim()).toBe(secret);
  for (const name of readdirSync(data).filter((entry) => entry !== 'dnssec.key'))
    expect(readFileSync(join(data, name)).includes(secret), name).toBe(false);
});
