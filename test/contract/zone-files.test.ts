import { expect, test } from 'vitest';
import { bulkBody, counts, problemsOf, rowsOf } from '../harness/bulk-replies.ts';
import {
  createAccount,
  createDomain,
  createRecord,
  expectError,
  expectUnchanged,
  listOwnRecords,
} from '../harness/fixtures.ts';
import { startForFile, serviceNameservers } from '../harness/service.ts';

const service = await startForFile();
const { http, dns } = service;

const OLD_PROVIDER = `$TTL 1h
@ 2h IN SOA ns.old.example. hostmaster.old.example. ( 2026112001 4h 1h 2w 1h )
   IN NS ns.old.example.
   IN MX 10 mail ; the mail server
mail A 192.0.2.25
www 300 IN CNAME mail
_dmarc TXT "v=DMARC1; " "p=none"
@ DNSKEY 257 3 13 mdsswUyr3DPW132mOi8V9xESWE8jTo0dxCjjnopKl+GqJxpVXckHAeF+KkxLbxILfDLUT0rAK9iUzy1L53eKGQ==
`;

test('rule 39: a zone file of another provider is imported, and skipped records are reported', async () => {
  const domain = await createDomain(service);
  const path = `/v2/domains/${domain}/zonefile`;
  await createRecord(service, domain, { name: 'old' });
  const before = await dns.serial(domain);
  const reply = await http.put(path, OLD_PROVIDER);
  const { changes, set_aside: setAside, warnings } = bulkBody(reply);
  const members = ['changes', 'set_aside', 'adjusted', 'warnings'];
  expect(Object.keys(JSON.parse(reply.text) as object)).toEqual(members);
  expect(counts(changes)).toBe('4 created, 0 updated, 1 deleted, 0 unchanged');
  expect(setAside!.map(({ line }) => line)).toEqual([2, 3, 8]);
  expect(setAside![1].record).toBe(`${domain}. 3600 IN NS ns.old.example.`);
  expect(warnings!.map(({ code, name }) => [code, name])).not.toContainEqual(['target_missing', 'www']);
  expect(await dns.look(`_dmarc.${domain}`, 'TXT')).toEqual(['v=DMARC1; p=none']);
  expect(await dns.look(`old.${domain}`, 'A')).toBe('NXDOMAIN');
  expect(await dns.serial(domain)).toBe(before + 1);
  expect(reply.headers['zone-serial']).toBe(String(before + 1));
  await expectUnchanged(service, domain, async () => {
    expect(counts(bulkBody(await http.put(path, OLD_PROVIDER)).changes)).toBe(
      '0 created, 0 updated, 0 deleted, 4 unchanged',
    );
  });
});

test('rule 39: POST adds records and deletes nothing; an existing record keeps its id when its TTL changes', async () => {
  const domain = await createDomain(service);
  const path = `/v2/domains/${domain}/zonefile`;
  const record = await createRecord(service, domain, { name: 'WWW' });
  const reply = await http.post(path, 'www 600 A 192.0.2.1\nnew 600 A 192.0.2.2\n');
  const { changes } = bulkBody(reply);
  expect(counts(changes)).toBe('1 created, 1 updated, 0 deleted, 0 unchanged');
  expect(changes.updated).toEqual([{ before: record, after: { ...record, ttl: 600 } }]);
  expect(reply.headers.etag).toBe((await http.get(`/v2/domains/${domain}`)).headers.etag);
});

test('rule 39: create=true creates a missing domain with everything that was sent, or not at all', async () => {
  const domain = `create-${Date.now()}.example.org`;
  const path = `/v2/domains/${domain}/zonefile`;
  expectError(await http.put(path, OLD_PROVIDER), 404);
  expectError(await http.put(`${path}?create=yes`, OLD_PROVIDER), 400);
  expect((await http.post(`${path}?create=true`, 'a 60 CNAME b\na 60 A 192.0.2.1')).status).toBe(409);
  const plan = bulkBody(await http.put(`${path}?create=true&dry_run=true`, OLD_PROVIDER));
  expect((await http.get(`/v2/domains/${domain}`)).status).toBe(404);
  const reply = await http.put(`${path}?create=true`, OLD_PROVIDER);
  const { changes, set_aside: setAside, warnings } = bulkBody(reply);
  expect(counts(changes)).toBe('4 created, 0 updated, 0 deleted, 0 unchanged');
  expect([counts(plan.changes), plan.set_aside]).toEqual([counts(changes), setAside]);
  expect(plan.warnings!.map(({ code, name }) => [code, name])).toEqual(
    warnings!.map(({ code, name }) => [code, name]),
  );
  expect(await dns.look(`www.${domain}`, 'A')).toEqual(expect.arrayContaining(['192.0.2.25']));
  expect(reply.headers['zone-serial']).toBe(String(await dns.serial(domain)));
  const listed = await listOwnRecords(service, domain);
  expect(listed).toHaveLength(4);
  await expectUnchanged(service, domain, async () => {
    const again = bulkBody(await http.put(`${path}?create=true`, OLD_PROVIDER));
    expect(counts(again.changes)).toBe('0 created, 0 updated, 0 deleted, 4 unchanged');
  });
});

