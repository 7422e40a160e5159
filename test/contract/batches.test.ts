import { expect, test } from 'vitest';
import { bulkBody, counts, problemsOf } from '../harness/bulk-replies.ts';
import {
  createDomain,
  createRecord,
  expectError,
  expectUnchanged,
  freshDomainName,
  listOwnRecords,
} from '../harness/fixtures.ts';
import { startForFile } from '../harness/service.ts';

const service = await startForFile();
const { http, dns } = service;

const a = { type: 'A', name: 'www', data: '192.0.2.1', ttl: 300 };

test('rule 40: a batch deletes, updates and creates, in this order, in one step of the serial', async () => {
  const domain = await createDomain(service);
  const alias = await createRecord(service, domain, { type: 'CNAME', name: 'www', data: 'old.example' });
  const kept = await createRecord(service, domain, { name: 'kept' });
  const serial = await dns.serial(domain);
  const reply = await http.post(`/v2/domains/${domain}/batch`, {
    delete: [alias.id],
    update: [{ id: kept.id, ttl: '60', name: 'moved' }],
    create: [a, { ...a, name: 'kept', data: '192.0.2.9' }, { ...a, name: 'moved', ttl: 60 }],
  });
  const { changes } = bulkBody(reply);
  expect(counts(changes)).toBe('2 created, 1 updated, 1 deleted, 1 unchanged');
  expect(changes.updated).toEqual([{ before: kept, after: { ...kept, name: 'moved', ttl: 60 } }]);
  expect(changes.deleted).toEqual([alias]);
  expect(reply.headers['zone-serial']).toBe(String(serial + 1));
  expect(await dns.serial(domain)).toBe(serial + 1);
  expect(await dns.look(`www.${domain}`, 'A')).toEqual(['192.0.2.1']);
});

test('rule 40: a batch succeeds or fails as a whole, and reports every problem with list, index and field', async () => {
  const domain = await createDomain(service);
  const record = await createRecord(service, domain, { name: 'alias', type: 'CNAME', data: 'x.example' });
  const path = `/v2/domains/${domain}/batch`;
  await expectUnchanged(service, domain, async () => {
    const malformed = await http.post(path, {
      delete: [record.id, 7],
      update: [{ ttl: 1 }, { id: record.id, ttl: true }],
      create: [
        a,
        { ...a, data: 'x' },
        null,
        { ttl: 0 },
        { ...a, type: 'MX', name: 'a..b', ttl: 0, priority: -7 },
      ],
    });
    expect(problemsOf(malformed).map(({ list, index, field }) => [list, index, field])).toEqual([
      ['delete', 1, undefined],
      ['update', 0, 'id'],
      ['update', 1, 'ttl'],
      ['create', 1, 'data'],
      ['create', 2, undefined],
      ['create', 3, 'type'],
      ['create', 3, 'name'],
      ['create', 3, 'data'],
      ['create', 4, 'name'],
      ['create', 4, 'ttl'],
      ['create', 4, 'priority'],
    ]);
    expect(problemsOf(malformed)[4].message).toBe('A record must be a JSON object');
    const conflicting = await http.post(path, {
      delete: ['none'],
      update: [{ id: record.id, data: '', ttl: -1, name: 'a..b' }],
      create: [a, { ...a, name: 'alias' }, { ...a, ttl: 60 }],
    });
    const problems = problemsOf(conflicting, 404);
    expect(problems.map(({ list, index, code }) => [list, index, code])).toEqual([
      ['delete', 0, 'unknown_record'],
      ['update', 0, 'invalid_request'],
      ['update', 0, 'invalid_request'],
      ['update', 0, 'invalid_request'],
      ['create', 1, 'record_conflict'],
      ['create', 2, 'record_exists'],
    ]);
  });
});

test('rule 40: a batch of 10,000 changes is accepted, and a larger one is refused', async () => {
  const domain = await createDomain(service);
  const create = Array.from({ length: 10_001 }, (_, at) => ({
    ...a,
    name: `n${at}`,
    data: `10.0.${at >> 8}.${at & 255}`,
  }));
  const path = `/v2/domains/${domain}/batch`;
  expectError(await http.post(path, { create }), 400, /10000/);
  create.pop();
  expect(counts(bulkBody(await http.post(path, { create })).changes)).toMatch(/^10000 created/);
  await expectUnchanged(service, domain, async () => {
    expect(counts(bulkBody(await http.post(path, { create })).changes)).toMatch(/ 10000 unchanged$/);
    expect(counts(bulkBody(await http.post(path, {})).changes)).toMatch(/ 0 unchanged$/);
  });
});

