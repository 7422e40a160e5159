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

/** Records, and other spellings of the same records. */
const repeats: [object, object[]][] = [
  [
    { type: 'A' },
    [
      { type: 'a' },
      { name: 'WWW' },
      { name: 'www.' },
      { ttl: '300' },
      { data: ' 192.0.2.1' },
      { priority: null },
      { priority: -1 },
    ],
  ],
  [{ type: 'AAAA', data: '2001:db8::1' }, [{ data: '2001:DB8:0:0:0:0:0:1' }, { data: '2001:db8::0.0.0.1' }]],
  [{ type: 'CNAME', data: 'target.example' }, [{ data: 'target.example.' }]],
  [
    { type: 'MX', data: 'mail.example', priority: 10 },
    [{ priority: '10' }, { data: '10 mail.example.', priority: undefined }],
  ],
  [
    { type: 'MX', data: 'mail.example', priority: 0 },
    [{ priority: undefined }, { priority: -1 }, { data: '0 mail.example' }],
  ],
  [
    { type: 'SRV', data: '5 5060 sip.example', priority: 1 },
    [{ data: '1 5 5060 sip.example.', priority: undefined }],
  ],
  [{ type: 'TXT', data: 'ab c' }, [{ data: '"ab c"' }, { data: '"ab" " c"' }]],
  [{ type: 'CAA', data: '0 issue "ca.example"' }, [{ data: '0 issue ca.example' }]],
  [{ type: 'TLSA', data: '3 1 0 0a0b' }, [{ data: '3 1 0 0A0B' }]],
  [{ type: 'TYPE65280', data: '\\# 2 0a0b' }, [{ data: '\\# 2 0A0B' }, { type: 'type65280' }]],
];

test.each(repeats)(
  'rule 26: creating %j again is 200 with the existing record, and changes nothing',
  async (first, spellings) => {
    const domain = await createDomain(service);
    const record = await createRecord(service, domain, first);
    await expectUnchanged(service, domain, async () => {
      for (const spelling of [{}, ...spellings]) {
        const again = await postRecord(service, domain, { ...first, ...spelling });
        expect(again.status, `${JSON.stringify(spelling)} ${again.text}`).toBe(200);
        expect(again.json.record).toEqual(record);
      }
    });
  },
);

test.each([
  ['A', '192.0.2.1', undefined],
  ['MX', 'mail.example', 10],
  ['TXT', '"x"', undefined],
])(
  'rule 26: the same %s record with another TTL is 409 and names the existing record',
  async (type, data, priority) => {
    const domain = await createDomain(service);
    const { id } = await createRecord(service, domain, { type, data, priority });
    await expectUnchanged(service, domain, async () => {
      expectError(await postRecord(service, domain, { type, data, priority, ttl: 301 }), 409, id);
    });
  },
);

test('rule 26: records that differ in content are different records', async () => {
  const domain = await createDomain(service);
  const rows = [
    { type: 'A', data: '192.0.2.1' },
    { type: 'A', data: '192.0.2.2' },
    { type: 'TXT', data: 'x' },
    { type: 'TXT', data: 'X' },
    { type: 'TXT', data: '"x "' },
    { type: 'MX', data: 'mail.example', priority: 10 },
    { type: 'MX', data: 'mail.example', priority: 20 },
    { type: 'A', data: '192.0.2.1', name: 'other' },
  ];
  for (const row of rows) await createRecord(service, domain, row);
  expect(await listOwnRecords(service, domain)).toHaveLength(rows.length);
  expect(await dns.look(`www.${domain}`, 'MX')).toEqual(['10 mail.example', '20 mail.example']);
  expect(await dns.look(`www.${domain}`, 'TXT')).toEqual(['X', 'x', 'x ']);
});

test('rule 26: another priority never creates a second copy of the same data', async () => {
  const domain = await createDomain(service);
  await createRecord(service, domain, { priority: 0 });
  await expectUnchanged(service, domain, async () => {
    expect([200, 409]).toContain((await postRecord(service, domain, { priority: 10 })).status);
    expect([200, 409]).toContain((await postRecord(service, domain, {})).status);
  });
});

test('rule 26: concurrent creations of one record create one record', async () => {
  const domain = await createDomain(service);
  const replies = await Promise.all(
    Array.from({ length: 48 }, (_, i) => postRecord(service, domain, { name: i % 2 ? 'www' : 'WWW' })),
  );
  expect(replies.map((reply) => reply.status).sort()).toEqual([
    ...Array.from({ length: 47 }, () => 200),
    201,
  ]);
  expect(new Set(replies.map((reply) => reply.text)).size).toBe(1);
  expect(await listOwnRecords(service, domain)).toHaveLength(1);
  expect(await dns.look(`www.${domain}`, 'A')).toEqual(['192.0.2.1']);
});

