import { expect, test } from 'vitest';
import { bulkBody, counts, rowsOf, type HistoryChange } from '../harness/bulk-replies.ts';
import {
  createAccount,
  createDomain,
  createRecord,
  expectError,
  expectUnchanged,
  listRecords,
} from '../harness/fixtures.ts';
import { startForFile } from '../harness/service.ts';

const service = await startForFile();
const { http, dns } = service;

async function changesOf(domain: string, query = ''): Promise<readonly HistoryChange[]> {
  return rowsOf(await http.get(`/v2/domains/${domain}/changes${query}`), 'changes');
}

test('rule 46: every change is listed with its old and new state, newest first', async () => {
  const domain = await createDomain(service);
  const path = `/v2/domains/${domain}`;
  const record = await createRecord(service, domain, {});
  await http.patch(`${path}/records/${record.id}`, { ttl: 60 });
  await http.patch(`${path}/soa`, { email: 'x@example.com' });
  await http.delete(`${path}/records/${record.id}`);
  const serial = await dns.serial(domain);
  const changes = await changesOf(domain);
  const after = { ...record, ttl: 60 };
  expect(Object.keys(changes[0])).toEqual([
    'serial',
    'date',
    'key',
    'address',
    'note',
    'action',
    'old',
    'new',
    'soa',
  ]);
  const email = {
    before: { nsprimary: null, email: null },
    after: { nsprimary: null, email: 'x@example.com' },
  };
  expect(
    changes.slice(0, 4).map(({ serial: at, action, old, new: now, soa }) => [at, action, old, now, soa]),
  ).toEqual([
    [serial, 'delete', after, null, null],
    [serial - 1, 'domain_update', null, null, email],
    [serial - 2, 'update', record, after, null],
    [serial - 3, 'create', null, record, null],
  ]);
  expect(changes.at(-1)).toMatchObject({ action: 'domain_create', old: null, new: null });
  expect(changes[0].date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
});

test('rule 46: the history says to which serial it reaches back', async () => {
  const domain = await createDomain(service);
  const first = await dns.serial(domain);
  await createRecord(service, domain, {});
  const reply = await http.get(`/v2/domains/${domain}/changes?per_page=1`);
  expect(reply.headers['history-start']).toBe(String(first));
});

test('rule 46: the history is paged, and other accounts cannot see it', async () => {
  const domain = await createDomain(service);
  for (let at = 0; at < 5; at++) await createRecord(service, domain, { name: `n${at}` });
  const whole = await changesOf(domain);
  const paged: HistoryChange[] = [];
  let cursor = '';
  do {
    const reply = await http.get(`/v2/domains/${domain}/changes?per_page=2&cursor=${cursor}`);
    paged.push(...rowsOf(reply, 'changes'));
    expect(reply.json.meta!.total).toBe(whole.length);
    cursor = reply.json.meta!.links.next;
  } while (cursor !== '');
  expect(paged).toEqual(whole);
  const stranger = await createAccount(service);
  expectError(await stranger.http.get(`/v2/domains/${domain}/changes`), 404);
});

test('rule 46: the history is filtered by who and when', async () => {
  const domain = await createDomain(service);
  const record = await createRecord(service, domain, { name: 'www' });
  const made = (await http.post('/v2/keys', { scope: 'full' })).json.key!;
  await http.withKey(made.key).patch(`/v2/domains/${domain}/records/${record.id}`, { ttl: 60 });
  await createRecord(service, domain, { name: 'late' });
  const all = await changesOf(domain);
  const by = await changesOf(domain, `?actor=${made.id}`);
  expect(by).toEqual(all.filter(({ key }) => key === made.id));
  expect(by).toMatchObject([{ action: 'update', old: { ttl: record.ttl }, new: { ttl: 60 } }]);
  const hour = (ms: number): string => new Date(Date.now() + ms * 3_600_000).toISOString();
  expect(await changesOf(domain, `?from=${hour(-1)}&to=${hour(1)}`)).toEqual(all);
  expect(await changesOf(domain, `?from=${hour(1)}`)).toEqual([]);
  expect(await changesOf(domain, `?to=${hour(-1)}&actor=`)).toEqual([]);
  const page = await http.get(`/v2/domains/${domain}/changes?actor=${all[0].key}&per_page=1`);
  expect(page.json.meta!.total).toBe(all.length - 1);
  const { next } = page.json.meta!.links;
  const second = await http.get(
    `/v2/domains/${domain}/changes?actor=${all[0].key}&per_page=1&cursor=${next}`,
  );
  expect(rowsOf(second, 'changes')).toEqual([all[2]]);
  for (const bad of ['from=yesterday', 'to=2026-02-30T00:00:00Z', `actor=${'x'.repeat(256)}`])
    expectError(
      await http.get(`/v2/domains/${domain}/changes?${bad}`),
      400,
      new RegExp(`^${bad.slice(0, bad.indexOf('='))} `),
    );
});

test('rule 47: a zone file shows the domain as it was at a serial or a time', async () => {
  const domain = await createDomain(service);
  const path = `/v2/domains/${domain}/zonefile`;
  const record = await createRecord(service, domain, { name: 'www' });
  const then = await http.get(path);
  const serial = await dns.serial(domain);
  await http.patch(`/v2/domains/${domain}/records/${record.id}`, { data: '192.0.2.2', name: 'moved' });
  await createRecord(service, domain, { name: 'later' });
  await http.patch(`/v2/domains/${domain}/soa`, { email: 'x@example.com' });
  const past = await http.get(`${path}?at=${serial}`);
  expect(past.text).toBe(then.text);
  expect([past.headers.etag, past.headers['zone-serial']]).toEqual([then.headers.etag, String(serial)]);
  const now = new Date(Date.now() + 1000).toISOString();
  expect((await http.get(`${path}?at=${now}`)).text).toBe((await http.get(path)).text);
  for (const early of ['2001-01-01T00:00:00Z', '2001-01-01T00:00:00%2B01:00', String(serial - 1000)]) {
    expectError(await http.get(`${path}?at=${early}`), 409, /history/);
  }
  for (const bad of ['x', '-1', '4294967296', '2026-11-20', '2026-13-20T00:00:00Z']) {
    expectError(await http.get(`${path}?at=${bad}`), 400, /^at /);
  }
});

test('rule 48: a deletion can be reverted, and so can the revert', async () => {
  const domain = await createDomain(service);
  const path = `/v2/domains/${domain}`;
  const record = await createRecord(service, domain, { name: 'www' });
  const before = await listRecords(service, domain);
  const serial = await dns.serial(domain);
  await http.delete(`${path}/records/${record.id}`);
  const other = await createRecord(service, domain, { name: 'other' });
  const { changes } = bulkBody(await http.post(`${path}/revert`, { to: serial }));
  expect(counts(changes)).toMatch(/^1 created, 0 updated, 1 deleted/);
  expect([changes.created, changes.deleted]).toEqual([[record], [other]]);
  expect(await listRecords(service, domain)).toEqual(before);
  expect(await dns.look(`www.${domain}`, 'A')).toEqual(['192.0.2.1']);
  await expectUnchanged(service, domain, async () => {
    expect(counts(bulkBody(await http.post(`${path}/revert`, { to: serial })).changes)).toMatch(/^0 created/);
    for (const body of [{ to: serial - 100 }, { to: 0 }]) {
      expectError(await http.post(`${path}/revert`, body), 409, /history/);
    }
    for (const body of [{}, { to: 'x' }, { to: 1.5 }, { to: -1 }, { to: 4_294_967_296 }]) {
      expectError(await http.post(`${path}/revert`, body), 400);
    }
  });
  const back = bulkBody(await http.post(`${path}/revert`, { to: serial + 2 })).changes;
  expect(back.created).toEqual([other]);
});

test('rule 49: a deleted domain is listed, and is restored with everything it had', async () => {
  const owner = await createAccount(service);
  const domain = await createDomain(owner);
  const path = `/v2/domains/${domain}`;
  await createRecord(owner, domain, { name: 'www' });
  await owner.http.patch(`${path}/soa`, { email: 'x@example.com' });
  const records = await listRecords(owner, domain);
  const serial = await dns.serial(domain);
  expectError(await owner.http.post(`${path}/restore`, undefined), 409);
  await owner.http.delete(path);
  const [listed] = rowsOf(await owner.http.get('/v2/deleted_domains'), 'deleted_domains');
  expect(Object.keys(listed)).toEqual(['id', 'domain', 'date_created', 'dns_sec', 'date_deleted']);
  expect(listed.id).toMatch(/^[0-9]+$/);
  expect(listed.domain).toBe(domain);
  expect(rowsOf(await http.get('/v2/deleted_domains'), 'deleted_domains')).not.toContainEqual(listed);
  expectError(await http.post(`${path}/restore`, undefined), 404);
  const reply = await owner.http.post(`${path}/restore`, undefined);
  expect([reply.status, reply.json.domain?.domain]).toEqual([200, domain]);
  expect(await listRecords(owner, domain)).toEqual(records);
  expect((await owner.http.get(`${path}/soa`)).json.dns_soa?.email).toBe('x@example.com');
  expect(await dns.look(`www.${domain}`, 'A')).toEqual(['192.0.2.1']);
  expect(await dns.serial(domain)).toBeGreaterThan(serial);
  expect(rowsOf(await owner.http.get('/v2/deleted_domains'), 'deleted_domains')).toEqual([]);
});

test('rules 46 to 49: a restored domain has its creation date and one history across the deletion', async () => {
  const owner = await createAccount(service);
  const domain = await createDomain(owner);
  const path = `/v2/domains/${domain}`;
  const created = (await owner.http.get(path)).json.domain;
  const record = await createRecord(owner, domain, { name: 'www' });
  const serial = await dns.serial(domain);
  const before = await owner.http.get(`${path}/zonefile`);
  await owner.http.patch(`${path}/records/${record.id}`, { ttl: 60 });
  await owner.http.delete(path);
  const restored = await owner.http.post(`${path}/restore`, undefined);
  expect(restored.json.domain).toEqual(created);
  const again = Number(restored.headers['zone-serial']);
  expect(again).toBeGreaterThan(serial + 2);
  expect(await dns.serial(domain)).toBe(again);
  const changes = rowsOf(await owner.http.get(`${path}/changes`), 'changes');
  expect(changes.slice(0, 4).map(({ serial: at, action }) => [at, action])).toEqual([
    [again, 'domain_restore'],
    [serial + 2, 'domain_delete'],
    [serial + 1, 'update'],
    [serial, 'create'],
  ]);
  expect(changes[0]).toMatchObject({ old: null, new: null, soa: null });
  expect(changes.at(-1)).toMatchObject({ action: 'domain_create' });
  expect((await owner.http.get(`${path}/zonefile?at=${serial}`)).text).toBe(before.text);
  for (const reply of [
    await owner.http.get(`${path}/zonefile?at=${serial + 2}`),
    await owner.http.post(`${path}/revert`, { to: serial + 2 }),
  ]) {
    expectError(reply, 409, /did not exist at serial/);
    expect(reply.json.code).toBe('domain_deleted');
  }
  const { changes: reverted } = bulkBody(await owner.http.post(`${path}/revert`, { to: serial }));
  expect(counts(reverted)).toMatch(/^0 created, 1 updated, 0 deleted/);
  expect(reverted.updated[0].after).toEqual(record);
});

test('rule 49: each of several deleted domains of one name can be restored by its id', async () => {
  const owner = await createAccount(service);
  const domain = await createDomain(owner);
  const path = `/v2/domains/${domain}`;
  await createRecord(owner, domain, { name: 'old' });
  await owner.http.delete(path);
  await createDomain(owner, domain);
  await createRecord(owner, domain, { name: 'late' });
  await owner.http.delete(path);
  const listed = async () =>
    rowsOf(await owner.http.get('/v2/deleted_domains'), 'deleted_domains').map(({ id }) => id);
  const [late, old] = await listed();
  const restore = (body: unknown, headers = {}) => owner.http.post(`${path}/restore`, body, { headers });

  for (const body of [
    { id: 17 },
    { id: '' },
    { id: '-1' },
    { id: ' 17' },
    { id: '1.0' },
    'null',
    '[]',
    '{',
  ]) {
    expectError(await restore(body), 400);
  }
  const strange = await createAccount(service);
  for (const id of ['0', `0${old}`, '9'.repeat(16), '9'.repeat(19), '1'.padEnd(20, '0'), '9'.repeat(400)]) {
    expectError(await restore({ id }), 404, /^Invalid domain: there is no deleted domain .+ with id /);
  }
  expectError(await strange.http.post(`${path}/restore`, { id: old }), 404, /^Invalid domain/);
  for (const tag of ['*', '"1-1"']) expectError(await restore({ id: old }, { 'if-match': tag }), 412);
  const plan = await owner.http.post(`${path}/restore?dry_run=true`, { id: old });
  expect(bulkBody(plan).changes.created.map(({ name }) => name)).toContain('old');
  expect(await listed()).toEqual([late, old]);

  const once = { 'idempotency-key': 'restore-1' };
  expect((await restore({ id: old }, once)).status).toBe(200);
  expect((await restore({ id: old }, once)).status).toBe(200);
  expectError(await restore({ id: late }, once), 409, 'Idempotency-Key');
  expect((await listRecords(owner, domain)).map(({ name }) => name)).toContain('old');
  expect(await listed()).toEqual([late]);
  expectError(await restore({ id: late }), 409, /exists/);
  await owner.http.delete(path);
  expect(await listed()).toEqual([old, late]);
  expect((await restore({ id: late })).status).toBe(200);
  expect(await dns.look(`late.${domain}`, 'A')).toEqual(['192.0.2.1']);
  await owner.http.delete(path);
  expect((await restore({ id: null })).status).toBe(200);
  expect(await dns.look(`late.${domain}`, 'A')).toEqual(['192.0.2.1']);
});
