import { expect, test } from 'vitest';
import { bulkBody, rowsOf } from '../harness/bulk-replies.ts';
import {
  createDomain,
  createRecord,
  expectError,
  expectUnchanged,
  freshDomainName,
  listOwnRecords,
  postRecord,
} from '../harness/fixtures.ts';
import type { HttpReply } from '../harness/http-client.ts';
import { startForFile } from '../harness/service.ts';

const service = await startForFile();
const { http } = service;

function tagOf(reply: HttpReply): string {
  expect(reply.headers.etag, reply.text).toMatch(/^"[\x21\x23-\x7e]+"$/);
  return reply.headers.etag!;
}

const conditional = (name: string, value: string) => ({ headers: { [name]: value } });

test('rule 42: reads of a domain have the tag of its revision, and are 304 if the tag is known', async () => {
  const domain = await createDomain(service);
  const path = `/v2/domains/${domain}`;
  const record = await createRecord(service, domain, {});
  const tag = tagOf(await http.get(path));
  const paths = [
    '',
    '/soa',
    '/records',
    `/records/${record.id}`,
    '/records/export',
    '/zonefile',
    '/check',
    '/changes',
  ];
  for (const rest of paths) {
    const reply = await http.get(path + rest);
    expect(tagOf(reply), rest).toBe(tag);
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const again = await http.get(path + rest, conditional('if-none-match', known));
      expect([again.status, again.text, again.headers.etag], `${rest} ${known}`).toEqual([304, '', tag]);
      expect(again.headers).not.toHaveProperty('content-type');
    }
    for (const other of ['"other"', tag.slice(1, -1), `${tag} x`, '']) {
      const whole = await http.get(path + rest, conditional('if-none-match', other));
      expect([whole.status, whole.text], `${rest} ${other}`).toEqual([200, reply.text]);
    }
  }
  const changed = tagOf(await http.patch(`${path}/records/${record.id}`, { ttl: 60 }));
  expect(changed).not.toBe(tag);
  for (const rest of paths) {
    const reply = await http.get(path + rest, conditional('if-none-match', tag));
    expect([reply.status, reply.headers.etag], rest).toEqual([200, changed]);
  }
});

test('rule 42: each page of a list has its own tag', async () => {
  const domain = await createDomain(service);
  const path = `/v2/domains/${domain}/records`;
  const queries = [
    '',
    '?per_page=1',
    '?per_page=2',
    '?type=NS',
    '?per_page=1&type=NS',
    '?per_page=2&type=NS',
  ];
  const tags = await Promise.all(queries.map(async (query) => tagOf(await http.get(path + query))));
  expect(new Set(tags).size).toBe(queries.length);
  const reply = await http.get(`${path}?per_page=1`, conditional('if-none-match', tags[1]));
  expect(reply.status).toBe(304);
});

test('rule 43: a write with If-Match is refused unless the domain is in that revision', async () => {
  const domain = await createDomain(service);
  const path = `/v2/domains/${domain}`;
  const record = await createRecord(service, domain, { name: 'one' });
  const old = tagOf(await http.get(path));
  await createRecord(service, domain, { name: 'two' });
  const current = tagOf(await http.get(path));
  const writes = [
    ['POST', `${path}/records`, { type: 'A', name: 'x', data: '192.0.2.1', ttl: 60 }],
    ['PATCH', `${path}/records/${record.id}`, { ttl: 60 }],
    ['DELETE', `${path}/records/${record.id}`, undefined],
    ['PATCH', `${path}/soa`, { email: 'x@example.com' }],
    ['PATCH', `${path}/soa`, {}],
    ['PUT', path, { dns_sec: 'disabled' }],
    ['PUT', `${path}/zonefile`, 'a 60 A 192.0.2.1'],
    ['POST', `${path}/batch`, { delete: [record.id] }],
    ['DELETE', path, undefined],
  ] as const;
  await expectUnchanged(service, domain, async () => {
    for (const [method, url, body] of writes) {
      for (const [value, status] of [
        [old, 412],
        [`W/${current}`, 412],
        ['nothing', 400],
        [`${current} ${old}`, 400],
      ] as const) {
        expectError(await http.request(method, url, body, conditional('if-match', value)), status);
      }
    }
  });
  const page = tagOf(await http.get(`${path}/records?per_page=1`));
  for (const value of [page, '*', `${old}, ${tagOf(await http.get(path))}`]) {
    const reply = await http.patch(`${path}/soa`, {}, conditional('if-match', value));
    expect(reply.status, value).toBe(204);
  }
  const first = await http.patch(
    `${path}/records/${record.id}`,
    { ttl: 61 },
    conditional('if-match', current),
  );
  expect(first.status).toBe(204);
  const next = await http.delete(`${path}/records/${record.id}`, conditional('if-match', tagOf(first)));
  expect(next.status).toBe(204);
});

test('rule 43: of concurrent writes with the same revision, exactly one succeeds', async () => {
  const domain = await createDomain(service);
  const path = `/v2/domains/${domain}`;
  const tag = tagOf(await http.get(path));
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      http.post(
        `${path}/records`,
        { type: 'A', name: `n${at}`, data: '192.0.2.1', ttl: 60 },
        conditional('if-match', tag),
      ),
    ),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(19).fill(412)]);
  expect(await listOwnRecords(service, domain)).toHaveLength(1);
});

