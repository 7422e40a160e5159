import { expect, test } from 'vitest';
import type { SigningStatusJson } from '../../src/contract/signing-status-shape.ts';
import { bulkBody } from '../harness/bulk-replies.ts';
import {
  createDomain,
  createRecord,
  expectError,
  expectUnchanged,
  freshDomainName,
} from '../harness/fixtures.ts';
import type { HttpReply } from '../harness/http-client.ts';
import { startForFile } from '../harness/service.ts';
import {
  fileText,
  newSignerKey,
  readSignerKey,
  signFile,
  type FileSigning,
} from '../../src/dnssec/sign-file.test-support.ts';
import { newKeyPair } from '../../src/dnssec/key-pair.test-support.ts';

// The service needs no secret for zones that others sign, but for going on to sign them.
const service = await startForFile({ ZONEWRIGHT_DNSSEC_SECRET: 'for-tests-only-for-tests-only-1234' });
const { http, dns } = service;

/** Later than the time, which is the first serial of a domain that is created, and than every other one before. */
let lastSerial = 2_026_112_400;

function nextSerial(): number {
  return ++lastSerial;
}

function put(domain: string, text: string, query = ''): Promise<HttpReply> {
  const headers = { 'content-type': 'text/dns' };
  return http.put(`/v2/domains/${domain}/zonefile?presigned=true${query}`, text, { headers });
}

interface Imported {
  readonly domain: string;
  readonly text: string;
  readonly serial: number;
}

async function importSigned(signing: FileSigning = {}, query = '&create=true'): Promise<Imported> {
  const domain = freshDomainName();
  if (query === '') await createDomain(service, domain);
  const serial = nextSerial();
  const text = signFile(domain, fileText(serial), signing);
  const reply = await put(domain, text, query);
  expect(reply.status, reply.text).toBe(200);
  return { domain, text, serial };
}

async function statusOf(domain: string): Promise<SigningStatusJson> {
  const reply = await http.get(`/v2/domains/${domain}/dnssec/status`);
  return (JSON.parse(reply.text) as { dnssec: SigningStatusJson }).dnssec;
}

/** Some problems of the file are among the first. */
function expectProblems({ status, text }: HttpReply, problem: RegExp): void {
  const { problems } = JSON.parse(text) as { problems: readonly { message: string; line: number }[] };
  expect([status, problems.map(({ message }) => message).join('\n')]).toEqual([
    400,
    expect.stringMatching(problem),
  ]);
  expect(Math.min(...problems.map(({ line }) => line))).toBeGreaterThan(0);
}

/** The records of a zone file, each in one spelling, sorted. */
function recordsOf(text: string, domain: string): string[] {
  const lines = text.split('\n').filter((line) => !/^(;|\$|$)/.test(line));
  return lines
    .map((line) => {
      const [owner, ttl, , ...data] = line.split(/\s+/);
      const name = owner === '@' ? `${domain}.` : owner.endsWith('.') ? owner : `${owner}.${domain}.`;
      return [name, ttl, ...data].join(' ').toLowerCase();
    })
    .sort();
}

test.each(['nsec', 'nsec3'] as const)(
  'rule 70: a signed zone (%s) is served and exported as its file has it',
  async (denial) => {
    for (const query of ['', '&create=true']) {
      const { domain, text, serial } = await importSigned({ denial }, query);
      expect(await dns.serial(domain)).toBe(serial);
      const exported = await http.get(`/v2/domains/${domain}/zonefile?dnssec=true`);
      expect(recordsOf(exported.text, domain)).toEqual(recordsOf(text.replaceAll('\tIN\t', ' IN '), domain));
      expect((await http.get(`/v2/domains/${domain}`)).json.domain).toMatchObject({ dns_sec: 'enabled' });
      const { answers } = await dns.ask(`mail.${domain}`, 'A', { dnssec: true });
      expect(answers.map(({ type }) => type)).toEqual([1, 46]);
      const status = await statusOf(domain);
      expect(status).toMatchObject({ denial, keys: [{ origin: 'file', algorithm: 13, state: 'active' }] });
      expect(status.ds.wanted).toHaveLength(1);
    }
  },
);