test('rule 39: records of a zone file that are stored otherwise are reported', async () => {
  const domain = await createDomain(service);
  const path = `/v2/domains/${domain}/zonefile`;
  const file = 'WWW 300 A 192.0.2.1\nwww 300 A 192.0.2.1\nwww 300 A 192.0.2.1\n';
  const adjusted = [
    { code: 'duplicate', count: 2, examples: [{ line: 2 }, { line: 3 }] },
    { code: 'owner_case', count: 1, examples: [{ line: 1, record: `WWW.${domain}. 300 IN A 192.0.2.1` }] },
  ];
  expect((await http.put(`${path}?dry_run=true`, file)).json).toMatchObject({ adjusted });
  expect((await http.put(path, file)).json).toMatchObject({ adjusted });
});

test('rule 39: records of a list that are stored otherwise are reported', async () => {
  const domain = await createDomain(service);
  const path = `/v2/domains/${domain}/zonefile`;
  const records = [
    { type: 'A', name: 'WWW', data: '192.0.2.1', ttl: 300 },
    { type: 'A', name: 'www.', data: '192.0.2.1', ttl: 300 },
    { type: 'MX', name: '', data: 'mail', ttl: 300 },
    { type: 'TXT', name: 'a', data: '"x" "y"', ttl: 300 },
    { type: 'TXT', name: 'b', data: 'x'.repeat(256), ttl: 300 },
  ];
  const seen = { type: 'A', name: 'plain', data: '192.0.2.1', ttl: 300 };
  const found = [
    ['default_priority', 1, [2], '@ 300 IN MX mail'],
    ['duplicate', 1, [1], 'www 300 IN A 192.0.2.1'],
    ['owner_case', 1, [0], 'WWW 300 IN A 192.0.2.1'],
    ['final_dot', 1, [1], 'www. 300 IN A 192.0.2.1'],
    ['text_joined', 1, [3], 'a 300 IN TXT "x" "y"'],
    ['text_cut', 1, [4], `b 300 IN TXT ${'x'.repeat(256)}`],
  ];
  for (const query of ['?dry_run=true', '']) {
    const reply = bulkBody(await http.put(path + query, { records: [...records, seen] }));
    expect(
      reply.adjusted?.map(({ code, count, examples }) => [
        code,
        count,
        examples.map(({ index }) => index),
        examples[0].record,
      ]),
    ).toEqual(found);
  }
});

test('rule 39: an existing record that keeps its spelling is reported', async () => {
  const domain = await createDomain(service);
  const path = `/v2/domains/${domain}/zonefile`;
  await http.put(path, 'www 300 A 192.0.2.1\n@ 300 MX 5 mail.example.\nx 300 AAAA 2001:db8::1\n');
  const spelled = async (body: unknown): Promise<unknown> => {
    const { adjusted = [], changes } = bulkBody(await http.post(path, body));
    expect(counts(changes)).toMatch(/^0 created, 0 updated, 0 deleted/);
    const kind = adjusted.find(({ code }) => code === 'existing_spelling');
    return kind?.examples.map(({ line, index, record }) => [line ?? index, record]);
  };
  expect(await spelled('Www 300 A 192.0.2.1\n@ 300 MX 5 Mail.example.\nX 300 AAAA 2001:DB8::1\n')).toEqual([
    [1, `Www.${domain}. 300 IN A 192.0.2.1`],
    [2, `${domain}. 300 IN MX 5 Mail.example.`],
    [3, `X.${domain}. 300 IN AAAA 2001:db8::1`],
  ]);
  expect(await spelled('x 300 AAAA 2001:DB8:0::1\n')).toBeUndefined();
  const record = { type: 'AAAA', name: 'x', data: '2001:DB8::1', ttl: 300 };
  expect(await spelled({ records: [record] })).toEqual([[0, 'x 300 IN AAAA 2001:DB8::1']]);
  expect(await spelled({ records: [{ ...record, data: '2001:db8::1' }] })).toBeUndefined();
  // An export has lower-case owners.
  await http.put(path, 'WWW 300 A 192.0.2.1\n@ 300 MX 5 Mail.example.\nmünchen 300 CNAME ö.example.\n');
  const exported = (await http.get(path)).text;
  expect(bulkBody(await http.put(path, exported)).adjusted).toEqual([]);
});

