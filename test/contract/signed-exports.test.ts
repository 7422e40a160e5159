import { expect, test } from 'vitest';
import { createDomain, createRecord, expectError, freshDomainName } from '../harness/fixtures.ts';
import { startForFile } from '../harness/service.ts';

// With PostgreSQL, there is no file for it.
const service = await startForFile({ ZONEWRIGHT_DNSSEC_SECRET: 'for-tests-only-for-tests-only-1234' });
const { http, dns } = service;

async function createSigned(): Promise<string> {
  const domain = freshDomainName();
  expect((await http.post('/v2/domains', { domain, dns_sec: 'enabled' })).status).toBe(201);
  return domain;
}

interface Line {
  readonly owner: string;
  readonly type: string;
  readonly data: string;
}

/** The records of a zone file with one record a line: owner, TTL, class, type and data. */
function linesOf(zoneFile: string): readonly Line[] {
  const lines = zoneFile.split('\n').filter((line) => !/^(;|\$|$)/.test(line));
  return lines.map((line) => {
    const [owner, , , type, ...data] = line.split(/\s+/);
    return { owner, type, data: data.join(' ') };
  });
}

/** The types whose signatures an owner has. */
function signedTypes(lines: readonly Line[], name: string): readonly string[] {
  const signatures = lines.filter(({ owner, type }) => owner === name && type === 'RRSIG');
  return signatures.map(({ data }) => data.split(' ')[0]).sort();
}

test('rule 38: dnssec=true exports the zone as it is served, with everything that signing adds', async () => {
  const domain = await createSigned();
  await createRecord(service, domain, { type: 'A', name: 'www' });
  const path = `/v2/domains/${domain}/zonefile`;
  const plain = await http.get(path);
  const signed = await http.get(`${path}?dnssec=true`);
  expect([signed.status, signed.headers['content-type']]).toEqual([200, 'text/dns; charset=utf-8']);
  expect(signed.headers['content-disposition']).toBe(`attachment; filename="${domain}.zone"`);
  expect(signed.headers['zone-serial']).toBe(String(await dns.serial(domain)));
  expect((await http.get(`${path}?dnssec=false`)).text).toBe(plain.text);
  const lines = linesOf(signed.text);
  expect(lines[0]).toMatchObject({ owner: '@', type: 'SOA' });
  expect(signedTypes(lines, '@')).toEqual(['CDNSKEY', 'CDS', 'DNSKEY', 'NS', 'NSEC', 'SOA']);
  expect(signedTypes(lines, 'www')).toEqual(['A', 'NSEC']);
  const chain = lines.filter(({ type }) => type === 'NSEC').map(({ owner, data }) => [owner, data]);
  expect(chain).toEqual([
    ['@', `www.${domain}. NS SOA RRSIG NSEC DNSKEY CDS CDNSKEY`],
    ['www', `${domain}. A RRSIG NSEC`],
  ]);
  expect(lines).toEqual(expect.arrayContaining([...linesOf(plain.text)]));
});

test('rule 38: an export with signatures has the tag of its serial', async () => {
  const domain = await createSigned();
  const path = `/v2/domains/${domain}/zonefile?dnssec=true`;
  const first = await http.get(path);
  const known = { headers: { 'If-None-Match': first.headers.etag! } };
  expect((await http.get(path, known)).status).toBe(304);
  expect((await http.get(path)).text).toBe(first.text);
  await createRecord(service, domain, {});
  expect((await http.get(path, known)).status).toBe(200);
});

test('rule 38: unsigned domains, earlier states and other values have no export with signatures', async () => {
  const unsigned = await createDomain(service);
  const refused = await http.get(`/v2/domains/${unsigned}/zonefile?dnssec=true`);
  expectError(refused, 409, /is not signed/);
  expect(refused.json.code).toBe('dnssec_conflict');
  const path = `/v2/domains/${await createSigned()}/zonefile`;
  const serial = String((await http.get(path)).headers['zone-serial']);
  expectError(await http.get(`${path}?dnssec=true&at=${serial}`), 400, /earlier state/);
  expectError(await http.get(`${path}?dnssec=yes`), 400, /^dnssec /);
  expectError(await http.get(`/v2/domains/${freshDomainName()}/zonefile?dnssec=true`), 404);
});
