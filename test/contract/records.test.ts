import { expect, test } from 'vitest';
import {
  createDomain,
  createRecord,
  expectError,
  expectUnchanged,
  listOwnRecords,
  postRecord,
  readRecord,
} from '../harness/fixtures.ts';
import { startForFile } from '../harness/service.ts';

const service = await startForFile();
const { http, dns } = service;
const withDefaultTtl = await startForFile({ ZONEWRIGHT_DEFAULT_TTL: '120' });

test('rule 19: a record has id, type, name, data, priority and ttl', async () => {
  const domain = await createDomain(service);
  const record = await createRecord(service, domain, { name: 'www' });
  expect(record).toEqual({
    id: record.id,
    type: 'A',
    name: 'www',
    data: '192.0.2.1',
    priority: -1,
    ttl: 300,
  });
  expect(record.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
});

test.each([
  ['a', 'A', '192.0.2.1'],
  ['aaaa', 'AAAA', '2001:db8::1'],
  ['Cname', 'CNAME', 'target.example'],
  ['mx', 'MX', 'mail.example'],
  ['tXt', 'TXT', '"x"'],
  ['sshfp', 'SSHFP', '4 2 123456789abcdef67890123456789abcdef67890123456789abcdef123456789'],
  ['type65280', 'TYPE65280', '\\# 4 0a000001'],
])('rule 20: type %s is accepted and returned as %s', async (given, type, data) => {
  const domain = await createDomain(service);
  expect(await createRecord(service, domain, { type: given, data })).toMatchObject({ type, data });
});

test.each([
  ['SOA', 'ns. host. 1 2 3 4 5'],
  ['soa', 'ns. host. 1 2 3 4 5'],
  ['TYPE6', '\\# 22 00000000000100000002000000030000000400000005'],
  ['RRSIG', 'A 13 2 300 20260101000000 20250101000000 1 example. AAAA'],
  ['TYPE46', '\\# 1 00'],
  ['NSEC', 'a.example. A'],
  ['NSEC3', '1 0 0 - 2vptu5timamqttgl4luu9kg21e0aor3s A'],
  ['NSEC3PARAM', '1 0 0 -'],
  ['DNSKEY', '257 3 13 AAAA'],
  ['TYPE48', '\\# 4 01010d00'],
  ['ANY', 'x'],
  ['TYPE255', '\\# 1 00'],
  ['AXFR', 'x'],
  ['TYPE252', '\\# 1 00'],
  ['IXFR', 'x'],
  ['OPT', 'x'],
  ['TYPE41', '\\# 0'],
  ['TSIG', 'x'],
  ['TYPE250', '\\# 1 00'],
  ['TYPE0', '\\# 1 00'],
  ['TYPE65536', '\\# 1 00'],
  ['TYPE', '\\# 1 00'],
  ['TYPE-1', '\\# 1 00'],
  ['TYPE1x', '\\# 4 c0000201'],
  ['FOO', 'x'],
  ['', 'x'],
  ['A AAAA', '192.0.2.1'],
  ['__proto__', 'x'],
])('rule 20: type %s is 400', async (type, data) => {
  const domain = await createDomain(service);
  await expectUnchanged(service, domain, async () => {
    expectError(await postRecord(service, domain, { type, data }), 400);
  });
});

/** A name as sent (D is the domain), as returned, and the owner that DNS serves. */
const names: [string, string, string][] = [
  ['', '', 'D'],
  ['@', '', 'D'],
  ['D', '', 'D'],
  ['D.', '', 'D'],
  [' D. ', '', 'D'],
  ['www', 'www', 'www.D'],
  ['www.', 'www', 'www.D'],
  ['  www\t', 'www', 'www.D'],
  ['www.D', 'www', 'www.D'],
  ['www.D.', 'www', 'www.D'],
  ['a.b.c', 'a.b.c', 'a.b.c.D'],
  ['a.b.D', 'a.b', 'a.b.D'],
  ['xD', 'xD', 'xD.D'],
  ['xD.', 'xD', 'xD.D'],
  ['CaSe.Kept', 'CaSe.Kept', 'case.kept.D'],
  ['*', '*', 'anything.D'],
  ['*.sub', '*.sub', 'one.two.sub.D'],
  ['*.D', '*', 'anything.D'],
  ['_dmarc', '_dmarc', '_dmarc.D'],
  ['_sip._tcp.D.', '_sip._tcp', '_sip._tcp.D'],
  ['1', '1', '1.D'],
  ['-a-', '-a-', '-a-.D'],
  ['D.D', 'D.D', 'D.D'],
  ['D.D.', 'D.D', 'D.D'],
  ['x.D.D', 'x.D.D', 'x.D.D'],
  ['a.b.', 'a.b', 'a.b.D'],
  ['k'.repeat(63), 'k'.repeat(63), `${'k'.repeat(63)}.D`],
];

test.each(names)('rule 21: the name %j is returned as %j', async (given, returned, owner) => {
  const domain = await createDomain(service);
  const inDomain = (text: string): string => text.replaceAll('D', domain);
  const record = await createRecord(service, domain, { type: 'TXT', name: inDomain(given), data: 'here' });
  expect(record.name).toBe(inDomain(returned));
  expect(await dns.look(inDomain(owner), 'TXT')).toEqual(['here']);
  await expectUnchanged(service, domain, async () => {
    const again = await postRecord(service, domain, record);
    expect(again.status, again.text).toBe(200);
    expect(again.json.record).toEqual(record);
    expect(
      (await http.patch(`/v2/domains/${domain}/records/${record.id}`, { name: record.name })).status,
    ).toBe(204);
    expect(await readRecord(service, domain, record.id)).toEqual(record);
  });
});

test('rule 21: the domain at the end of a name is recognised in any case', async () => {
  const domain = await createDomain(service);
  const rows: [string, string][] = [
    [domain.toUpperCase(), ''],
    [`${domain.toUpperCase()}.`, ''],
    [`www.${domain.toUpperCase()}`, 'www'],
    [`WWW.${domain.toUpperCase()}.`, 'WWW'],
  ];
  for (const [i, [name, expected]] of rows.entries()) {
    expect((await createRecord(service, domain, { name, data: `192.0.2.${i}` })).name).toBe(expected);
  }
});

test.each([
  ['a\\.b', ['a.b']],
  ['a\\.b.c', ['a.b', 'c']],
  ['\\119ww', ['www']],
  ['\\000\\255', ['\x00\xff']],
  ['a\\032b', ['a b']],
  ['\\@', ['@']],
  ['x\\\\y', ['x\\y']],
  ['end\\.', ['end.']],
  ['end\\..', ['end.']],
])('rule 21: escapes in a name are read as in zone files: %s', async (name, labels) => {
  const domain = await createDomain(service);
  const record = await createRecord(service, domain, { name });
  const owner = [...labels, ...domain.split('.')].map((label) => Buffer.from(label, 'latin1'));
  expect(await dns.look(owner, 'A')).toEqual(['192.0.2.1']);
  await expectUnchanged(service, domain, async () => {
    const again = await postRecord(service, domain, { ...record });
    expect(again.status, again.text).toBe(200);
    expect(again.json.record).toEqual(record);
  });
});

test('rule 21: names that differ only in case or escapes are the same name', async () => {
  const domain = await createDomain(service);
  const { id } = await createRecord(service, domain, { name: 'WwW' });
  for (const name of ['www', 'WWW', '\\119ww', 'w\\w\\087', `www.${domain}.`]) {
    const again = await postRecord(service, domain, { name });
    expect([again.status, again.json.record?.id], name).toEqual([200, id]);
    expect(again.json.record!.name).toBe('WwW');
  }
});

test.each([
  ['an empty label', 'a..b'],
  ['an empty first label', '.a'],
  ['two trailing dots', 'a..'],
  ['a label of 64', 'a'.repeat(64)],
  ['an escape of one digit', 'a\\2'],
  ['an escape of two digits', 'a\\25x'],
  ['an escape over 255', 'a\\256'],
  ['a lone backslash at the end', 'a\\'],
  ['more than 255 octets with the domain', 'a.'.repeat(121) + 'a'],
  ['a name far too long', 'abc.'.repeat(500)],
])('rule 21: a name with %s is 400', async (_, name) => {
  const domain = await createDomain(service);
  const { id } = await createRecord(service, domain, {});
  await expectUnchanged(service, domain, async () => {
    expectError(await postRecord(service, domain, { name }), 400);
    expectError(await http.patch(`/v2/domains/${domain}/records/${id}`, { name }), 400);
  });
});

test.each([
  [1, 1],
  [300, 300],
  [2147483647, 2147483647],
  ['1', 1],
  ['86400', 86400],
  ['2147483647', 2147483647],
])('rule 22: ttl %j is read as %j', async (ttl, expected) => {
  const domain = await createDomain(service);
  const record = await createRecord(service, domain, { ttl });
  expect(record.ttl).toBe(expected);
  const { answers } = await dns.ask(`www.${domain}`, 'A');
  expect(answers[0].ttl).toBe(expected);
});

const badTtls = [
  -1,
  2147483648,
  1e12,
  1.5,
  '1.5',
  '-1',
  '',
  ' ',
  'abc',
  '1h',
  '2147483648',
  '1e3',
  true,
  [],
  {},
];

test('rule 22: a ttl that is not an integer from 1 to 2147483647 is 400, and so is a missing ttl', async () => {
  const domain = await createDomain(service);
  const { id } = await createRecord(service, domain, {});
  await expectUnchanged(service, domain, async () => {
    for (const ttl of [...badTtls, 0, '0', null, undefined]) {
      expectError(await postRecord(service, domain, { ttl }), 400, /ttl/i);
      if (ttl === null || ttl === undefined) continue;
      expectError(await http.patch(`/v2/domains/${domain}/records/${id}`, { ttl }), 400, /ttl/i);
    }
  });
});

test('rule 22: with a default TTL, a missing ttl, null and 0 become the default, and other values do not', async () => {
  const domain = await createDomain(withDefaultTtl);
  for (const [i, ttl] of [undefined, null, 0, '0'].entries()) {
    const record = await createRecord(withDefaultTtl, domain, { name: `n${i}`, ttl });
    expect(record.ttl).toBe(120);
  }
  await expectUnchanged(withDefaultTtl, domain, async () => {
    for (const ttl of badTtls) expectError(await postRecord(withDefaultTtl, domain, { name: 'x', ttl }), 400);
  });
  expect((await createRecord(withDefaultTtl, domain, { name: 'given', ttl: 7 })).ttl).toBe(7);
});

test('rule 22: records of one RRset keep their TTLs, and DNS serves the lowest', async () => {
  const domain = await createDomain(service);
  const first = await createRecord(service, domain, { data: '192.0.2.1', ttl: 600 });
  const second = await createRecord(service, domain, { data: '192.0.2.2', ttl: 60 });
  expect((await listOwnRecords(service, domain)).map(({ ttl }) => ttl)).toEqual([600, 60]);
  const ttls = async (): Promise<number[]> =>
    (await dns.ask(`www.${domain}`, 'A')).answers.map(({ ttl }) => ttl);
  expect(await ttls()).toEqual([60, 60]);
  await http.patch(`/v2/domains/${domain}/records/${second.id}`, { ttl: 900 });
  expect(await ttls()).toEqual([600, 600]);
  await http.delete(`/v2/domains/${domain}/records/${first.id}`);
  expect(await ttls()).toEqual([900]);
});

/** Type, data and priority as sent; data and priority as returned; what DNS serves. */
const priorities: [string, string, unknown, string, number, string][] = [
  ['A', '192.0.2.1', undefined, '192.0.2.1', -1, '192.0.2.1'],
  ['A', '192.0.2.1', null, '192.0.2.1', -1, '192.0.2.1'],
  ['A', '192.0.2.1', 0, '192.0.2.1', 0, '192.0.2.1'],
  ['A', '192.0.2.1', -1, '192.0.2.1', -1, '192.0.2.1'],
  ['A', '192.0.2.1', 10, '192.0.2.1', 10, '192.0.2.1'],
  ['A', '192.0.2.1', '10', '192.0.2.1', 10, '192.0.2.1'],
  ['TXT', 'x', 0, '"x"', 0, 'x'],
  ['MX', 'mail.example', undefined, 'mail.example', 0, '0 mail.example'],
  ['MX', 'mail.example', null, 'mail.example', 0, '0 mail.example'],
  ['MX', 'mail.example', -1, 'mail.example', 0, '0 mail.example'],
  ['MX', 'mail.example', '-1', 'mail.example', 0, '0 mail.example'],
  ['MX', 'mail.example', 0, 'mail.example', 0, '0 mail.example'],
  ['MX', 'mail.example', 10, 'mail.example', 10, '10 mail.example'],
  ['MX', 'mail.example', '20', 'mail.example', 20, '20 mail.example'],
  ['MX', 'mail.example.', 65535, 'mail.example.', 65535, '65535 mail.example'],
  ['MX', '10 mail.example', undefined, 'mail.example', 10, '10 mail.example'],
  ['MX', '10 mail.example', null, 'mail.example', 10, '10 mail.example'],
  ['MX', '10  mail.example.', -1, 'mail.example.', 10, '10 mail.example'],
  ['MX', '.', 0, '.', 0, '0 .'],
  ['MX', '0 .', undefined, '.', 0, '0 .'],
  ['SRV', '5 5060 sip.example', undefined, '5 5060 sip.example', 0, '0 5 5060 sip.example'],
  ['SRV', '5 5060 sip.example', 7, '5 5060 sip.example', 7, '7 5 5060 sip.example'],
  ['SRV', '5 5060 sip.example', '7', '5 5060 sip.example', 7, '7 5 5060 sip.example'],
  ['SRV', '0 5 5060 sip.example', undefined, '5 5060 sip.example', 0, '0 5 5060 sip.example'],
  ['SRV', '9 5 5060 sip.example.', null, '5 5060 sip.example.', 9, '9 5 5060 sip.example'],
  ['SRV', '9 5 5060 sip.example.', -1, '5 5060 sip.example.', 9, '9 5 5060 sip.example'],
  ['SRV', '0 0 .', 0, '0 0 .', 0, '0 0 0 .'],
];

test.each(priorities)(
  'rule 23: %s %j with priority %j is returned as %j with %j',
  async (type, data, priority, data2, priority2, served) => {
    const domain = await createDomain(service);
    const record = await createRecord(service, domain, { type, data, priority });
    expect(record).toMatchObject({ data: data2, priority: priority2 });
    expect(await dns.look(`www.${domain}`, type)).toEqual([served]);
    const again = await postRecord(service, domain, record);
    expect([again.status, again.json.record]).toEqual([200, record]);
  },
);

test.each([
  ['MX', 'mail.example', 65536],
  ['MX', 'mail.example', -2],
  ['MX', 'mail.example', '65536'],
  ['MX', 'mail.example', 'ten'],
  ['MX', 'mail.example', 1.5],
  ['MX', 'mail.example', true],
  ['MX', '70000 mail.example', undefined],
  ['MX', '-5 mail.example', undefined],
  ['MX', '10 mail.example', 5],
  ['MX', 'ten mail.example', undefined],
  ['MX', '10 20 mail.example', undefined],
  ['SRV', '5 5060 sip.example', 65536],
  ['SRV', '70000 5 5060 sip.example', undefined],
  ['SRV', '0 5 5060 sip.example', 3],
  ['SRV', '5060 sip.example', undefined],
  ['SRV', '5 65536 sip.example', undefined],
  ['SRV', '5 sip sip.example', undefined],
  ['A', '192.0.2.1', 'x'],
  ['A', '192.0.2.1', 1.5],
  ['A', '192.0.2.1', ''],
])('rule 23: %s %j with priority %j is 400', async (type, data, priority) => {
  const domain = await createDomain(service);
  await expectUnchanged(service, domain, async () => {
    expectError(await postRecord(service, domain, { type, data, priority }), 400);
  });
});

/** Type, data as sent, data as returned, what DNS serves. */
const verbatim: [string, string, string, string][] = [
  ['A', ' 192.0.2.1 ', '192.0.2.1', '192.0.2.1'],
  ['A', '0.0.0.0', '0.0.0.0', '0.0.0.0'],
  ['AAAA', '2001:DB8:0:0::1', '2001:DB8:0:0::1', '2001:db8::1'],
  ['AAAA', '::ffff:192.0.2.1', '::ffff:192.0.2.1', '::ffff:c000:201'],
  ['CNAME', 'Target.Example.COM', 'Target.Example.COM', 'target.example.com'],
  ['CNAME', 'target.example.com.', 'target.example.com.', 'target.example.com'],
  ['CNAME', '  target.example.com\n', 'target.example.com', 'target.example.com'],
  ['CNAME', 'single', 'single', 'single'],
  ['CNAME', 'bücher.example', 'bücher.example', 'xn--bcher-kva.example'],
  ['CNAME', '_under.score.example', '_under.score.example', '_under.score.example'],
  ['NS', 'Ns1.Elsewhere.example.', 'Ns1.Elsewhere.example.', 'ns1.elsewhere.example'],
  ['PTR', 'host.example', 'host.example', 'host.example'],
];

test.each(verbatim)('rule 24: %s data %j is returned as %j', async (type, given, returned, served) => {
  const domain = await createDomain(service);
  const record = await createRecord(service, domain, { type, data: given });
  expect(record.data).toBe(returned);
  const { packet } = await dns.ask(`www.${domain}`, type);
  const found = [...packet.answers, ...packet.authorities].find((answer) => answer.type === type);
  expect(String(found?.data).toLowerCase()).toBe(served);
  const again = await postRecord(service, domain, record);
  expect([again.status, again.json.record]).toEqual([200, record]);
});

test.each([
  [
    'A',
    [
      '',
      ' ',
      '1.2.3',
      '1.2.3.4.5',
      '256.1.1.1',
      '01.2.3.4',
      '::1',
      'example.com',
      '192.0.2.1 192.0.2.2',
      '192.0.2.1/32',
      '@',
    ],
  ],
  ['AAAA', ['', '192.0.2.1', ':::', '1::2::3', '2001:db8', 'fe80::1%eth0', '12345::', '::1.2.3']],
  [
    'CNAME',
    ['', 'a..b', '.a', 'a b', `${'a'.repeat(64)}.example`, 'a.'.repeat(130), 'x'.repeat(300), 'a\\256'],
  ],
  ['NS', ['', 'a..b', 'a b', '192.0.2.1 x']],
  ['MX', ['', 'a..b', 'mail. example']],
  ['CAA', ['', '0 issue', 'issue "x"', '256 issue "x"', '-1 issue "x"', '0 "" "x"']],
  ['SSHFP', ['', '4 2', '4 2 abc', '256 1 ab', '4 2 zz']],
  ['TLSA', ['', '3 1', '3 1 1 xyz']],
  ['TYPE65280', ['', '0a', '\\# 3 0a0b', '\\# 1 0a0b', '\\# x 0a', '\\#', '\\# 65536 00']],
])('rule 24: malformed data of %s is 400', async (type, values) => {
  const domain = await createDomain(service);
  await expectUnchanged(service, domain, async () => {
    for (const data of values) expectError(await postRecord(service, domain, { type, data }), 400);
  });
});

test('part A: type, name, data and ttl are required', async () => {
  const domain = await createDomain(service);
  await expectUnchanged(service, domain, async () => {
    for (const member of ['type', 'name', 'data', 'ttl']) {
      expectError(await postRecord(service, domain, { [member]: undefined }), 400, new RegExp(member, 'i'));
    }
  });
});

test('part A: a deleted record disappears from the list and from DNS', async () => {
  const domain = await createDomain(service);
  const { id } = await createRecord(service, domain, {});
  expect(await dns.look(`www.${domain}`, 'A')).toEqual(['192.0.2.1']);
  expect((await http.delete(`/v2/domains/${domain}/records/${id}`)).status).toBe(204);
  expect(await listOwnRecords(service, domain)).toEqual([]);
  expect(await dns.look(`www.${domain}`, 'A')).toBe('NXDOMAIN');
});
