import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  createAccount,
  createDomain,
  createRecord,
  expectError,
  freshDomainName,
  listRecords,
  type Account,
} from '../harness/fixtures.ts';
import { makeFolder, startForFile } from '../harness/service.ts';

/*
 * Rule 84: the export of an account, unpacked with GNU tar and compared with what the interface shows.
 */

const service = await startForFile({ ZONEWRIGHT_DNSSEC_SECRET: 'for-tests-only-for-tests-only-1234' });
const { http } = service;

/** A key of the account that may download it. */
async function exportKey({ id }: Account): Promise<string> {
  const reply = await http.post('/v2/keys', {
    account: id,
    label: 'backup',
    rights: [{ may: ['account:export'] }],
  });
  expect(reply.status, reply.text).toBe(201);
  return reply.json.key!.key;
}

test('rule 84: a key of scope full downloads no archive, because it reads neither keys, users nor trail', async () => {
  const { http: full } = await createAccount(service);
  for (const path of ['/v2/account/export', '/v2/keys', '/v2/users', '/v2/trail']) {
    const reply = await full.get(path);
    expect([path, reply.status, reply.json.code]).toEqual([path, 403, 'forbidden']);
  }
});

async function download(key: string): Promise<Response> {
  return fetch(`http://${service.httpAddress}/v2/account/export`, {
    headers: { authorization: `Bearer ${key}` },
  });
}

/** Downloads and unpacks the export; returns the folder. */
async function unpack(account: Account): Promise<string> {
  const reply = await download(await exportKey(account));
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-type')).toBe('application/gzip');
  expect(reply.headers.get('content-disposition')).toMatch(
    /^attachment; filename="zonewright-account-\d{4}-\d\d-\d\d\.tar\.gz"$/,
  );
  const folder = makeFolder();
  const file = join(folder, 'export.tar.gz');
  writeFileSync(file, Buffer.from(await reply.arrayBuffer()));
  execFileSync('tar', ['-xzf', file], { cwd: folder, stdio: 'pipe' });
  return join(folder, 'zonewright-account');
}

/** The lines of all files of a list. */
function linesOf(folder: string, list: string): string[] {
  const lines: string[] = [];
  for (let n = 1; existsSync(join(folder, `${list}-${n}.jsonl`)); n++)
    lines.push(
      ...readFileSync(join(folder, `${list}-${n}.jsonl`), 'utf8')
        .trimEnd()
        .split('\n'),
    );
  return lines;
}

const parse = (line: string): unknown => JSON.parse(line);

/** All rows of a list of the interface. */
async function allRows(account: Account, path: string, member: string): Promise<unknown[]> {
  const rows: unknown[] = [];
  let cursor = '';
  do {
    const reply = await account.http.get(`${path}?per_page=500${cursor && `&cursor=${cursor}`}`);
    expect(reply.status, reply.text).toBe(200);
    rows.push(...((reply.json as Record<string, unknown>)[member] as unknown[]));
    cursor = reply.json.meta!.links.next;
  } while (cursor !== '');
  return rows;
}

function zoneOf(count: number): string {
  return Array.from({ length: count }, (_, n) => `r${n} 300 IN TXT "text ${n}" "${'x'.repeat(n % 40)}"`).join(
    '\n',
  );
}

test('rule 84: an account exports its domains with records, zone files and history as they are shown', async () => {
  const customer = await createAccount(service);
  const names = [
    freshDomainName(),
    freshDomainName('large'),
    freshDomainName(`${'l'.repeat(60)}.${'m'.repeat(60)}.`),
  ];
  for (const name of names) await createDomain(customer, name, '192.0.2.1');
  const [small, large] = names;
  await createRecord(customer, small, { type: 'TXT', name: 'ä', data: '"a \\" b; ü"' });
  const { id } = await createRecord(customer, small, { name: 'gone' });
  await customer.http.delete(`/v2/domains/${small}/records/${id}`);
  const sent = await customer.http.request('POST', `/v2/domains/${large}/zonefile`, zoneOf(2500), {
    headers: { 'x-change-note': 'moved' },
  });
  expect(sent.status, sent.text).toBe(200);

  const folder = await unpack(customer);
  expect(readdirSync(join(folder, 'domains')).sort()).toEqual([...names].sort());
  for (const name of names) {
    const own = join(folder, 'domains', name);
    const byId = (a: unknown, b: unknown) => ((a as { id: string }).id < (b as { id: string }).id ? -1 : 1);
    expect(linesOf(own, 'records').map(parse).sort(byId)).toEqual(await listRecords(customer, name));
    const zone = (await customer.http.get(`/v2/domains/${name}/zonefile`)).text;
    expect(readFileSync(join(own, 'records.zone'), 'utf8')).toBe(zone);
    expect(linesOf(own, 'history').map(parse)).toEqual(
      await allRows(customer, `/v2/domains/${name}/changes`, 'changes'),
    );
    expect(parse(readFileSync(join(own, 'domain.json'), 'utf8'))).toMatchObject({
      ...(await customer.http.get(`/v2/domains/${name}`)).json.domain,
      soa: { nsprimary: null, email: null },
      dnssec: null,
    });
  }
  expect(linesOf(join(folder, 'domains', large), 'history').length).toBeGreaterThan(2500);
  expect(readFileSync(join(folder, 'README.txt'), 'utf8')).toContain('records.zone');
});

