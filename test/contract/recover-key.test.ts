import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createAccount, createDomain, postRecord } from '../harness/fixtures.ts';
import { makeFolder, runStoreCommand, startForFile, startService, type Service } from '../harness/service.ts';

/* An administrator without a key: `zonewright recover-key` makes another one, past the interface, on either engine. */

const service = await startForFile();

const recover = (data: string, ...options: string[]) => runStoreCommand(data, ['recover-key', ...options]);

const keyFileOf = ({ data }: { data: string }): string => join(data, 'admin.key');

async function statusWith(key: string, { http }: Service): Promise<number> {
  return (await http.get('/v2/accounts', { key })).status;
}

test('a running service accepts the new key immediately and keeps its data', async () => {
  const domain = await createDomain(service);
  rmSync(keyFileOf(service));
  const { code, stdout, stderr } = await recover(service.data);
  expect([code, stdout], stderr).toEqual([0, `the key is in ${keyFileOf(service)}\n`]);
  const key = readFileSync(keyFileOf(service), 'utf8').trim();
  expect(stderr).toMatch(
    /^new administrative key [0-9a-f-]{36} of Administrator <hostmaster@.*>, account [0-9a-f-]{36}\n$/,
  );
  expect(stderr + service.output()).not.toContain(key);
  expect(statSync(keyFileOf(service)).mode & 0o777).toBe(0o600);
  expect(await statusWith(key, service)).toBe(200);
  expect((await service.http.get(`/v2/domains/${domain}`, { key })).status).toBe(200);
  await createDomain(service);

  const { keys } = JSON.parse((await service.http.get('/v2/keys', { key })).text) as { keys: object[] };
  expect(keys.at(-1)).toMatchObject({ label: 'made by zonewright recover-key', scope: 'admin' });
});

test('a new admin key can be created offline if all admin keys are revoked', async () => {
  const first = await startService();
  const other = (await first.http.post('/v2/keys', { scope: 'admin' })).json.key!.key;
  const [{ id }] = (await first.http.get('/v2/keys')).json.keys!;
  expect((await first.http.delete(`/v2/keys/${id}`, { key: other })).status).toBe(204);
  expect(await statusWith(first.key, first)).toBe(403);
  expect(await first.stop()).toBe(0);

  const kept = readFileSync(keyFileOf(first), 'utf8');
  const refused = await recover(first.data);
  expect([refused.code, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toBe(
    `zonewright: the admin key file ${keyFileOf(first)} holds a key that is no administrative key of this store: give --replace to put a new one there\n`,
  );
  expect(readFileSync(keyFileOf(first), 'utf8')).toBe(kept);

  expect((await recover(first.data, '--replace')).code).toBe(0);
  const key = readFileSync(keyFileOf(first), 'utf8').trim();
  const again = await startService({ data: first.data });
  expect(await statusWith(key, again)).toBe(200);
  expect(again.output()).not.toContain('does not know');
  expect(await again.stop()).toBe(0);
});

test('--print prints only the key and does not change the key file', async () => {
  const before = readFileSync(keyFileOf(service), 'utf8');
  const { code, stdout } = await recover(service.data, '--print');
  expect(code).toBe(0);
  expect(await statusWith(stdout.trim(), service)).toBe(200);
  expect(readFileSync(keyFileOf(service), 'utf8')).toBe(before);
});

test('a key file with a valid key is not replaced without --replace', async () => {
  const { code, stderr } = await recover(service.data);
  expect([code, stderr]).toEqual([
    1,
    `zonewright: the admin key file ${keyFileOf(service)} holds an administrative key that works: use it, or give --replace\n`,
  ]);
});

test('the account can be named by its id, or by its mail address if that is unique', async () => {
  const owner = { http: service.http.withKey((await recover(service.data, '--print')).stdout.trim()) };
  const { id } = await createAccount(owner);
  for (const name of [id, 'SomeOne@example.com']) {
    const { code, stdout, stderr } = await recover(service.data, '--print', '--account', name);
    expect(code, stderr).toBe(0);
    const { text } = await service.http.get('/v2/account', { key: stdout.trim() });
    expect(JSON.parse(text)).toMatchObject({ account: { email: 'someone@example.com' } });
  }
  const { id: second } = await createAccount(owner);
  for (const [name, sentence] of [
    [
      'someone@example.com',
      `2 accounts have the mail address "someone@example.com"; select one by its id: ${id}, ${second}`,
    ],
    ['nobody', 'no account has the id or mail address "nobody"'],
  ]) {
    const { code, stdout, stderr } = await recover(service.data, '--print', '--account', name);
    expect([code, stdout, stderr]).toEqual([1, '', `zonewright: ${sentence}\n`]);
  }
});

test('writes continue meanwhile, and none is refused', async () => {
  const domain = await createDomain(service);
  const statuses = new Set<number>();
  const recovering = { ended: false };
  const recovered = recover(service.data, '--print').finally(() => (recovering.ended = true));
  for (let i = 0; !recovering.ended; i++) {
    const replies = Array.from({ length: 20 }, (_, n) => postRecord(service, domain, { name: `r${i}-${n}` }));
    for (const { status } of await Promise.all(replies)) statuses.add(status);
  }
  expect([...statuses]).toEqual([201]);
  expect((await recovered).code).toBe(0);
});

test('nothing is created without a store', async () => {
  const data = join(makeFolder(), 'data');
  const { code, stderr } = await recover(data, '--print');
  expect(code).toBe(1);
  expect(stderr).toMatch(/^zonewright: there is no store in .+\n$/);
});
