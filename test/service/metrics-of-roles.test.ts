import { expect, inject, onTestFinished, test } from 'vitest';
import { findValue, readExposition, type Family } from '../harness/exposition.ts';
import { createDomain, createRecord, expectError } from '../harness/fixtures.ts';
import { newDatabase } from '../harness/postgres-server.ts';
import { startService, type Service, type StartOptions } from '../harness/service.ts';

// Metrics of several processes on one PostgreSQL database, about themselves and each other.
async function start(options: StartOptions): Promise<Service> {
  const service = await startService(options);
  onTestFinished(async () => {
    await service.stop();
  });
  return service;
}

async function scrape({ http }: Service, key?: null): Promise<readonly Family[]> {
  const reply = await http.get('/metrics', key === null ? { key } : {});
  expect(reply.status, reply.text).toBe(200);
  return readExposition(reply.text);
}

const nameOf = ({ name }: Family): string => name;

test('an API process and a nameserver process each report their part', async () => {
  const database = await newDatabase(inject('postgresUrl'));
  const api = await start({ database, role: 'api' });
  const settings = { ZONEWRIGHT_SERVER_NAME: 'ns1' };
  const nameserver = await start({ database, role: 'nameserver', settings });
  const domain = await createDomain(api);
  await createRecord(api, domain, {});
  await expect.poll(() => nameserver.dns.look(`www.${domain}`, 'A')).toEqual(['192.0.2.1']);
  expectError(await api.http.get('/metrics', { key: null }), 403);

  const written = await scrape(api);
  const end = findValue(written, 'zonewright_feed_end') ?? 0;
  expect(end).toBeGreaterThan(1);
  const command = { kind: 'createRecord', outcome: 'done' };
  expect(findValue(written, 'zonewright_store_commands_total', command)).toBe(1);
  expect(findValue(written, 'zonewright_store_commit_duration_seconds_count')).toBeGreaterThanOrEqual(2);
  expect(findValue(written, 'zonewright_store_pending_reads')).toBeGreaterThanOrEqual(0);
  expect(written.map(nameOf).filter((name) => /_(dns|zones?)_/.test(name))).toEqual([]);

  const served = await scrape(nameserver, null);
  expect(findValue(served, 'zonewright_feed_position')).toBe(end);
  expect(findValue(served, 'zonewright_feed_phase', { phase: 'following' })).toBe(1);
  expect(findValue(served, 'zonewright_zones_hosted')).toBe(1);
  expect(
    findValue(served, 'zonewright_dns_answers_total', { rcode: 'NOERROR', transport: 'udp' }),
  ).toBeGreaterThan(0);
  expect(served.map(nameOf).filter((name) => name.includes('_store_'))).toEqual([]);

  const build = { version: expect.any(String) as string, engine: 'postgres' };
  expect(served.find(({ name }) => name === 'zonewright_build_info')?.samples[0].labels).toEqual({
    ...build,
    role: 'nameserver',
  });
  await expect
    .poll(async () => {
      const family = (await scrape(api)).find(({ name }) => name === 'zonewright_nameserver_feed_position');
      return family?.samples.map(({ labels, value }) => [labels['nameserver'], value]);
    })
    .toEqual([['ns1', end]]);
});