test('rule 27: a CNAME beside other data, or other data beside a CNAME, is 409 and names the existing data', async () => {
  const domain = await createDomain(service);
  await createRecord(service, domain, { name: 'data', type: 'TXT', data: 'x' });
  await createRecord(service, domain, { name: 'alias', type: 'CNAME', data: 'target.example' });
  await expectUnchanged(service, domain, async () => {
    expectError(
      await postRecord(service, domain, { name: 'data', type: 'CNAME', data: 'target.example' }),
      409,
      'TXT',
    );
    expectError(
      await postRecord(service, domain, { name: 'DATA', type: 'CNAME', data: 'target.example' }),
      409,
      'TXT',
    );
    expectError(await postRecord(service, domain, { name: 'alias' }), 409, 'CNAME');
    expectError(await postRecord(service, domain, { name: 'Alias', type: 'TXT', data: 'x' }), 409, 'CNAME');
    expectError(
      await postRecord(service, domain, { name: 'alias', type: 'CNAME', data: 'other.example' }),
      409,
      'CNAME',
    );
    expectError(
      await postRecord(service, domain, { name: 'alias', type: 'TYPE65280', data: '\\# 0' }),
      409,
      'CNAME',
    );
    for (const name of ['', '@', domain, `${domain}.`]) {
      expectError(await postRecord(service, domain, { name, type: 'CNAME', data: 'target.example' }), 409);
    }
  });
  expect(await dns.look(`alias.${domain}`, 'CNAME')).toEqual(['target.example']);
});

test('rule 27: a CNAME at the apex is 409 even without NS records there', async () => {
  const domain = await createDomain(service);
  const list = await http.get(`/v2/domains/${domain}/records`);
  for (const { id } of list.json.records!) await http.delete(`/v2/domains/${domain}/records/${id}`);
  await expectUnchanged(service, domain, async () => {
    expectError(await postRecord(service, domain, { name: '', type: 'CNAME', data: 'target.example' }), 409);
  });
});

test('rule 27: a PATCH that would put a CNAME beside other data is 409', async () => {
  const domain = await createDomain(service);
  const data = await createRecord(service, domain, { name: 'data' });
  const alias = await createRecord(service, domain, { name: 'alias', type: 'CNAME', data: 'target.example' });
  const path = `/v2/domains/${domain}/records`;
  await expectUnchanged(service, domain, async () => {
    expectError(await http.patch(`${path}/${alias.id}`, { name: 'data' }), 409, 'A');
    expectError(await http.patch(`${path}/${alias.id}`, { name: '@' }), 409);
    expectError(await http.patch(`${path}/${data.id}`, { name: 'alias' }), 409, 'CNAME');
  });
  expect((await http.patch(`${path}/${alias.id}`, { name: 'free', data: 'other.example' })).status).toBe(204);
  expect(await dns.look(`free.${domain}`, 'CNAME')).toEqual(['other.example']);
  expect(await dns.look(`alias.${domain}`, 'CNAME')).toBe('NXDOMAIN');
});

test('rule 27: after the other data is deleted, a name can have a CNAME, and vice versa', async () => {
  const domain = await createDomain(service);
  const data = await createRecord(service, domain, {});
  await http.delete(`/v2/domains/${domain}/records/${data.id}`);
  const alias = await createRecord(service, domain, { type: 'CNAME', data: 'target.example' });
  expect(await dns.look(`www.${domain}`, 'A')).toEqual(['target.example']);
  await http.delete(`/v2/domains/${domain}/records/${alias.id}`);
  await createRecord(service, domain, {});
  expect(await dns.look(`www.${domain}`, 'A')).toEqual(['192.0.2.1']);
});

test('rule 27: concurrent writes cannot put a CNAME beside other data', async () => {
  const domain = await createDomain(service);
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      postRecord(
        service,
        domain,
        i % 2 ? { type: 'CNAME', data: `t${i}.example` } : { type: 'A', data: `192.0.2.${i}` },
      ),
    ),
  );
  const kinds = new Set(
    replies.filter((reply) => reply.status === 201).map((reply) => reply.json.record!.type),
  );
  expect(kinds.size).toBe(1);
  for (const reply of replies) expect([201, 409]).toContain(reply.status);
});

test.each([
  ['CNAME', `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(62)}`],
  ['MX', `${'a.'.repeat(127)}aa`],
  ['NS', `${'a.'.repeat(127)}aa.`],
])('rule 27: a %s target over 255 octets is 400', async (type, data) => {
  const domain = await createDomain(service);
  await expectUnchanged(service, domain, async () => {
    expectError(await postRecord(service, domain, { type, data }), 400);
  });
});