test('rule 39: an update shows the character-strings if only they change', async () => {
  const domain = await createDomain(service);
  const path = `/v2/domains/${domain}/zonefile`;
  await http.post(path, 'p 300 TXT "txtvers=1" "rp=a"\nq 300 TXT ab\n');
  const { changes } = bulkBody(await http.post(path, 'p 300 TXT "txtvers=1rp=a"\nq 60 TXT ab\n'));
  expect(changes.updated.map((change) => change.strings)).toEqual([
    { before: '"txtvers=1" "rp=a"', after: '"txtvers=1rp=a"' },
    undefined,
  ]);
  const history = rowsOf(await http.get(`/v2/domains/${domain}/changes`), 'changes');
  expect(history.filter(({ action }) => action === 'update').map(({ strings }) => strings)).toEqual(
    expect.arrayContaining([{ before: '"txtvers=1" "rp=a"', after: '"txtvers=1rp=a"' }, undefined]),
  );
});

test('rule 39: a TTL of 0 in a zone file is stored, served and exported as 0', async () => {
  const domain = await createDomain(service);
  const path = `/v2/domains/${domain}/zonefile`;
  const file = '$TTL 0\nzero A 192.0.2.1\nmixed 300 A 192.0.2.1\nmixed A 192.0.2.2\n';
  bulkBody(await http.post(path, file));
  expect((await listOwnRecords(service, domain)).map(({ ttl }) => ttl)).toEqual([0, 300, 0]);
  for (const name of ['zero', 'mixed']) {
    const { packet } = await dns.ask(`${name}.${domain}`, 'A');
    expect(packet.answers.map(({ ttl }) => ttl)).toEqual(packet.answers.map(() => 0));
  }
  expect((await http.get(path)).text).toMatch(/^zero +0 +IN A /m);
  await expectUnchanged(service, domain, async () => {
    expect(counts(bulkBody(await http.put(path, file)).changes)).toMatch(/ 3 unchanged$/);
  });
});

test('rule 39: a body that begins with a brace is JSON, whatever its Content-Type', async () => {
  const domain = await createDomain(service);
  const path = `/v2/domains/${domain}/zonefile`;
  const records = [{ type: 'A', name: 'json', data: '192.0.2.1', ttl: 300 }];
  const options = { headers: { 'content-type': 'text/dns' } };
  const body = ` \n${JSON.stringify({ records })}`;
  expect(counts(bulkBody(await http.put(path, body, options)).changes)).toMatch(/^1 created/);
  const master = await http.put(path, 'file 300 A 192.0.2.1', {
    headers: { 'content-type': 'application/json' },
  });
  expect(counts(bulkBody(master).changes)).toBe('1 created, 0 updated, 1 deleted, 0 unchanged');
  expect(await http.put(path, { records })).toHaveProperty('status', 200);
});

test('rule 39: all problems are reported at once, and nothing is changed', async () => {
  const domain = await createDomain(service);
  const path = `/v2/domains/${domain}/zonefile`;
  await createRecord(service, domain, { name: 'alias', type: 'CNAME', data: 'x.example' });
  await expectUnchanged(service, domain, async () => {
    const file = await http.put(path, 'a 300 A 192.0.2.256\n$INCLUDE x\nb 300 A 192.0.2.1\n   300 Q x\n');
    expect(problemsOf(file).map(({ line, column }) => [line, column])).toEqual([
      [1, 9],
      [2, 1],
      [4, 8],
    ]);
    const json = await http.post(path, {
      records: [{ type: 'A' }, 7, { type: 'A', name: 'a', data: 'x', ttl: 1 }],
    });
    expect(problemsOf(json).map(({ index, field }) => [index, field])).toEqual([
      [0, 'name'],
      [0, 'data'],
      [1, undefined],
      [2, 'data'],
    ]);
    const placed = await http.post(path, 'b 300 A 192.0.2.1\nalias 300 A 192.0.2.1\n');
    expect(problemsOf(placed, 409)).toMatchObject([{ line: 2, column: 1, code: 'record_conflict' }]);
  });
});

test.each([
  ['nothing', '', 400],
  ['half a character', Buffer.of(0x61, 0xc3), 400],
  ['JSON that breaks off', '{"records":[', 400],
  ['JSON without records', '{}', 400],
  ['more than 64 MiB', Buffer.alloc(64 * 1_048_576 + 1, ';'), 413],
])('rule 39: importing %s is refused', async (_, body, status) => {
  const domain = await createDomain(service);
  await expectUnchanged(service, domain, async () => {
    expectError(await http.put(`/v2/domains/${domain}/zonefile`, body), status);
  });
});

