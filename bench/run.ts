/**
 * `npm run bench`: one table of what the service does on this machine, the whole process's CPU time included.
 *
 *     npm run bench             everything, about two minutes
 *     npm run bench -- create   only the rows whose name contains the word
 */

import { cpus } from 'node:os';
import type { AnswerableResult } from './answerable.ts';
import { dnsperfLatencies } from './dnsperf-latencies.ts';
import type { HttpLoad, HttpLoadResult } from './http-load.ts';
import { percentile } from './percentile.ts';
import { runLoad, startService } from './service-under-test.ts';
import type { UdpLoadResult } from './udp-load.ts';

const SECONDS = 6;
const LARGE_DOMAIN_RECORDS = 100_000;
const MANY_DOMAINS = 10_000;
const ANSWERABLE_ROUNDS = 10_000;
const PAGES_PER_SECOND_SAMPLES = 200;
const QUERIES_PER_SECOND = 10_000;

type Row = readonly [name: string, rate: string, p50: string, p99: string, cpu: string];

const only = process.argv[2] ?? '';
const service = await startService();
try {
  const rows: Row[] = [];
  for (const [name, measure] of measurements()) {
    if (!name.includes(only)) continue;
    rows.push([name, ...(await measure())]);
    process.stderr.write(`${rows.length}. ${name}\n`);
  }
  printTable(rows);
} finally {
  await service.stop();
}

type Measured = readonly [rate: string, p50: string, p99: string, cpu: string];

function measurements(): [string, () => Promise<Measured>][] {
  return [
    ...[1, 16, 64].map((connections): [string, () => Promise<Measured>] => [
      `durable creates, ${connections} connections`,
      () => creates(connections),
    ]),
    ['page of 100 of 100,000 records, any depth', () => pages(100)],
    ['page of 500 of 100,000 records, any depth', () => pages(500)],
    ['list 10,000 domains, pages of 500', () => domainPages()],
    ['create, then ask: time to the right answer', () => answerable()],
    ['UDP queries, 1,000 names of one zone', () => queries()],
    ['10,000 queries/s while 1,000 creates/s', () => latencyWhileWriting()],
  ];
}

async function creates(connections: number): Promise<Measured> {
  const domain = `creates-${connections}.example`;
  await createDomain(domain);
  await httpLoad({ connections, seconds: 2, paths: 'create', domain, run: 'warm' });
  const result = await httpLoad({ connections, seconds: SECONDS, paths: 'create', domain, run: 'run' });
  return httpRow(result, 'creates');
}

async function pages(perPage: number): Promise<Measured> {
  const domain = 'large.example';
  await fillDomain(domain);
  const paths = await pagePaths(`/v2/domains/${domain}/records`, perPage);
  await httpLoad({ connections: 1, seconds: 1, paths, domain, run: '' });
  return httpRow(await httpLoad({ connections: 1, seconds: SECONDS, paths, domain, run: '' }), 'pages');
}

async function domainPages(): Promise<Measured> {
  for (let i = 0; i < MANY_DOMAINS; i += 100) {
    await Promise.all(Array.from({ length: 100 }, (_, j) => createDomain(`many-${i + j}.example`)));
  }
  const paths = await pagePaths('/v2/domains', 500);
  const result = await httpLoad({ connections: 1, seconds: SECONDS, paths, domain: '', run: '' });
  const lists = result.requests / paths.length;
  return [
    `${(lists / result.seconds).toFixed(1)} lists/s`,
    `${(result.p50Ms * paths.length).toFixed(1)} ms`,
    `${(result.p99Ms * paths.length).toFixed(1)} ms`,
    `${((result.serverSeconds / lists) * 1e3).toFixed(1)} ms`,
  ];
}

async function answerable(): Promise<Measured> {
  const domain = 'answerable.example';
  await createDomain(domain);
  const { host, httpPort, dnsPort, key } = service;
  const load = { host, httpPort, dnsPort, key, domain, rounds: ANSWERABLE_ROUNDS };
  const result = await runLoad<AnswerableResult>(service, 'answerable.ts', load);
  return [
    `${result.stale} stale of ${result.rounds}`,
    `${result.p50Ms.toFixed(2)} ms`,
    `${result.p99Ms.toFixed(2)} ms`,
    `${((result.serverSeconds / result.rounds) * 1e6).toFixed(0)} µs`,
  ];
}

/**
 * The answers' latency as dnsperf sees it; writes go to the zone that is asked. The first round warms the service up
 * (its code is compiled under load: p99 1.8 ms); of the rest, the round with the median p99.
 */
async function latencyWhileWriting(): Promise<Measured> {
  const domain = 'latency.example';
  const names = await createHosts(domain);
  await latencyRound(domain, names, 'warm');
  const rounds: LatencyRound[] = [];
  for (const run of ['a', 'b', 'c']) {
    const round = await latencyRound(domain, names, run);
    if (round === undefined) return ['dnsperf is not installed', '', '', ''];
    rounds.push(round);
  }
  rounds.sort((a, b) => a.p99Ms - b.p99Ms);
  const { rates, p50Ms, p99Ms } = rounds[1];
  return [rates, `${p50Ms.toFixed(2)} ms`, `${p99Ms.toFixed(2)} ms`, ''];
}

