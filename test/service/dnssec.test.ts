import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { DnsReply } from '../harness/dns-client.ts';
import { createRecord, freshDomainName } from '../harness/fixtures.ts';
import { findChild } from '../harness/process-family.ts';
import { runProgram, startService, type Service } from '../harness/service.ts';
import { isSigned } from '../harness/verify-signature.ts';

/* A signed domain from the command line to the answer, across a crash, with its keys out of the nameserver's reach. */

const A = 1;
const RRSIG = 46;

const typesOf = ({ answers }: DnsReply): readonly number[] => answers.map(({ type }) => type);
const authority = ({ packet }: DnsReply): readonly string[] => packet.authorities.map(({ type }) => type);

async function keyOf({ http }: Service, domain: string): Promise<string> {
  const [key = ''] = (await http.get(`/v2/domains/${domain}/dnssec`)).json.dns_sec ?? [];
  return key.slice(`${domain} IN DNSKEY `.length);
}

function runCommand({ httpAddress, key }: Service, ...words: readonly string[]) {
  const settings = {
    ZONEWRIGHT_URL: `http://${httpAddress}`,
    ZONEWRIGHT_KEY: key,
    ZONEWRIGHT_RESOLVERS: 'none',
  };
  return runProgram(words, settings);
}

test('a domain is created signed, answers with valid signatures, and does so after a crash', async () => {
  const service = await startService();
  const domain = freshDomainName();
  const created = await runCommand(service, 'domain', 'create', domain, '--dnssec');
  expect(created, created.said).toMatchObject({ code: 0 });
  expect(created.said).toMatch(
    /dnssec: enabled[^]*is signed\. Next step: [^]*DS record \d+ 13 2 [0-9A-F]{64}/,
  );
  await createRecord(service, domain, { name: 'www', data: '192.0.2.1' });
  await createRecord(service, domain, { name: 'www', data: '192.0.2.2' });
  const key = await keyOf(service, domain);
  const www = `www.${domain}`;
  const signed = await service.dns.ask(www, A, { dnssec: true });
  expect(typesOf(signed)).toEqual([A, A, RRSIG]);
  expect(isSigned(signed, www, A, domain, key)).toBe(true);
  expect(typesOf(await service.dns.ask(www, A))).toEqual([A, A]);
  const missing = await service.dns.ask(`no.${domain}`, A, { dnssec: true });
  expect([missing.packet.rcode, new Set(authority(missing))]).toEqual([
    'NXDOMAIN',
    new Set(['SOA', 'RRSIG', 'NSEC']),
  ]);
  expect(authority(await service.dns.ask(`no.${domain}`, A))).toEqual(['SOA']);

  await service.kill();
  const again = await startService({ data: service.data, settings: { ZONEWRIGHT_DNSSEC_DENIAL: 'nsec3' } });
  try {
    const kept = await again.dns.ask(www, A, { dnssec: true });
    expect(kept.answers).toEqual(signed.answers);
    await createRecord(again, domain, { name: 'www', data: '192.0.2.3' });
    const changed = await again.dns.ask(www, A, { dnssec: true });
    expect(isSigned(changed, www, A, domain, key)).toBe(true);
    expect(typesOf(changed)).toEqual([A, A, A, RRSIG]);
    expect(isSigned({ ...changed, answers: [...changed.answers.slice(1)] }, www, A, domain, key)).toBe(false);
    expect(await keyOf(again, domain)).toBe(key);

    const off = await runCommand(again, 'domain', 'dnssec', 'off', domain);
    expect([off.code, off.said]).toEqual([
      0,
      expect.stringMatching(/stays signed until its DS record is gone/),
    ]);
    expect(isSigned(await again.dns.ask(www, A, { dnssec: true }), www, A, domain, key)).toBe(true);
    expect(await runCommand(again, 'domain', 'dnssec', 'off', domain, '--force')).toEqual({
      code: 0,
      said: '',
    });
    expect(typesOf(await again.dns.ask(www, A, { dnssec: true }))).toEqual([A, A, A]);
    expect(await runCommand(again, 'domain', 'dnssec', 'show', domain)).toEqual({ code: 0, said: '' });
  } finally {
    await again.stop();
  }
});

test('a rollover is begun, shown and cancelled from the command line', async () => {
  const service = await startService();
  try {
    const domain = freshDomainName();
    expect((await runCommand(service, 'domain', 'create', domain, '--dnssec')).code).toBe(0);
    const key = await keyOf(service, domain);
    const run = (...words: readonly string[]) => runCommand(service, 'domain', 'dnssec', ...words);
    const rolled = await run('roll', domain, '--algorithm', '15');
    expect(rolled, rolled.said).toMatchObject({ code: 0 });
    expect(rolled.said).toMatch(/kind: algorithm\nstep: signing\n[^]*The key of .* is being exchanged/);
    const shown = await run('status', domain);
    expect(shown.said).toMatch(/state: rolling\nnext step: Nothing has to be done but wait/);
    expect(shown.said).toMatch(/keys: \d+ \(algorithm 13\), \d+ \(algorithm 15, publishing\)/);
    expect(typesOf(await service.dns.ask(domain, 6, { dnssec: true }))).toEqual([6, RRSIG, RRSIG]);
    expect(await run('roll', domain)).toMatchObject({ code: 3 });
    expect(await run('cancel', domain)).toEqual({ code: 0, said: '' });
    expect(await run('cancel', domain)).toMatchObject({ code: 4 });
    expect(typesOf(await service.dns.ask(domain, 6, { dnssec: true }))).toEqual([6, RRSIG]);
    expect(await keyOf(service, domain)).toBe(key);
  } finally {
    await service.stop();
  }
});

test('domains that are signed with NSEC3 deny names with hashes', async () => {
  const service = await startService({ settings: { ZONEWRIGHT_DNSSEC_DENIAL: 'nsec3' } });
  try {
    const domain = freshDomainName();
    const body = { domain, ip: '192.0.2.1', dns_sec: 'enabled' };
    expect((await service.http.post('/v2/domains', body)).status).toBe(201);
    const missing = await service.dns.ask(`no.${domain}`, A, { dnssec: true });
    expect([missing.packet.rcode, new Set(authority(missing))]).toEqual([
      'NXDOMAIN',
      new Set(['SOA', 'RRSIG', 'NSEC3']),
    ]);
  } finally {
    await service.stop();
  }
});

test('the nameserver process never has the secret that opens keys', async () => {
  const secret = 'for-tests-only-for-tests-only-1234';
  const service = await startService({ settings: { ZONEWRIGHT_DNSSEC_SECRET: secret } });
  try {
    const body = { domain: freshDomainName(), dns_sec: 'enabled' };
    expect((await service.http.post('/v2/domains', body)).status).toBe(201);
    const environmentOf = (name: 'http' | 'nameserver'): string =>
      readFileSync(`/proc/${findChild(service.pid, name) ?? 0}/environ`, 'utf8');
    for (const name of ['http', 'nameserver'] as const) {
      expect(environmentOf(name)).toContain('ZONEWRIGHT_DATA');
      expect(environmentOf(name)).not.toContain(secret);
    }
    expect(service.output()).not.toContain(secret);
  } finally {
    await service.stop();
  }
});