test.each(['[]', '{"create":{}}', '{"delete":"x"}', ''])('rule 40: the batch %j is 400', async (body) => {
  const domain = await createDomain(service);
  expectError(await http.post(`/v2/domains/${domain}/batch`, body), 400);
});

test('rule 41: a dry run of any write reports what would change, and changes nothing', async () => {
  const domain = await createDomain(service);
  const path = `/v2/domains/${domain}`;
  const record = await createRecord(service, domain, { name: 'www' });
  await createRecord(service, domain, { name: 'alias', type: 'CNAME', data: `www.${domain}` });
  await expectUnchanged(service, domain, async () => {
    for (const [method, url, body, expected] of [
      ['POST', `${path}/records`, { ...a, name: 'new' }, '1 created, 0 updated, 0 deleted, 0 unchanged'],
      ['POST', `${path}/records`, a, '0 created, 0 updated, 0 deleted, 1 unchanged'],
      ['PATCH', `${path}/records/${record.id}`, { ttl: 60 }, '0 created, 1 updated, 0 deleted, 0 unchanged'],
      ['DELETE', `${path}/records/${record.id}`, undefined, '0 created, 0 updated, 1 deleted, 0 unchanged'],
      ['POST', `${path}/batch`, { delete: [record.id] }, '0 created, 0 updated, 1 deleted, 0 unchanged'],
      ['PUT', `${path}/zonefile`, 'www 300 A 192.0.2.1', '0 created, 0 updated, 1 deleted, 1 unchanged'],
      ['PATCH', `${path}/soa`, { email: 'x@example.com' }, '0 created, 0 updated, 0 deleted, 0 unchanged'],
      ['PUT', path, { dns_sec: 'disabled' }, '0 created, 0 updated, 0 deleted, 1 unchanged'],
      ['DELETE', path, undefined, '0 created, 0 updated, 4 deleted, 0 unchanged'],
    ] as const) {
      const reply = await http.request(method, `${url}?dry_run=true`, body);
      const { dry_run: dryRun, changes, warnings } = bulkBody(reply);
      expect([dryRun, counts(changes)], `${method} ${url}`).toEqual([true, expected]);
      expect(reply.headers, `${method} ${url}`).not.toHaveProperty('zone-serial');
      expect(warnings).toBeInstanceOf(Array);
    }
  });
});

test('rule 41: a dry run warns if the change breaks other records', async () => {
  const domain = await createDomain(service);
  const record = await createRecord(service, domain, { name: 'www' });
  await createRecord(service, domain, { name: 'alias', type: 'CNAME', data: `www.${domain}` });
  const path = `/v2/domains/${domain}/records/${record.id}`;
  const { warnings } = bulkBody(await http.delete(`${path}?dry_run=true`));
  expect(warnings).toMatchObject([{ code: 'target_missing', name: 'alias' }]);
  expect(bulkBody(await http.patch(`${path}?dry_run=true`, { ttl: 61 })).warnings).toEqual([]);
});

test('rule 41: a dry run of a creation shows the domain and does not create it', async () => {
  const domain = freshDomainName();
  const reply = await http.post('/v2/domains?dry_run=true', { domain, ip: '192.0.2.1' });
  expect(counts(bulkBody(reply).changes)).toBe('3 created, 0 updated, 0 deleted, 0 unchanged');
  expectError(await http.get(`/v2/domains/${domain}`), 404);
});

test('rule 41: a dry run of a refused write is refused, and so is a malformed dry_run', async () => {
  const domain = await createDomain(service);
  await expectUnchanged(service, domain, async () => {
    const records = `/v2/domains/${domain}/records`;
    expectError(await http.post(`${records}?dry_run=true`, { ...a, data: 'x' }), 400, /address/);
    expectError(await http.post(`${records}?dry_run=1`, a), 400, /dry_run/);
  });
  expect(await listOwnRecords(service, domain)).toEqual([]);
});