test('rule 84: it has account, limits, keys and deleted domains, without any secret, and nothing of others', async () => {
  const [customer, other] = [await createAccount(service), await createAccount(service)];
  const theirs = await createDomain(other);
  const signed = await createDomain(customer);
  expect((await customer.http.put(`/v2/domains/${signed}`, { dns_sec: 'enabled' })).status).toBe(204);
  await customer.http.patch(`/v2/domains/${signed}/soa`, { email: 'dns@example.net' });
  const gone = await createDomain(customer);
  await customer.http.delete(`/v2/domains/${gone}`);

  const folder = await unpack(customer);
  const account = await http.get(`/v2/accounts/${customer.id}`);
  expect(parse(readFileSync(join(folder, 'account.json'), 'utf8'))).toEqual(account.json.account);
  expect(parse(readFileSync(join(folder, 'limits.json'), 'utf8'))).toMatchObject({
    limits: { domains: { use: 1 } },
  });
  const keys = await http.get(`/v2/keys?account=${customer.id}`);
  const withoutUse = (row: unknown) => ({ ...(row as object), date_used: null });
  expect(linesOf(folder, 'keys').map(parse).map(withoutUse)).toEqual(keys.json.keys!.map(withoutUse));
  expect(linesOf(folder, 'deleted_domains').map(parse)).toEqual(
    await allRows(customer, '/v2/deleted_domains', 'deleted_domains'),
  );
  const trail = (await http.get(`/v2/trail?account=${customer.id}&action=key.`)).json as unknown as {
    trail: unknown[];
  };
  expect(trail.trail.length).toBeGreaterThan(0);
  expect(linesOf(folder, 'trail').map(parse)).toEqual(expect.arrayContaining(trail.trail));
  const exported = async () =>
    (await http.get(`/v2/trail?account=${customer.id}&action=account.export`)).text;
  await expect.poll(exported).toContain(`"object":"${customer.id}"`);
  expect(linesOf(folder, 'users')).toEqual([]);
  const zoneKeys = (await customer.http.get(`/v2/domains/${signed}/dnssec/keys`)).json;
  expect(parse(readFileSync(join(folder, 'domains', signed, 'domain.json'), 'utf8'))).toMatchObject({
    dns_sec: 'enabled',
    soa: { nsprimary: null, email: 'dns@example.net' },
    dnssec: { denial: 'nsec', ...(zoneKeys as object) },
  });
  const texts = execFileSync('find', [folder, '-type', 'f', '-exec', 'cat', '{}', '+']).toString();
  expect(texts).not.toContain(customer.http.key);
  expect(texts).not.toContain(theirs);
  expect(texts).not.toMatch(/hash|sealed|secret_id|private_key/);
});

test('rule 84: only keys with the permission download an account', async () => {
  const customer = await createAccount(service);
  expectError(await customer.http.get('/v2/account/export'), 403, 'account:export');
  const read = await http.post('/v2/keys', { account: customer.id, scope: 'read' });
  expectError(
    await customer.http.withKey(read.json.key!.key).get('/v2/account/export'),
    403,
    'account:export',
  );
  const own = await fetch(`http://${service.httpAddress}/v2/account/export`, {
    headers: { authorization: `Bearer ${service.key}` },
  });
  expect(own.status).toBe(200);
  await own.arrayBuffer();
});