test('rule 43: a write with If-None-Match is refused if the domain is in that revision, or exists with *', async () => {
  const domain = await createDomain(service);
  const path = `/v2/domains/${domain}`;
  const tag = tagOf(await http.get(path));
  const page = tagOf(await http.get(`${path}/records?per_page=1`));
  const writes = [
    ['POST', '/v2/domains', { domain }],
    ['PUT', `${path}/zonefile?create=true`, 'a 60 A 192.0.2.1'],
    ['POST', `${path}/batch`, {}],
    ['PATCH', `${path}/soa`, {}],
    ['DELETE', path, undefined],
  ] as const;
  await expectUnchanged(service, domain, async () => {
    for (const [method, url, body] of writes) {
      for (const [value, status] of [
        ['*', 412],
        [tag, 412],
        [`"other", W/${tag}`, 412],
        [page, 412],
        ['nothing', 400],
      ] as const) {
        const reply = await http.request(method, url, body, conditional('if-none-match', value));
        expect(reply.status, `${method} ${url} ${value}`).toBe(status);
      }
    }
  });
  const other = await http.post(`${path}/batch`, {}, conditional('if-none-match', '"other"'));
  expect(other.status).toBe(200);
});

test('rule 43: of concurrent creations with If-None-Match: *, one succeeds', async () => {
  const path = `/v2/domains/${freshDomainName()}/zonefile?create=true`;
  const create = (at: number) => http.put(path, `a${at} 60 A 192.0.2.1`, conditional('if-none-match', '*'));
  const replies = await Promise.all(Array.from({ length: 10 }, (_, at) => create(at)));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(412)]);
});

test('rule 44: a repeat with the same key gets the first answer and does nothing', async () => {
  const domain = await createDomain(service);
  const path = `/v2/domains/${domain}`;
  const body = { create: [{ type: 'A', name: 'x', data: '192.0.2.1', ttl: 60 }] };
  const key = conditional('idempotency-key', `batch of ${domain}`.replaceAll(' ', '-'));
  const first = await http.post(`${path}/batch`, body, key);
  const { changes } = bulkBody(first);
  await http.delete(`${path}/records/${changes.created[0].id}`);
  await expectUnchanged(service, domain, async () => {
    const again = await http.post(`${path}/batch`, body, key);
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers['zone-serial']).toBe(first.headers['zone-serial']);
    const other = await http.post(`${path}/batch`, {}, key);
    expectError(other, 409);
    expect(other.json.code).toBe('idempotency_mismatch');
    expectError(await http.post(`${path}/records`, body.create[0], key), 409);
  });
  const otherKey = conditional('idempotency-key', 'another');
  expect(counted(await http.post(`${path}/batch`, body, otherKey))).toBe(1);
});

function counted(reply: HttpReply): number {
  return bulkBody(reply).changes.created.length;
}

test('rule 44: the repeat of a creation is 201 again, and a refused request can be retried with the same key', async () => {
  const domain = await createDomain(service);
  const path = `/v2/domains/${domain}/records`;
  const key = conditional('idempotency-key', `record-${domain}`);
  const body = { type: 'A', name: 'x', data: '192.0.2.1', ttl: 60 };
  expectError(await http.post(path, { ...body, type: 'CNAME', name: '', data: 'x.example' }, key), 409);
  const first = await http.post(path, body, key);
  const again = await http.post(path, body, key);
  expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
});

test.each(['', ' ', 'a b', 'x'.repeat(256), 'é'])('rule 44: the idempotency key %j is 400', async (value) => {
  const domain = await createDomain(service);
  await expectUnchanged(service, domain, async () => {
    const options = conditional('idempotency-key', Buffer.from(value).toString('latin1'));
    expectError(await http.post(`/v2/domains/${domain}/batch`, {}, options), 400, /Idempotency-Key/);
  });
});

test('rule 45: the history has the note and the client address of each change', async () => {
  const domain = await createDomain(service);
  const note = 'Zürich moves, ticket 4711';
  const options = {
    headers: { 'x-change-note': Buffer.from(note).toString('latin1'), 'x-forwarded-for': '203.0.113.7' },
  };
  // Node sends headers as UTF-8 together with a text body, which would encode the note twice.
  const body = Buffer.from('{"type":"A","name":"x","data":"192.0.2.1","ttl":60}');
  await http.post(`/v2/domains/${domain}/records`, body, options);
  const [change] = rowsOf(await http.get(`/v2/domains/${domain}/changes`), 'changes');
  expect(change).toMatchObject({ note, address: '127.0.0.1', action: 'create' });
  for (const bad of ['x'.repeat(501), 'a\tb']) {
    const refused = await postNoted(domain, bad);
    expectError(refused, 400, /X-Change-Note/);
  }
  expect((await postNoted(domain, 'x'.repeat(500))).status).toBe(201);
  expect((await postRecord(service, domain, { name: 'plain' })).status).toBe(201);
});

function postNoted(domain: string, note: string): Promise<HttpReply> {
  const body = { type: 'A', name: 'noted', data: '192.0.2.1', ttl: 60 };
  return http.post(`/v2/domains/${domain}/records`, body, conditional('x-change-note', note));
}
