import { expect, test } from 'vitest';
import {
  createAccount,
  createDomain,
  createRecord,
  domainState,
  expectError,
  expectUnchanged,
  freshDomainName,
  listDomains,
  listOwnRecords,
  listRecords,
} from '../harness/fixtures.ts';
import { serviceNameservers, startForFile } from '../harness/service.ts';

const service = await startForFile();
const { http, dns } = service;
const LABEL_63 = 'a'.repeat(63);

test('rule 14: a domain has its name, its date without a fraction and with offset +00:00, and dns_sec', async () => {
  const name = freshDomainName();
  const from = Math.floor(Date.now() / 1000) * 1000;
  const { domain } = (await http.post('/v2/domains', { domain: name })).json;
  expect(domain).toEqual({ domain: name, date_created: domain!.date_created, dns_sec: 'disabled' });
  expect(domain!.date_created).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
  expect(Date.parse(domain!.date_created)).toBeGreaterThanOrEqual(from);
  expect(Date.parse(domain!.date_created)).toBeLessThanOrEqual(Date.now());
});

const LONGEST = `${'a'.repeat(61)}.${'b'.repeat(61)}.${'c'.repeat(61)}.${'d'.repeat(59)}.example`;

test.each([
  ['MiXeD-Case.Example', 'mixed-case.example'],
  ['trailing-dot.example.', 'trailing-dot.example'],
  ['UPPER-DOT.EXAMPLE.', 'upper-dot.example'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['BÜCHER-2.example', 'xn--bcher-2-n2a.example'],
  ['straße.example', 'xn--strae-oqa.example'],
  ['日本語.example', 'xn--wgv71a119e.example'],
  ['xn--fiqs8s.example', 'xn--fiqs8s.example'],
  ['123.example', '123.example'],
  ['a--b.example', 'a--b.example'],
  ['_acme-challenge.sub.labels.example', '_acme-challenge.sub.labels.example'],
  ['a_b.sub.labels.example', 'a_b.sub.labels.example'],
  [`${LABEL_63}.example`, `${LABEL_63}.example`],
  [LONGEST, LONGEST],
  ['deep.er.sub.do.main.of.labels.example', 'deep.er.sub.do.main.of.labels.example'],
  ['2.0.192.in-addr.arpa', '2.0.192.in-addr.arpa'],
])('rule 15: %s becomes %s', async (given, expected) => {
  const created = await http.post('/v2/domains', { domain: given });
  expect(created.status, created.text).toBe(201);
  expect(created.json.domain!.domain).toBe(expected);
  expect((await http.get(`/v2/domains/${expected}`)).json.domain!.domain).toBe(expected);
  expect(await dns.look(expected, 'NS')).toEqual(serviceNameservers);
  expect(await dns.serial(expected)).toBeGreaterThanOrEqual(0);
});

test.each([
  ['nothing', ''],
  ['a dot', '.'],
  ['two dots', '..'],
  ['white space', '  '],
  ['an empty label', 'a..example'],
  ['an empty first label', '.a.example'],
  ['two trailing dots', 'a.example..'],
  ['a label of 64', `a${LABEL_63}.example`],
  ['a U-label whose A-label is over 63', `${'ü'.repeat(60)}.example`],
  ['254 characters', `x${LONGEST}`],
  ['far too many characters', `${'a.'.repeat(2000)}example`],
  ['a space inside', 'exa mple.example'],
  ['a tab', 'exa\tmple.example'],
  ['a NUL', 'exa\u0000mple.example'],
  ['an exclamation mark', 'exam!ple.example'],
  ['a slash', 'a/b.example'],
  ['a backslash', 'a\\b.example'],
  ['an escape', 'a\\046b.example'],
  ['an at sign', 'a@b.example'],
  ['a wildcard', '*.wild.example'],
  ['a port', 'port.example:80'],
  ['a URL', 'https://url.example'],
  ['an underscore in the last label', 'sub.under._example'],
  ['an underscore in the last label but one', 'a_b.example'],
  ['an underscore in the last label but one, with more before it', 'www.a_b.example'],
  ['an IPv4 address', '192.0.2.1'],
  ['an IPv4 address with a dot', '192.0.2.1.'],
  ['an IPv6 address', '2001:db8::1'],
  ['an IPv6 address in brackets', '[2001:db8::1]'],
  ['a single label', 'localhost'],
  ['a single label with a dot', 'intranet.'],
  ['a top-level domain', 'com'],
  ['a public suffix', 'co.uk'],
  ['a public suffix in upper case', 'CO.UK.'],
  ['a public suffix under a wildcard rule', 'anything.ck'],
])('rule 15: %s is 400', async (_, name) => {
  expectError(await http.post('/v2/domains', { domain: name }), 400);
  if (!/^[\w.-]+$/.test(name) || /^\.+$/.test(name)) return;
  expectError(await http.get(`/v2/domains/${name}`), [400, 404]);
});

test('rule 15: a missing domain is 400', async () => {
  expectError(await http.post('/v2/domains', {}), 400, 'domain');
  expectError(await http.post('/v2/domains', { ip: '192.0.2.1' }), 400, 'domain');
});

test.each([
  ['192.0.2.1', 'A', '192.0.2.1'],
  ['0.0.0.0', 'A', '0.0.0.0'],
  ['255.255.255.255', 'A', '255.255.255.255'],
  ['2001:db8::1', 'AAAA', '2001:db8::1'],
  ['2001:DB8:0:0::1', 'AAAA', '2001:db8::1'],
  ['::', 'AAAA', '::'],
  ['::ffff:192.0.2.1', 'AAAA', '::ffff:c000:201'],
])('rule 16: ip %s becomes one apex %s record with TTL 300', async (ip, type, served) => {
  const domain = await createDomain(service, freshDomainName(), ip);
  const own = await listOwnRecords(service, domain);
  expect(own).toHaveLength(1);
  expect(own[0]).toMatchObject({ type, name: '', priority: -1, ttl: 300 });
  const { packet } = await dns.ask(domain, type);
  expect(packet.answers).toMatchObject([{ type, ttl: 300, data: served }]);
  expect(await dns.look(`www.${domain}`, type)).toBe('NXDOMAIN');
});

test.each([[undefined], [null], ['']])('rule 16: ip %j means no address', async (ip) => {
  const domain = freshDomainName();
  const created = await http.post('/v2/domains', ip === undefined ? { domain } : { domain, ip });
  expect(created.status, created.text).toBe(201);
  expect(await listOwnRecords(service, domain)).toEqual([]);
  expect(await dns.look(domain, 'A')).toBe('NODATA');
  expect(await dns.look(domain, 'AAAA')).toBe('NODATA');
});

test('rule 16: a new domain has only the apex NS records of the service, which can be changed', async () => {
  const domain = await createDomain(service);
  const records = await listRecords(service, domain);
  expect(records.map(({ type, name }) => [type, name])).toEqual(serviceNameservers.map(() => ['NS', '']));
  expect(records.map(({ data }) => data.replace(/\.$/, '')).sort()).toEqual(serviceNameservers);
  for (const record of records) expect(record.ttl).toBeGreaterThanOrEqual(1);

  const { id } = records[0];
  expect(
    (await http.patch(`/v2/domains/${domain}/records/${id}`, { data: 'ns9.elsewhere.example' })).status,
  ).toBe(204);
  const kept = records[1].data.replace(/\.$/, '');
  expect(await dns.look(domain, 'NS')).toEqual([kept, 'ns9.elsewhere.example'].sort());
  expect((await http.delete(`/v2/domains/${domain}/records/${id}`)).status).toBe(204);
  expect(await dns.look(domain, 'NS')).toEqual([kept]);
});

test.each([
  ['1.2.3'],
  ['1.2.3.4.5'],
  ['256.0.0.1'],
  ['01.02.03.04'],
  ['0x7f.1'],
  ['2130706433'],
  ['192.0.2.0/24'],
  ['192.0.2.1:80'],
  [':::'],
  ['1::2::3'],
  ['2001:db8::12345'],
  ['fe80::1%eth0'],
  ['[::1]'],
  ['localhost'],
  ['example.com'],
  ['-'],
])('rule 16: ip %s is 400 and creates no domain', async (ip) => {
  const domain = freshDomainName();
  expectError(await http.post('/v2/domains', { domain, ip }), 400, /ip|address/i);
  expectError(await http.get(`/v2/domains/${domain}`), 404);
  expect(await dns.look(domain, 'SOA')).toBe('REFUSED');
});

test('rule 17: creating a domain again is 200 with the existing domain, and changes nothing', async () => {
  const name = freshDomainName();
  const created = await http.post('/v2/domains', { domain: name, ip: '2001:db8::7' });
  await createRecord(service, name, { name: '', data: '192.0.2.8' });
  const repeats = [
    { domain: name },
    { domain: name.toUpperCase() },
    { domain: `${name}.` },
    { domain: name, ip: null },
    { domain: name, ip: '' },
    { domain: name, ip: '2001:db8::7' },
    { domain: name, ip: '2001:DB8:0:0:0:0:0:7' },
    { domain: name, ip: '192.0.2.8' },
    { domain: name, dns_sec: 'disabled' },
  ];
  await expectUnchanged(service, name, async () => {
    for (const body of repeats) {
      const repeated = await http.post('/v2/domains', body);
      expect(repeated.status, JSON.stringify(body)).toBe(200);
      expect(repeated.text).toBe(created.text);
    }
  });
});

test('rule 17: creating a domain again with an address that is not bound is 409', async () => {
  const bound = await createDomain(service, freshDomainName(), '192.0.2.1');
  const bare = await createDomain(service);
  await createRecord(service, bare, { name: 'www', data: '192.0.2.2' });
  for (const domain of [bound, bare]) {
    await expectUnchanged(service, domain, async () => {
      expectError(await http.post('/v2/domains', { domain, ip: '192.0.2.2' }), 409);
      expectError(await http.post('/v2/domains', { domain, ip: '2001:db8::1' }), 409);
      expectError(await http.post('/v2/domains', { domain, ip: '192.0.2' }), 400);
    });
  }
});

test('rule 17: a domain that another account holds is 409, with and without an address', async () => {
  const domain = await createDomain(service, freshDomainName(), '192.0.2.1');
  const stranger = await createAccount(service);
  await expectUnchanged(service, domain, async () => {
    for (const body of [
      { domain },
      { domain: `${domain.toUpperCase()}.` },
      { domain, ip: '192.0.2.1' },
      { domain, ip: '192.0.2.9' },
    ]) {
      expectError(await stranger.http.post('/v2/domains', body), 409);
    }
  });
  expect(await listDomains(stranger)).toEqual([]);
});

test('rule 17: concurrent creations create one domain', async () => {
  const domain = freshDomainName();
  const body = { domain, ip: '192.0.2.1' };
  const replies = await Promise.all(Array.from({ length: 24 }, () => http.post('/v2/domains', body)));
  const statuses = replies.map((reply) => reply.status).sort();
  expect(statuses).toEqual([...Array.from({ length: 23 }, () => 200), 201]);
  expect(new Set(replies.map((reply) => reply.text)).size).toBe(1);
  expect(await listRecords(service, domain)).toHaveLength(serviceNameservers.length + 1);
});

test('rule 17: the domain in a path is read as in rule 15', async () => {
  const label = `bücher-${process.pid}`;
  const created = await http.post('/v2/domains', { domain: `${label}.example` });
  const name = created.json.domain!.domain;
  expect(name).toMatch(/^xn--/);
  const spellings = [
    name,
    name.toUpperCase(),
    `${name}.`,
    encodeURIComponent(`${label}.example`),
    encodeURIComponent(`${label.toUpperCase()}.EXAMPLE.`),
  ];
  for (const spelling of spellings) {
    expect((await http.get(`/v2/domains/${spelling}`)).text, spelling).toBe(created.text);
    const repeat = { type: 'A', name: 'www', data: '192.0.2.1', ttl: 300 };
    expect([200, 201]).toContain((await http.post(`/v2/domains/${spelling}/records`, repeat)).status);
  }
  expect(await listOwnRecords(service, name)).toHaveLength(1);
});

test('rule 18: dns_sec is "disabled", absent, or "enabled" for a signed domain', async () => {
  const domain = freshDomainName();
  expect((await http.post('/v2/domains', { domain, dns_sec: 'disabled' })).status).toBe(201);
  await expectUnchanged(service, domain, async () => {
    expect((await http.put(`/v2/domains/${domain}`, { dns_sec: 'disabled' })).status).toBe(204);
    expect((await http.patch(`/v2/domains/${domain}`, { dns_sec: 'disabled' })).status).toBe(204);
    for (const value of ['on', '', 'Disabled ', 'true', true, 1]) {
      expectError(await http.put(`/v2/domains/${domain}`, { dns_sec: value }), 400);
      expectError(await http.patch(`/v2/domains/${domain}`, { dns_sec: value }), 400);
      const fresh = freshDomainName();
      expectError(await http.post('/v2/domains', { domain: fresh, dns_sec: value }), 400);
      expectError(await http.get(`/v2/domains/${fresh}`), 404);
    }
  });
});

test('rule 30: a domain can be read, and is deleted with all its records', async () => {
  const domain = await createDomain(service, freshDomainName(), '192.0.2.1');
  const record = await createRecord(service, domain, { name: 'a.b' });
  expect((await http.get(`/v2/domains/${domain}`)).json.domain!.domain).toBe(domain);
  expect(await dns.look(`a.b.${domain}`, 'A')).toEqual(['192.0.2.1']);

  expect((await http.delete(`/v2/domains/${domain}`)).status).toBe(204);
  expect(await dns.look(`a.b.${domain}`, 'A')).toBe('REFUSED');
  expect(await dns.look(domain, 'SOA', { tcp: true })).toBe('REFUSED');
  expectError(await http.get(`/v2/domains/${domain}`), 404, /^Invalid domain/);
  expectError(await http.get(`/v2/domains/${domain}/records`), 404, /^Invalid domain/);
  expectError(await http.delete(`/v2/domains/${domain}`), 404, /^Invalid domain/);
  expect((await listDomains(service)).map((entry) => entry.domain)).not.toContain(domain);

  await createDomain(service, domain);
  expect(await listOwnRecords(service, domain)).toEqual([]);
  expectError(await http.get(`/v2/domains/${domain}/records/${record.id}`), 404, /^Invalid record/);
  expect(await dns.look(`a.b.${domain}`, 'A')).toBe('NXDOMAIN');
  expect(await dns.look(domain, 'A')).toBe('NODATA');
});

test('rule 31: the SOA names the service and hostmaster until the owner changes it', async () => {
  const domain = await createDomain(service);
  const soa = await http.get(`/v2/domains/${domain}/soa`);
  expect(soa.text).toBe(
    `{"dns_soa":{"nsprimary":"${serviceNameservers[0]}","email":"hostmaster@${domain}"}}`,
  );
  expect(await soaNames(domain)).toEqual([serviceNameservers[0], `hostmaster.${domain}`]);

  const serial = await dns.serial(domain);
  expect((await http.patch(`/v2/domains/${domain}/soa`, { nsprimary: 'ns7.elsewhere.example' })).status).toBe(
    204,
  );
  expect(await soaNames(domain)).toEqual(['ns7.elsewhere.example', `hostmaster.${domain}`]);
  expect((await http.patch(`/v2/domains/${domain}/soa`, { email: 'first.last@mail.example' })).status).toBe(
    204,
  );
  expect(await soaNames(domain)).toEqual(['ns7.elsewhere.example', 'first\\.last.mail.example']);
  const changed = await http.get(`/v2/domains/${domain}/soa`);
  expect(changed.text).toBe(
    '{"dns_soa":{"nsprimary":"ns7.elsewhere.example","email":"first.last@mail.example"}}',
  );
  expect(await dns.serial(domain)).toBe(serial + 2);
});

test('rule 31: a PATCH of the SOA without changes is 204', async () => {
  const domain = await createDomain(service);
  const { nsprimary, email } = (await http.get(`/v2/domains/${domain}/soa`)).json.dns_soa!;
  const before = await domainState(service, domain);
  for (const body of [{}, { nsprimary: null }, { other: 1 }]) {
    expect((await http.patch(`/v2/domains/${domain}/soa`, body)).status).toBe(204);
  }
  expect(await domainState(service, domain)).toEqual(before);
  expect((await http.patch(`/v2/domains/${domain}/soa`, { nsprimary, email })).status).toBe(204);
  expect((await http.get(`/v2/domains/${domain}/soa`)).json.dns_soa).toEqual({ nsprimary, email });
});

test.each([
  ['nsprimary', ['', 'a..b', `${'a'.repeat(64)}.example`, 'x'.repeat(300), 'ns 1.example']],
  [
    'email',
    ['', 'nobody', '@example.com', 'a@', 'a@b..c', `${'a'.repeat(64)}@example.com`, `a@${'b.'.repeat(130)}c`],
  ],
])('rule 31: a malformed %s is 400', async (member, values) => {
  const domain = await createDomain(service);
  await expectUnchanged(service, domain, async () => {
    for (const value of values) {
      expectError(await http.patch(`/v2/domains/${domain}/soa`, { [member]: value }), 400);
      const both = { nsprimary: 'ns.example', email: 'a@b.example', [member]: value };
      expectError(await http.patch(`/v2/domains/${domain}/soa`, both), 400);
    }
  });
});

test('rule 31: if hostmaster@ and the domain do not fit into a name, the SOA has the mailbox of the operator', async () => {
  const longest = `${'h'.repeat(61)}.${'b'.repeat(61)}.${'c'.repeat(61)}.${'d'.repeat(59)}.example`;
  await createDomain(service, longest);
  const { email } = (await http.get(`/v2/domains/${longest}/soa`)).json.dns_soa!;
  expect(email).toMatch(/^[^@\s]+@[^@\s]+$/);
  expect(email).not.toContain(longest);
  const [, rname] = await soaNames(longest);
  expect(rname).not.toContain(longest);
  expect(rname.split('.').length).toBeGreaterThanOrEqual(2);
});

test('rule 32: dnssec is empty while the domain is not signed', async () => {
  const domain = await createDomain(service);
  expect((await http.get(`/v2/domains/${domain}/dnssec`)).text).toBe('{"dns_sec":[]}');
});

test('rule 33: the account has its name, address and the members that clients read', async () => {
  const account = await createAccount(service, 'Ötzi & "Sons"');
  expect((await account.http.get('/v2/account')).text).toBe(
    '{"account":{"name":"Ötzi & \\"Sons\\"","email":"someone@example.com","acls":["dns"],"balance":0,"pending_charges":0,"last_payment_date":"","last_payment_amount":0}}',
  );
  expect(Object.keys((await http.get('/v2/account')).json.account!)).toHaveLength(7);
});

test('rule 34: a domain without apex NS records is served with the configured ones', async () => {
  const domain = await createDomain(service);
  for (const { id } of await listRecords(service, domain)) {
    expect((await http.delete(`/v2/domains/${domain}/records/${id}`)).status).toBe(204);
    expect(await dns.look(domain, 'NS')).not.toBe('NODATA');
  }
  expect(await listRecords(service, domain)).toEqual([]);
  expect(await dns.look(domain, 'NS')).toEqual(serviceNameservers);

  const own = await createRecord(service, domain, { type: 'NS', name: '', data: 'ns.own.example' });
  expect(await dns.look(domain, 'NS')).toEqual(['ns.own.example']);
  expect((await http.delete(`/v2/domains/${domain}/records/${own.id}`)).status).toBe(204);
  expect(await dns.look(domain, 'NS')).toEqual(serviceNameservers);
});

/** Returns MNAME and RNAME of the SOA that DNS serves. */
async function soaNames(domain: string): Promise<string[]> {
  const seen = await dns.look(domain, 'SOA');
  expect(Array.isArray(seen), String(seen)).toBe(true);
  return (seen[0] ?? '').split(' ').slice(0, 2);
}