test('rule 70: everything that would need other signatures is refused', async () => {
  const { domain } = await importSigned();
  const path = `/v2/domains/${domain}`;
  const { json } = await http.get(`${path}/records`);
  const [record] = json.records ?? [];
  await expectUnchanged(service, domain, async () => {
    const replies = [
      await http.post(`${path}/records`, { type: 'A', name: 'new', data: '192.0.2.1', ttl: 300 }),
      await http.patch(`${path}/records/${record.id}`, { ttl: 61 }),
      await http.delete(`${path}/records/${record.id}`),
      await http.post(`${path}/batch`, { delete: [record.id] }),
      await http.put(`${path}/zonefile`, 'www 300 A 192.0.2.1\n', {
        headers: { 'content-type': 'text/dns' },
      }),
      await http.patch(`${path}/soa`, { email: 'someone@other.example' }),
      await http.patch(`${path}/dnssec`, { denial: 'nsec3' }),
      await http.post(`${path}/dnssec/rollovers`, {}),
      await http.post(`${path}/dnssec/keys`, {
        dnskey: `257 3 15 ${Buffer.alloc(32, 1).toString('base64')}`,
      }),
      await http.patch(path, { dns_sec: 'disabled' }),
    ];
    for (const reply of replies) {
      expectError(reply, 409, /as another signer has signed it/);
      expect(reply.json.code).toBe('presigned_domain');
    }
    expect((await http.patch(path, { dns_sec: 'enabled' })).status).toBe(204);
  });
});

test('rule 70: a newly signed zone needs a later serial', async () => {
  const { domain, text, serial } = await importSigned();
  expectError(await put(domain, text), 409, new RegExp(`The serial of the file is ${serial}`));
  const key = newSignerKey();
  const later = signFile(domain, fileText(nextSerial(), 'www 60 A 192.0.2.9\n'), { key, denial: 'nsec3' });
  const reply = await put(domain, later);
  expect(bulkBody(reply).changes).toMatchObject({ created: [{ name: 'www' }], deleted: [] });
  expect(await dns.serial(domain)).toBe(lastSerial);
  expect((await statusOf(domain)).keys.map(({ tag }) => tag)).toEqual([key.tag]);
  expect((await dns.ask(`www.${domain}`, 'A', { dnssec: true })).answers).toHaveLength(2);
});

test('rule 70: a dry run changes nothing', async () => {
  const { domain } = await importSigned();
  await expectUnchanged(service, domain, async () => {
    const later = signFile(domain, fileText(nextSerial(), 'www 60 A 192.0.2.9\n'));
    const reply = await put(domain, later, '&dry_run=true');
    expect(reply.status, reply.text).toBe(200);
  });
});

test.each<[string, (text: string, domain: string) => string, RegExp]>([
  [
    'no signature',
    (text) => withoutLine(text, /^mail\.\S+ .*RRSIG A /),
    /A records of this name have no signature/,
  ],
  ['no SOA record', (text) => withoutLine(text, / SOA /), /has no SOA record|no such record/],
  [
    'an incomplete chain',
    (text) => withoutLine(text, /^mail\.\S+ .* NSEC /),
    /no such record|no NSEC record at mail/,
  ],
  [
    'a changed record',
    (text) => text.replace('192.0.2.2', '192.0.2.3'),
    /A records of mail\.\S+ have a wrong signature/,
  ],
  ['another TTL', (text) => text.replace(/^(mail\.\S+) 300/m, '$1 301'), /signature is for the TTL 300/],
  [
    'a record below a delegation that is signed',
    (text, domain) => moveSignature(text, domain),
    /or belong to a delegated zone/,
  ],
  ['no keys', (text) => withoutLine(text, / DNSKEY (?!13)/), /no such record|no DNSKEY record/],
])('rule 70: a file with %s is refused as a whole', async (_, change, problem) => {
  const domain = await createDomain(service);
  await expectUnchanged(service, domain, async () => {
    const text = signFile(domain, fileText(nextSerial()));
    const changed = change(text, domain);
    expect(changed).not.toBe(text);
    expectProblems(await put(domain, changed), problem);
  });
});

function withoutLine(text: string, line: RegExp): string {
  return text
    .split('\n')
    .filter((one) => !line.test(one.replaceAll(/\s+/g, ' ')))
    .join('\n');
}

function moveSignature(text: string, domain: string): string {
  const line = text.split('\n').find((one) => /^ns1\.\S+\s.*RRSIG\s+A /.test(one)) ?? '';
  return `${text}\n${line.replace(`ns1.${domain}`, `ns.cut.${domain}`).replace(' A 13 3 ', ' A 13 4 ')}\n`;
}