test('rule 27: a target of exactly 255 octets is served', async () => {
  const domain = await createDomain(service);
  const target = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`;
  await createRecord(service, domain, { type: 'CNAME', data: target });
  expect(await dns.look(`www.${domain}`, 'CNAME')).toEqual([target]);
});

test('rule 28: PATCH takes any subset of name, data, ttl and priority, and DNS follows', async () => {
  const domain = await createDomain(service);
  const record = await createRecord(service, domain, { type: 'MX', data: 'mail.example', priority: 10 });
  const path = `/v2/domains/${domain}/records/${record.id}`;
  const steps: [object, object, string, string][] = [
    [{ ttl: 60 }, { ttl: 60 }, 'www', '10 mail.example'],
    [{ ttl: '61' }, { ttl: 61 }, 'www', '10 mail.example'],
    [{ priority: 20 }, { priority: 20 }, 'www', '20 mail.example'],
    [{ data: 'other.example.' }, { data: 'other.example.' }, 'www', '20 other.example'],
    [{ name: 'Moved' }, { name: 'Moved' }, 'moved', '20 other.example'],
    [
      { type: 'mx', name: 'again', data: 'last.example' },
      { name: 'again', data: 'last.example' },
      'again',
      '20 last.example',
    ],
    [{ name: '' }, { name: '' }, '', '20 last.example'],
  ];
  let expected = record;
  for (const [body, change, owner, served] of steps) {
    const serial = await dns.serial(domain);
    const reply = await http.patch(path, body);
    expect(reply.status, reply.text).toBe(204);
    expected = { ...expected, ...change };
    expect(await readRecord(service, domain, record.id)).toEqual(expected);
    expect(await listOwnRecords(service, domain)).toEqual([expected]);
    expect(await dns.look(owner === '' ? domain : `${owner}.${domain}`, 'MX')).toEqual([served]);
    expect(await dns.serial(domain)).toBe(serial + 1);
  }
  for (const gone of ['www', 'moved', 'again'])
    expect(await dns.look(`${gone}.${domain}`, 'MX')).toBe('NXDOMAIN');
});

test('rule 28: a PATCH with nothing to change is 204 and changes nothing', async () => {
  const domain = await createDomain(service);
  const record = await createRecord(service, domain, {});
  await expectUnchanged(service, domain, async () => {
    for (const body of [{}, { type: 'A' }, { type: 'a' }, { ttl: null }, { unknown: 1 }, { id: 'x' }]) {
      const reply = await http.patch(`/v2/domains/${domain}/records/${record.id}`, body);
      expect(reply.status, reply.text).toBe(204);
    }
  });
});

test('rule 28: a PATCH with bad input is 400 and changes nothing', async () => {
  const domain = await createDomain(service);
  const { id } = await createRecord(service, domain, {});
  await expectUnchanged(service, domain, async () => {
    for (const body of [
      { type: 'AAAA' },
      { type: 'nonsense' },
      { data: 'x' },
      { data: '' },
      { name: 'a..b' },
      { ttl: 0 },
      { ttl: 60, data: 'x' },
      { name: 'new', ttl: -1 },
    ]) {
      expectError(await http.patch(`/v2/domains/${domain}/records/${id}`, body), 400);
    }
  });
});

test('rule 28: a PATCH that would duplicate another record is 409', async () => {
  const domain = await createDomain(service);
  await createRecord(service, domain, { name: 'one', data: '192.0.2.1' });
  const two = await createRecord(service, domain, { name: 'two', data: '192.0.2.2' });
  await createRecord(service, domain, { name: 'two', data: '192.0.2.3', ttl: 60 });
  const path = `/v2/domains/${domain}/records/${two.id}`;
  await expectUnchanged(service, domain, async () => {
    expectError(await http.patch(path, { name: 'ONE', data: '192.0.2.1' }), 409);
    expectError(await http.patch(path, { name: 'one', data: '192.0.2.1', ttl: 60 }), 409);
    expectError(await http.patch(path, { data: '192.0.2.3' }), 409);
  });
});

test('rule 28: GET, PATCH and DELETE of a deleted record are 404', async () => {
  const domain = await createDomain(service);
  const { id } = await createRecord(service, domain, {});
  const path = `/v2/domains/${domain}/records/${id}`;
  expect((await http.get(path)).json.record!.id).toBe(id);
  expect((await http.delete(path)).status).toBe(204);
  await expectUnchanged(service, domain, async () => {
    expectError(await http.delete(path), 404, /^Invalid record/);
    expectError(await http.get(path), 404, /^Invalid record/);
    expectError(await http.patch(path, { ttl: 60 }), 404, /^Invalid record/);
  });
  const again = await createRecord(service, domain, {});
  expect(again.id).not.toBe(id);
});

test('rule 29: creation answers 201 with the new object, and a repeat 200 with the same object', async () => {
  const domain = await createDomain(service);
  const first = await postRecord(service, domain, {});
  const second = await postRecord(service, domain, {});
  expect([first.status, second.status]).toEqual([201, 200]);
  expect(second.text).toBe(first.text);
  expect(Object.keys(first.json)).toEqual(['record']);
});
