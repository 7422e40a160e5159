import { expect, test } from 'vitest';
import { readExposition, type Family } from '../harness/exposition.ts';
import { createAccount, createDomain, createRecord, expectError, postRecord } from '../harness/fixtures.ts';
import { startForFile } from '../harness/service.ts';

// One service, with a scrape before and after each action: the difference must be exactly that action.
const service = await startForFile({ ZONEWRIGHT_WORKERS: '2', ZONEWRIGHT_UDP: 'auto' });
const { http, dns } = service;
/** A repeated question would be counted twice. */
const once = { attempts: 1, timeoutMs: 20_000 };

async function scrape(): Promise<readonly Family[]> {
  const reply = await http.get('/metrics');
  expect(reply.status, reply.text).toBe(200);
  expect(reply.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  return readExposition(reply.text);
}

/** The service's own counters without their prefix, and the counts of histograms. */
function counts(families: readonly Family[]): Map<string, number> {
  const samples = families
    .filter(({ name, type }) => name.startsWith('zonewright_') && type !== 'gauge')
    .flatMap((family) => family.samples)
    .filter(({ name }) => name.endsWith('_total') || name.endsWith('_count'));
  return new Map(
    samples.map(({ text, value }) => [text.slice('zonewright_'.length, text.lastIndexOf(' ')), value]),
  );
}

/** The increase, during an action, of the metrics whose names match the prefix. */
async function rises(prefix: RegExp, act: () => Promise<void>): Promise<Record<string, number>> {
  const before = counts(await scrape());
  await act();
  const after = counts(await scrape());
  const rose = [...after].map(([series, value]) => [series, value - (before.get(series) ?? 0)] as const);
  return Object.fromEntries(rose.filter(([series, by]) => by !== 0 && prefix.test(series)));
}

test('queries and answers are counted by type, transport and code', async () => {
  const zone = await createDomain(service);
  await createRecord(service, zone, { name: 'www' });
  expect(await dns.look(`www.${zone}`, 'A')).toEqual(['192.0.2.1']);
  const rose = await rises(/^(dns|zone)_/, async () => {
    for (let i = 0; i < 20; i++) await dns.ask(`www.${zone}`, 'A', once);
    for (let i = 0; i < 3; i++) await dns.ask(`nothing.${zone}`, 'AAAA', once);
    await dns.ask(`www.${zone}`, 'MX', { tcp: true });
    await dns.ask('elsewhere.test', 'TXT', once);
    await dns.ask(zone, 65_400, once);
    await dns.sendRaw(Buffer.from([1, 2, 3]), 1);
    // There is no answer to wait for.
    await expect
      .poll(async () => counts(await scrape()).get('dns_dropped_total{reason="malformed"}'))
      .toBe(1);
  });
  const workers = Object.keys(rose).filter((series) => series.startsWith('dns_worker_queries_total'));
  expect(workers.reduce((sum, series) => sum + rose[series], 0)).toBe(26);
  expect(Object.fromEntries(Object.entries(rose).filter(([series]) => !workers.includes(series)))).toEqual({
    'dns_queries_total{type="A",transport="udp"}': 20,
    'dns_queries_total{type="AAAA",transport="udp"}': 3,
    'dns_queries_total{type="MX",transport="tcp"}': 1,
    'dns_queries_total{type="TXT",transport="udp"}': 1,
    'dns_queries_total{type="other",transport="udp"}': 1,
    'dns_answers_total{rcode="NOERROR",transport="udp"}': 21,
    'dns_answers_total{rcode="NXDOMAIN",transport="udp"}': 3,
    'dns_answers_total{rcode="REFUSED",transport="udp"}': 1,
    'dns_answers_total{rcode="NOERROR",transport="tcp"}': 1,
    'dns_dropped_total{reason="malformed"}': 1,
    zone_hits_total: 25,
  });
});

test('a zone that is not in memory yet is loaded, and the query waits', async () => {
  const zone = await createDomain(service);
  const rose = await rises(/^zone_/, async () => {
    await dns.ask(zone, 'SOA', once);
    await dns.ask(zone, 'SOA', once);
  });
  expect(rose).toEqual({ zone_waits_total: 1, zone_hits_total: 1, zone_load_duration_seconds_count: 1 });
});

test('writes are counted by outcome', async () => {
  const zone = await createDomain(service);
  const rose = await rises(/^store_/, async () => {
    await createRecord(service, zone, { name: 'a' });
    await createRecord(service, zone, { name: 'b' });
    expect((await postRecord(service, zone, { name: 'a' })).status).toBe(200);
    expect((await postRecord(service, zone, { name: 'a', type: 'CNAME', data: 'x.example' })).status).toBe(
      409,
    );
    expect((await http.delete(`/v2/domains/${zone}`)).status).toBe(204);
  });
  expect(rose).toEqual({
    'store_commands_total{kind="createRecord",outcome="done"}': 2,
    'store_commands_total{kind="createRecord",outcome="repeated"}': 1,
    'store_commands_total{kind="createRecord",outcome="refused"}': 1,
    'store_commands_total{kind="deleteDomain",outcome="done"}': 1,
    store_batch_commands_count: 5,
    store_commit_duration_seconds_count: 5,
  });
});

test('requests are counted by route, method and status, and clients cannot invent labels', async () => {
  const zone = await createDomain(service);
  const rose = await rises(/^http_/, async () => {
    await createRecord(service, zone, {});
    for (let i = 0; i < 4; i++) await http.get(`/v2/domains/${zone}/records`);
    await http.request('HEAD', `/v2/domains/${zone}`);
    await http.get('/v2/domains/unknown.example');
    await http.get('/v2/no/such/route');
    await http.request('PURGE', '/v2/domains');
    await http.get('/v2/%zz');
    await http.get('/healthz', { key: null });
    await http.get('/v2/domains', { key: null });
  });
  const metrics = { route: 'metrics', method: 'GET', status: '2xx' };
  const series = (route: string, method: string, status: string): string =>
    `http_requests_total{route="${route}",method="${method}",status="${status}"}`;
  const requests = Object.entries(rose).filter(([name]) => name.startsWith('http_requests_total'));
  expect(Object.fromEntries(requests)).toEqual({
    [series('createRecord', 'POST', '2xx')]: 1,
    [series('listRecords', 'GET', '2xx')]: 4,
    [series('getDomain', 'HEAD', '2xx')]: 1,
    [series('getDomain', 'GET', '4xx')]: 1,
    [series('unknown', 'GET', '4xx')]: 2,
    [series('unknown', 'other', '4xx')]: 1,
    [series('health', 'GET', '2xx')]: 1,
    [series('listDomains', 'GET', '4xx')]: 1,
    [series(metrics.route, metrics.method, metrics.status)]: 1,
  });
  const durations = Object.entries(rose).filter(([name]) => name.startsWith('http_request_duration'));
  expect(durations.reduce((sum, [, by]) => sum + by, 0)).toBe(13);
});

test('gauges show the current state', async () => {
  await dns.ask(await createDomain(service), 'SOA');
  const families = await scrape();
  const valueOf = (name: string): number | undefined =>
    families.find((family) => family.name === `zonewright_${name}`)?.samples[0].value;
  const total = (await http.get('/v2/domains?per_page=1')).json.meta?.total;
  expect(valueOf('zones_hosted')).toBe(total);
  expect(valueOf('zones_loaded')).toBeGreaterThan(0);
  expect(valueOf('zone_memory_used_bytes')).toBeLessThan(valueOf('zone_memory_limit_bytes')!);
  expect(valueOf('feed_position')).toBeGreaterThan(0);
  expect(valueOf('feed_end')).toBe(valueOf('feed_position'));
  expect(valueOf('feed_lag_seconds')).toBe(0);
  expect(valueOf('store_queued_commands')).toBe(0);
  // The scrape itself is in flight.
  expect(valueOf('http_requests_in_flight')).toBe(1);
  expect(families.find(({ name }) => name === 'zonewright_build_info')?.samples[0].labels).toMatchObject({
    role: 'both',
    engine: 'sqlite',
  });
});

test('metrics can be read only with a key of scope admin', async () => {
  expectError(await http.get('/metrics', { key: null }), 403, 'API key');
  const tenant = await createAccount(service);
  expectError(await tenant.http.get('/metrics'), 403, 'scope admin');
  const read = await http.post('/v2/keys', { account: tenant.id, scope: 'read' });
  expectError(await http.get('/metrics', { key: read.json.key!.key }), 403, 'scope admin');
  const posted = await http.post('/metrics', {});
  expectError(posted, 405);
  expect(posted.headers.allow).toBe('GET, HEAD');
});
