import { afterAll, expect, onTestFinished, test } from 'vitest';
import { newApiKey } from '../harness/api-key.ts';
import { createDomain, createRecord, postRecord } from '../harness/fixtures.ts';
import { startPostgresServer } from '../harness/postgres-server.ts';
import {
  makeDataFolder,
  settingsFor,
  startProgram,
  startService,
  stopProgram,
  type Service,
  type StartOptions,
} from '../harness/service.ts';

/*
 * PostgreSQL goes away and comes back: DNS is answered throughout, writes are refused meanwhile, and nothing is lost.
 */

const server = await startPostgresServer();
afterAll(() => server.remove());

async function start(options: StartOptions): Promise<Service> {
  const service = await startService(options);
  onTestFinished(async () => {
    await service.stop();
  });
  return service;
}

async function statusOf(service: Service, path: string): Promise<number> {
  return (await service.http.get(path, { key: null })).status;
}

test('a process that starts without its database answers DNS, and accepts writes as soon as it is back', async () => {
  const database = await server.newDatabase();
  const first = await startService({ database });
  const domain = await createDomain(first, undefined, '192.0.2.1');
  expect(await first.stop()).toBe(0);

  await server.stop();
  const again = await start({ database, data: first.data, until: 'serving' });
  expect(await again.dns.look(domain, 'A')).toEqual(['192.0.2.1']);
  expect(await statusOf(again, '/healthz')).toBe(200);
  const notReady = await again.http.get('/readyz', { key: null });
  expect(notReady.status).toBe(503);
  expect(JSON.parse(notReady.text)).toMatchObject({ database: 'away', zone_copy: { phase: 'away' } });
  expect((await postRecord(again, domain, { name: 'early' })).status).toBe(503);
  expect((await again.http.get('/v2/domains')).status).toBe(503);
  expect(again.output()).not.toContain('"msg":"ready"');

  await server.start();
  await expect.poll(() => again.output()).toContain('"msg":"ready"');
  await expect.poll(() => statusOf(again, '/readyz')).toBe(200);
  expect(await again.dns.look(`early.${domain}`, 'A')).toBe('NXDOMAIN');
  await createRecord(again, domain, { name: 'late', data: '192.0.2.2' });
  expect(await again.dns.look(`late.${domain}`, 'A')).toEqual(['192.0.2.2']);
});

test('a nameserver process without the database is ready only if it has a zone copy', async () => {
  const shared = { database: await server.newDatabase(), key: newApiKey() };
  const both = await startService(shared);
  const domain = await createDomain(both, undefined, '192.0.2.1');
  const nameserver = await startService({ ...shared, role: 'nameserver' });
  await expect.poll(() => nameserver.dns.look(domain, 'A')).toEqual(['192.0.2.1']);
  expect([await nameserver.stop(), await both.stop()]).toEqual([0, 0]);

  await server.stop();
  const again = await start({ ...shared, role: 'nameserver', data: nameserver.data });
  expect(await again.dns.look(domain, 'A')).toEqual(['192.0.2.1']);
  expect(await statusOf(again, '/readyz')).toBe(200);
  const empty = await start({ ...shared, role: 'nameserver' });
  expect(await statusOf(empty, '/readyz')).toBe(503);
  expect(await empty.dns.look(domain, 'A')).toBe('REFUSED');

  await server.start();
  await expect.poll(() => empty.dns.look(domain, 'A')).toEqual(['192.0.2.1']);
  expect(await statusOf(empty, '/readyz')).toBe(200);
});

test('losing the database at run time stops writes and nothing else', async () => {
  const service = await start({ database: await server.newDatabase() });
  const domain = await createDomain(service, undefined, '192.0.2.1');
  await server.kill();
  expect((await postRecord(service, domain, { name: 'lost' })).status).toBe(503);
  expect(await service.dns.look(domain, 'A')).toEqual(['192.0.2.1']);
  await expect.poll(() => statusOf(service, '/readyz')).toBe(503);
  await server.start();
  await expect.poll(async () => (await postRecord(service, domain, { name: 'kept' })).status).toBe(201);
  expect(await service.dns.look(`kept.${domain}`, 'A')).toEqual(['192.0.2.1']);
  await expect.poll(() => statusOf(service, '/readyz')).toBe(200);
  const said = service.output().split('\n');
  for (const line of ['the database cannot be reached; writes are refused', 'the database is back'])
    expect(said.filter((text) => text.includes(line))).toHaveLength(1);
  const warnings = said
    .filter((text) => text.includes('"level":"warn"'))
    .map((text) => JSON.parse(text) as { readonly msg: string; readonly reason?: string })
    .map(({ msg, reason }) => `${msg}: ${reason}`);
  expect(warnings, 'each is said once for each reason').toEqual([...new Set(warnings)]);
});

test.each(['both', 'api', 'nameserver'])(
  'SIGTERM while the database is away ends role %s with 0',
  async (role) => {
    const database = await server.newDatabase();
    await server.stop();
    onTestFinished(() => server.start());
    for (const delayMs of [400, 1_500]) {
      const settings = { ZONEWRIGHT_DATABASE: database, ZONEWRIGHT_ROLE: role };
      const program = startProgram(['serve'], { ...settingsFor(makeDataFolder()), ...settings });
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      // Null: the signal ended the process before its first line of code ran.
      expect([0, null], program.stderr()).toContain(await stopProgram(program));
    }
  },
);