interface LatencyRound {
  readonly rates: string;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

async function latencyRound(
  domain: string,
  names: readonly string[],
  run: string,
): Promise<LatencyRound | undefined> {
  const load = { connections: 16, seconds: SECONDS + 2, perSecond: 1000 };
  const writes = httpLoad({ ...load, paths: 'create', domain, run });
  const latenciesMs = await dnsperfLatencies(service, names, QUERIES_PER_SECOND, SECONDS);
  const { requests, failures, seconds } = await writes;
  if (failures > 0) throw new Error(`${failures} creates failed`);
  if (latenciesMs === undefined) return undefined;
  const queriesPerSecond = (latenciesMs.length / SECONDS).toFixed(0);
  return {
    rates: `${queriesPerSecond} queries/s, ${(requests / seconds).toFixed(0)} creates/s`,
    p50Ms: percentile(latenciesMs, 50),
    p99Ms: percentile(latenciesMs, 99),
  };
}

async function createHosts(domain: string): Promise<string[]> {
  await createDomain(domain);
  const hosts = Array.from({ length: 1000 }, (_, i) => `host-${i}`);
  for (const host of hosts) await createRecord(domain, host);
  return hosts.map((host) => `${host}.${domain}`);
}

async function queries(): Promise<Measured> {
  const names = await createHosts('queries.example');
  const load = { host: service.host, port: service.dnsPort, seconds: SECONDS, underWay: 64 };
  const result = await runLoad<UdpLoadResult>(service, 'udp-load.ts', { ...load, names });
  if (result.wrong > 0) throw new Error(`${result.wrong} answers without a record`);
  return [
    `${(result.queries / result.seconds).toFixed(0)} queries/s`,
    `${result.lost} lost`,
    '',
    `${((result.serverSeconds / result.queries) * 1e6).toFixed(1)} µs`,
  ];
}

function httpLoad(
  load: Omit<HttpLoad, 'host' | 'port' | 'key' | 'perSecond'> & Partial<HttpLoad>,
): Promise<HttpLoadResult & { serverSeconds: number }> {
  const { host, httpPort, key } = service;
  return runLoad<HttpLoadResult>(service, 'http-load.ts', {
    host,
    port: httpPort,
    key,
    perSecond: 0,
    ...load,
  });
}

function httpRow(result: HttpLoadResult & { serverSeconds: number }, what: string): Measured {
  if (result.failures > 0) throw new Error(`${result.failures} of ${result.requests} requests failed`);
  return [
    `${(result.requests / result.seconds).toFixed(0)} ${what}/s`,
    `${result.p50Ms.toFixed(2)} ms`,
    `${result.p99Ms.toFixed(2)} ms`,
    `${((result.serverSeconds / result.requests) * 1e6).toFixed(0)} µs`,
  ];
}

async function fillDomain(domain: string): Promise<void> {
  await createDomain(domain);
  for (let round = 0; (await total(`/v2/domains/${domain}/records`)) < LARGE_DOMAIN_RECORDS; round++) {
    await httpLoad({ connections: 64, seconds: 4, paths: 'create', domain, run: `fill-${round}` });
  }
}

/** The paths of pages spread evenly over the whole list. */
async function pagePaths(list: string, perPage: number): Promise<string[]> {
  const paths: string[] = [];
  let next = '';
  do {
    const path = `${list}?per_page=${perPage}${next === '' ? '' : `&cursor=${next}`}`;
    paths.push(path);
    const page = (await get(path)) as { meta: { links: { next: string } } };
    next = page.meta.links.next;
  } while (next !== '');
  const step = Math.max(1, Math.floor(paths.length / PAGES_PER_SECOND_SAMPLES));
  return paths.filter((_, i) => i % step === 0);
}

async function total(list: string): Promise<number> {
  return ((await get(`${list}?per_page=1`)) as { meta: { total: number } }).meta.total;
}

function createDomain(domain: string): Promise<unknown> {
  return request('POST', '/v2/domains', { domain });
}

function createRecord(domain: string, name: string): Promise<unknown> {
  return request('POST', `/v2/domains/${domain}/records`, { type: 'A', name, data: '192.0.2.1', ttl: 300 });
}

function get(path: string): Promise<unknown> {
  return request('GET', path);
}

async function request(method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`http://${service.host}:${service.httpPort}${path}`, {
    method,
    headers: { Authorization: `Bearer ${service.key}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

function printTable(rows: readonly Row[]): void {
  console.log(`\n${cpus()[0].model}, ${cpus().length} cores, Node ${process.versions.node}\n`);
  console.log('| what | rate | p50 | p99 | CPU of the whole process each |');
  console.log('| --- | ---: | ---: | ---: | ---: |');
  for (const row of rows) console.log(`| ${row.join(' | ')} |`);
}