test('rule 70: signatures that end soon are refused, and told', async () => {
  const domain = await createDomain(service);
  const text = signFile(domain, fileText(nextSerial()), { days: 0.5 });
  expectProblems(await put(domain, text), /valid now and for another day/);
  const { domain: other } = await importSigned({ days: 3 });
  const status = await statusOf(other);
  expect(status.next_step).toMatch(
    /^Import a newly signed zone with "zonewright zonefile import .* --presigned" before /,
  );
  expect(Date.parse(status.earliest_expiry ?? '')).toBeLessThan(Date.now() + 3 * 86_400_000);
});

test('rule 70: salted and opted-out chains are refused with advice', async () => {
  const domain = await createDomain(service);
  const text = signFile(domain, fileText(nextSerial()), { denial: 'nsec3' });
  for (const [from, to] of [
    [/NSEC3PARAM(\s+)1 0 0 -/, 'NSEC3PARAM$11 0 5 C0DE'],
    [/NSEC3(\s+)1 0 0 -/, 'NSEC3$11 1 0 -'],
  ] as const) {
    const changed = text.replace(from, to);
    expect(changed).not.toBe(text);
    expectProblems(await put(domain, changed), /1 0 0 -/);
  }
});

test('rule 70: only PUT takes a signed zone, and only as a file', async () => {
  const domain = await createDomain(service);
  const path = `/v2/domains/${domain}/zonefile?presigned=true`;
  expectError(await http.post(path, ''), 400, /use PUT/);
  expectError(await http.put(path, { records: [] }), 400, /needs a zone file/);
  const signed = freshDomainName();
  await http.post('/v2/domains', { domain: signed, dns_sec: 'enabled' });
  expectError(await put(signed, signFile(signed, fileText(nextSerial()))), 409, /is signed here/);
});

test('rule 71: force makes it an ordinary domain', async () => {
  const { domain, serial } = await importSigned();
  const path = `/v2/domains/${domain}`;
  expect((await http.patch(`${path}?force=true`, { dns_sec: 'disabled' })).status).toBe(204);
  expect((await http.get(path)).json.domain).toMatchObject({ dns_sec: 'disabled' });
  expect(await dns.serial(domain)).toBe(serial + 1);
  expect((await dns.ask(`mail.${domain}`, 'A', { dnssec: true })).answers).toHaveLength(1);
  expect((await dns.ask(domain, 'DNSKEY')).answers).toHaveLength(0);
  const added = { type: 'A', name: 'new', data: '192.0.2.1', ttl: 300 };
  expect((await http.post(`${path}/records`, added)).status).toBe(201);
  expect((await statusOf(domain)).keys).toEqual([]);
});

test('rule 71: it is the same after it was deleted and restored', async () => {
  const { domain, text, serial } = await importSigned();
  const path = `/v2/domains/${domain}`;
  expect((await http.delete(path)).status).toBe(204);
  const restored = await http.post(`${path}/restore`, {});
  expect(restored.status, restored.text).toBeLessThan(300);
  expect(await dns.serial(domain)).toBe(serial);
  const exported = await http.get(`${path}/zonefile?dnssec=true`);
  expect(recordsOf(exported.text, domain)).toEqual(recordsOf(text.replaceAll('\tIN\t', ' IN '), domain));
});

test.each(['ec', 'rsa'] as const)(
  'rule 71: with its private key (%s), it is signed here from then on',
  async (kind) => {
    const { privateKey } =
      kind === 'ec' ? newKeyPair('ec', { namedCurve: 'P-256' }) : newKeyPair('rsa', { modulusLength: 2048 });
    const pem = String(privateKey.export({ format: 'pem', type: 'pkcs8' }));
    const key = readSignerKey(pem);
    const { domain, serial } = await importSigned({ key });
    const path = `/v2/domains/${domain}/dnssec/keys`;
    const { ds } = await statusOf(domain);
    const other = newKeyPair('ed25519', {}).privateKey.export({ format: 'pem', type: 'pkcs8' });
    await expectUnchanged(service, domain, async () => {
      expectError(await http.post(path, { private_key: other }), 409, /none with which the DNSKEY records/);
    });
    const reply = await http.post(path, { private_key: pem });
    expect(reply.status, reply.text).toBe(201);
    expect(JSON.parse(reply.text)).toMatchObject({ key: { tag: key.tag, origin: 'imported' } });
    const status = await statusOf(domain);
    expect(status.ds.wanted).toEqual(ds.wanted);
    expect(status.keys).toMatchObject([{ tag: key.tag, origin: 'imported', role: 'csk' }]);
    expect(await dns.serial(domain)).toBe(serial + 1);
    await createRecord(service, domain, { type: 'A', name: 'later' });
    expect((await dns.ask(`later.${domain}`, 'A', { dnssec: true })).answers).toHaveLength(2);
  },
);
