import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { newApiKey } from '../harness/api-key.ts';
import { createDomain, createRecord } from '../harness/fixtures.ts';
import { newDatabase } from '../harness/postgres-server.ts';
import {
  makeFolder,
  settingsFor,
  startProgram,
  startService,
  type Service,
  type StartOptions,
} from '../harness/service.ts';

/*
 * One installation of several processes on one PostgreSQL database. database-away.test.ts tests the loss of the
 * database.
 */

async function start(options: StartOptions): Promise<Service> {
  const service = await startService(options);
  onTestFinished(async () => {
    await service.stop();
  });
  return service;
}

const serverUrl = inject('postgresUrl');

interface ReadyBody {
  readonly status?: string;
  readonly database?: string;
  readonly zone_copy?: { readonly phase: string; readonly seq: number; readonly lag_seconds: number | null };
}

async function readiness(service: Service): Promise<{ status: number; body: ReadyBody }> {
  const { status, text } = await service.http.get('/readyz', { key: null });
  return { status, body: JSON.parse(text) as ReadyBody };
}

test('a single process on PostgreSQL shows every write to its next query', async () => {
  const service = await start({ database: await newDatabase(serverUrl) });
  const domain = await createDomain(service);
  for (let i = 0; i < 200; i++) {
    await createRecord(service, domain, { name: `n${i}`, data: `10.0.0.${i}` });
    expect(await service.dns.look(`n${i}.${domain}`, 'A')).toEqual([`10.0.0.${i}`]);
  }
  expect(await readiness(service)).toMatchObject({
    status: 200,
    body: { status: 'ready', database: 'connected', zone_copy: { phase: 'following', lag_seconds: 0 } },
  });
  expect(await service.stop()).toBe(0);
});

test('a single process on PostgreSQL shows an import to its next query, whether the domain was served before or not', async () => {
  const service = await start({ database: await newDatabase(serverUrl) });
  const domain = await createDomain(service);
  const fresh = `fresh.${domain}`;
  const small = await createDomain(service);
  const putZone = (name: string, query: string, address: string) =>
    service.http.request(
      'PUT',
      `/v2/domains/${name}/zonefile${query}`,
      `$GENERATE 1-9000 h$ 60 A ${address}\n`,
    );
  for (const [name, query, address] of [
    [domain, '', '192.0.2.1'],
    [domain, '', '192.0.2.2'],
    [fresh, '?create=true', '192.0.2.3'],
  ]) {
    const imported = putZone(name, query, address);
    await createRecord(service, small, { name: `n${address.at(-1)}`, data: address });
    expect((await imported).status).toBe(200);
    expect(await service.dns.look(`h9000.${name}`, 'A')).toEqual([address]);
    await createRecord(service, name, { name: 'later', data: address });
    expect(await service.dns.look(`later.${name}`, 'A')).toEqual([address]);
  }
  await expect.poll(() => service.output()).toContain('a zone has changed so much');
  await expect
    .poll(async () => (await readiness(service)).body)
    .toMatchObject({ status: 'ready', zone_copy: { phase: 'following' } });
  expect(service.output()).not.toContain('differs from the database');
  expect(await service.stop()).toBe(0);
});

test('an API process and a nameserver process divide the work', async () => {
  const database = await newDatabase(serverUrl);
  const api = await start({ database, role: 'api' });
  const settings = { ZONEWRIGHT_SERVER_NAME: 'ns1' };
  const nameserver = await start({ database, role: 'nameserver', settings });
  expect([api.dnsAddress, nameserver.key]).toEqual(['', '']);
  const domain = await createDomain(api, undefined, '192.0.2.1');
  await expect.poll(() => nameserver.dns.look(domain, 'A')).toEqual(['192.0.2.1']);
  expect(await readiness(api)).toEqual({ status: 200, body: { status: 'ready', database: 'connected' } });
  expect(await readiness(nameserver)).toMatchObject({
    status: 200,
    body: { zone_copy: { phase: 'following' } },
  });
  // Only the other process serves the API for customers.
  expect((await nameserver.http.get('/v2/domains', { key: api.key })).status).toBe(404);
  expect((await nameserver.http.get('/healthz', { key: null })).status).toBe(200);
  expect(nameserver.output()).not.toContain(api.key);
  expect([await nameserver.stop(), await api.stop()]).toEqual([0, 0]);
});

test('of two API processes that start together on an empty database, one creates the key and says where it is', async () => {
  const settings = { ZONEWRIGHT_DATABASE: await newDatabase(serverUrl), ZONEWRIGHT_ROLE: 'api' };
  const starts = ['first', 'second'].map((name) => {
    const data = join(makeFolder(), name);
    const program = startProgram(['serve'], { ...settingsFor(data), ...settings });
    onTestFinished(async () => {
      program.signal('SIGTERM');
      expect(await program.ended()).toBe(0);
    });
    return { program, keyFile: join(data, 'admin.key') };
  });
  for (const { program } of starts) await expect.poll(() => program.stderr()).toContain('"msg":"ready"');
  const shown = starts.filter(({ program }) => program.stdout() !== '');
  expect(shown).toHaveLength(1);
  const [winner] = shown;
  expect(starts.filter(({ keyFile }) => existsSync(keyFile))).toEqual([winner]);
  expect(winner.program.stdout()).toContain(`kept in ${winner.keyFile} on this machine alone`);
  expect(winner.program.stdout()).not.toContain(readFileSync(winner.keyFile, 'utf8').trim());
  expect(winner.program.stdout()).not.toContain('dig');
});

test('processes started with the same key share it, and a write at one can be read at the other', async () => {
  const shared = { database: await newDatabase(serverUrl), key: newApiKey() };
  const first = await start({ ...shared, role: 'api' });
  const second = await start({ ...shared, role: 'both' });
  const domain = await createDomain(first);
  expect((await second.http.get(`/v2/domains/${domain}`)).status).toBe(200);
  await createRecord(second, domain, { name: 'www', data: '192.0.2.2' });
  expect(await second.dns.look(`www.${domain}`, 'A')).toEqual(['192.0.2.2']);
});

test('a nameserver process that lost its folder makes a new zone copy', async () => {
  const database = await newDatabase(serverUrl);
  const api = await start({ database, role: 'api' });
  const domain = await createDomain(api, undefined, '192.0.2.1');
  const first = await start({ database, role: 'nameserver' });
  await expect.poll(() => first.dns.look(domain, 'A')).toEqual(['192.0.2.1']);
  expect(await first.stop()).toBe(0);
  rmSync(first.data, { recursive: true });
  const second = await start({ database, role: 'nameserver', data: first.data });
  await expect.poll(() => second.dns.look(domain, 'A')).toEqual(['192.0.2.1']);
});

test.each(['api', 'nameserver'])('role %s on the embedded store is refused', async (role) => {
  const program = startProgram(['serve'], { ...settingsFor(makeFolder()), ZONEWRIGHT_ROLE: role });
  expect(await program.ended()).toBe(2);
  expect(program.stderr()).toBe(
    `zonewright: role ${role} needs a database that several processes share, postgres://…, but database is sqlite:\n`,
  );
});
