import { expect, test } from 'vitest';
import { rowsOf } from '../harness/bulk-replies.ts';
import {
  createAccount,
  createDomain,
  createRecord,
  expectError,
  freshDomainName,
  listRecords,
} from '../harness/fixtures.ts';
import type { HttpReply, RecordBody } from '../harness/http-client.ts';
import { startForFile } from '../harness/service.ts';

const service = await startForFile();
const { http } = service;

function recordsOf(reply: HttpReply): RecordBody[] {
  expect(reply.status, reply.text).toBe(200);
  expect(reply.headers['content-type']).toBe('application/x-ndjson');
  expect(reply.text.endsWith('\n')).toBe(true);
  return reply.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordBody);
}

const byId = (one: RecordBody, other: RecordBody): number => (one.id < other.id ? -1 : 1);

test('rule 38: all records of a domain are exported with their ids, by owner', async () => {
  const domain = await createDomain(service);
  await createRecord(service, domain, { name: 'www' });
  await createRecord(service, domain, { name: 'a', type: 'TXT', data: 'über x' });
  await createRecord(service, domain, { name: '', type: 'MX', data: 'mail', priority: 10 });
  const reply = await http.get(`/v2/domains/${domain}/records/export`);
  const records = recordsOf(reply);
  expect(records.toSorted(byId)).toEqual((await listRecords(service, domain)).toSorted(byId));
  expect(records.map(({ name }) => name).filter((name) => name !== '')).toEqual(['a', 'www']);
  expect(records[0].name).toBe('');
  expect(reply.headers['content-disposition']).toBe(`attachment; filename="${domain}.records.jsonl"`);
});

test.each([2, 2500])('rule 38: the history goes on from an export of %i records', async (count) => {
  const domain = await createDomain(service);
  const lines = Array.from({ length: count }, (_, at) => `n${at} 60 A 192.0.2.1`);
  expect((await http.post(`/v2/domains/${domain}/zonefile`, lines.join('\n'))).status).toBe(200);
  const reply = await http.get(`/v2/domains/${domain}/records/export`);
  const before = recordsOf(reply);
  expect(before.toSorted(byId)).toEqual((await listRecords(service, domain)).toSorted(byId));
  const head = await http.get(`/v2/domains/${domain}`);
  expect([reply.headers.etag, reply.headers['zone-serial']]).toEqual([
    head.headers.etag,
    head.headers['zone-serial'],
  ]);
  const created = await createRecord(service, domain, { name: 'later' });
  const changes = rowsOf(await http.get(`/v2/domains/${domain}/changes`), 'changes');
  const serial = Number(reply.headers['zone-serial']);
  const later = changes.filter((change) => change.serial > serial);
  expect(later.map((change) => change.new)).toEqual([created]);
  const known = { headers: { 'if-none-match': reply.headers.etag! } };
  expect((await http.get(`/v2/domains/${domain}/records/export`, known)).status).toBe(200);
  const after = recordsOf(await http.get(`/v2/domains/${domain}/records/export`));
  expect(after.toSorted(byId)).toEqual([...before, created].toSorted(byId));
});

test('rule 38: an export of records of a domain that is not there, or of another account, is 404', async () => {
  const customer = await createAccount(service);
  const domain = await createDomain(service);
  expectError(await http.get(`/v2/domains/${freshDomainName()}/records/export`), 404);
  expectError(await customer.http.get(`/v2/domains/${domain}/records/export`), 404);
  expectError(await customer.http.get('/v2/domains/not..valid/records/export'), 404);
});

test('rule 59: exports of the records of large domains cost work', async () => {
  const customer = await createAccount(service);
  const domain = await createDomain(customer);
  const lines = Array.from({ length: 2500 }, (_, at) => `n${at} 60 A 192.0.2.1`);
  expect((await customer.http.post(`/v2/domains/${domain}/zonefile`, lines.join('\n'))).status).toBe(200);
  const { json } = await http.put(`/v2/accounts/${customer.id}/limits`, { cost_per_minute: 10 });
  expect(json).toHaveProperty('limits');
  const answers = await Promise.all(
    [1, 2].map(() => customer.http.get(`/v2/domains/${domain}/records/export`)),
  );
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(0);
  for (const reply of refused) {
    expectError(reply, 429);
    expect(reply.json).toMatchObject({ code: 'cost_exceeded' });
  }
});