test('rule 39: only the owner can replace a domain, with a key that can write', async () => {
  const domain = await createDomain(service);
  const stranger = await createAccount(service);
  const { json } = await http.post('/v2/keys', { scope: 'read' });
  const path = `/v2/domains/${domain}/zonefile`;
  await expectUnchanged(service, domain, async () => {
    expectError(await stranger.http.put(path, 'a 300 A 192.0.2.1'), 404);
    expectError(await stranger.http.get(path), 404);
    expectError(await http.withKey(json.key!.key).put(path, 'a 300 A 192.0.2.1'), 403);
  });
  expect(await http.withKey(json.key!.key).get(path)).toHaveProperty('status', 200);
});

test('rule 38: an export is a zone file, and importing it again changes nothing', async () => {
  const domain = await createDomain(service);
  const path = `/v2/domains/${domain}/zonefile`;
  for (const members of [
    { name: 'Mixed.Case', data: '192.0.2.7' },
    { name: '*.wild', type: 'TXT', data: `"semi;colon \\"quoted\\" \\ ${'é'.repeat(300)}"` },
    { name: '', type: 'MX', data: 'mail.example.net', priority: 5 },
    { name: '_sip._tcp', type: 'SRV', data: '5 5060 sip.example.net', priority: 0 },
    { name: 'x', type: 'TYPE65280', data: '\\# 3 010203' },
    { name: '', type: 'CAA', data: '0 issue "ca.example.net"' },
  ]) {
    await createRecord(service, domain, members);
  }
  const reply = await http.get(path);
  expect(reply.status).toBe(200);
  expect(reply.headers['content-type']).toBe('text/dns; charset=utf-8');
  expect(reply.headers['content-disposition']).toBe(`attachment; filename="${domain}.zone"`);
  const serial = await dns.serial(domain);
  expect(reply.headers['zone-serial']).toBe(String(serial));
  const lines = reply.text.split('\n');
  expect(lines.at(0)).toBe(`; ${domain}, serial ${serial}`);
  const soa = lines.find((line) => line.includes(' SOA '));
  expect(soa).toContain(`${serviceNameservers[0]}. hostmaster.${domain}. ${serial} `);
  expect(lines.filter((line) => / NS /.test(line))).toHaveLength(serviceNameservers.length);
  await expectUnchanged(service, domain, async () => {
    for (const method of ['PUT', 'POST']) {
      const { changes } = bulkBody(await http.request(method, path, reply.text));
      expect(counts(changes)).toBe('0 created, 0 updated, 0 deleted, 8 unchanged');
      expect(changes).not.toHaveProperty('soa');
    }
  });
  expect((await http.get(path)).text).toBe(reply.text);
});

test('rules 38 and 39: a zone of 20,000 records is imported and exported completely', async () => {
  const [domain, copy] = [await createDomain(service), await createDomain(service)];
  let file = '$TTL 300\n';
  for (let at = 0; at < 20_000; at++) file += `host${at} A 10.0.${at >> 8}.${at & 255}\n`;
  const put = await http.put(`/v2/domains/${domain}/zonefile`, file, { timeoutMs: 60_000 });
  expect(counts(bulkBody(put).changes)).toMatch(/^20000 created/);
  const exported = await http.get(`/v2/domains/${domain}/zonefile`, { timeoutMs: 60_000 });
  const moved = exported.text.replaceAll(domain, copy);
  const again = await http.put(`/v2/domains/${copy}/zonefile`, moved, { timeoutMs: 60_000 });
  expect(counts(bulkBody(again).changes)).toMatch(/^20000 created, 0 updated, 0 deleted/);
  expect(await dns.look(`host19999.${copy}`, 'A')).toEqual(['10.0.78.31']);
});

test('rule 52: a check reports likely mistakes with their record', async () => {
  const domain = await createDomain(service);
  const record = await createRecord(service, domain, {
    name: 'www',
    type: 'CNAME',
    data: `gone.${domain}`,
  });
  const reply = await http.get(`/v2/domains/${domain}/check`);
  const [warning, ...others] = rowsOf(reply, 'warnings');
  expect(others).toEqual([]);
  expect(Object.keys(warning)).toEqual(['code', 'severity', 'name', 'type', 'record', 'message']);
  expect(warning).toMatchObject({ code: 'target_missing', name: 'www', type: 'CNAME', record: record.id });
  await http.delete(`/v2/domains/${domain}/records/${record.id}`);
  expect(rowsOf(await http.get(`/v2/domains/${domain}/check`), 'warnings')).toEqual([]);
  expect(await listOwnRecords(service, domain)).toEqual([]);
});
