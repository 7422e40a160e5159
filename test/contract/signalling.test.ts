import { expect, test } from 'vitest';
import {
  createAccount,
  createDomain,
  listRecords,
  expectError,
  freshDomainName,
} from '../harness/fixtures.ts';
import { serviceNameservers, startForFile } from '../harness/service.ts';

const service = await startForFile({ ZONEWRIGHT_DNSSEC_SECRET: 'for-tests-only-for-tests-only-1234' });
const { http, dns } = service;

const [signalling, otherSignalling] = serviceNameservers.map((host) => `_signal.${host}`);
const enabled = { dns_sec: 'enabled' };
/** A pass of the service that looks after the records begins twice a minute. */
const patience = { timeout: 120_000, interval: 1000 };

async function signalsAbout(domain: string, at = signalling): Promise<readonly string[]> {
  const found = await Promise.all(
    ['CDS', 'CDNSKEY'].map((type) => dns.look(`_dsboot.${domain}.${at}`, type)),
  );
  return found.flat().filter((data) => data !== 'NXDOMAIN');
}

test.each([signalling, `_dsboot.d.example.${otherSignalling}`])(
  'rules 55 and 74: only an administrator creates %s',
  async (domain) => {
    const customer = await createAccount(service);
    const reply = await customer.http.post('/v2/domains?dry_run=true', { domain });
    expectError(reply, 403);
    expect(reply.json).toMatchObject({ code: 'name_reserved' });
  },
);

test('rule 74: the operator vouches for signed domains, as long as they are', async () => {
  const customer = await createAccount(service);
  for (const at of [signalling, otherSignalling]) {
    expect((await http.post('/v2/domains', { domain: at, ...enabled })).status).toBe(201);
  }
  const domain = freshDomainName();
  expect((await customer.http.post('/v2/domains', { domain, ...enabled })).status).toBe(201);
  const unsigned = await createDomain(customer);
  const own = [await dns.look(domain, 'CDS'), await dns.look(domain, 'CDNSKEY')].flat();
  expect(own).toHaveLength(2);
  for (const at of [signalling, otherSignalling]) {
    await expect.poll(() => signalsAbout(domain, at), patience).toEqual(own);
  }
  const { answers } = await dns.ask(`_dsboot.${domain}.${signalling}`, 'CDS', { dnssec: true });
  expect(answers).toHaveLength(2);
  expect(await signalsAbout(unsigned)).toEqual([]);
  const records = (await listRecords(service, signalling)).filter(({ name }) => name === `_dsboot.${domain}`);
  expect(records.map(({ type }) => type).sort()).toEqual(['CDNSKEY', 'CDS']);
  const history = await http.get(`/v2/domains/${signalling}/changes`);
  expect(history.text).toContain('"key":""');
  expect((await http.get('/metrics')).text).toMatch(/^zonewright_bootstrap_domains 3$/m);

  await customer.http.put(`/v2/domains/${domain}`, { dns_sec: 'disabled' });
  for (const at of [signalling, otherSignalling]) {
    await expect.poll(() => signalsAbout(domain, at), patience).toEqual([]);
  }
});
