/**
 * `npm run bench:cluster`: several processes on PostgreSQL: an API process, a nameserver process and a real
 * PostgreSQL (from npm's packages, with fsync), which share this machine's processors with their loads.
 *
 *     npm run bench:cluster             everything, about two minutes
 *     npm run bench:cluster -- create   only rows whose name contains the word
 */

import { createSocket, type Socket } from 'node:dgram';
import { rmSync } from 'node:fs';
import { startPostgresServer } from '../test/harness/postgres-server.ts';
import { encodeQuery } from './dns-query.ts';
import type { HttpLoadResult } from './http-load.ts';
import { percentile } from './percentile.ts';
import { printTable } from './print-table.ts';
import type { PropagationResult } from './propagation.ts';
import { newFolder, runLoad, startService, type ServiceUnderTest } from './service-under-test.ts';

const SECONDS = 6;
const DOMAIN = 'bench.example';
const CREATES_PER_SECOND = 500;
const OUTAGES = 5;
const OUTAGE_QUERIES = 20_000;
/** The RCODE for a name that is not hosted. */
const REFUSED = 5;

type Row = readonly [name: string, ...figures: string[]];

const only = process.argv[2] ?? '';
const postgres = await startPostgresServer({ fsync: true });
const database = await postgres.newDatabase();
const copyFolder = newFolder();
const api = await startService({ settings: { ZONEWRIGHT_DATABASE: database, ZONEWRIGHT_ROLE: 'api' } });
let nameserver = await startNameserver();
const rows: Row[] = [];
try {
  await createDomain();
  for (const [name, measure] of measurements()) {
    if (name.includes(only)) rows.push([name, ...(await measure())]);
  }
} finally {
  await nameserver.stop();
  await api.stop();
  await postgres.remove();
  rmSync(copyFolder, { recursive: true, force: true });
}
printTable(
  ['what', 'figures'],
  rows.map(([name, ...figures]) => [name, figures.join(' · ')]),
);

function measurements(): [string, () => Promise<string[]>][] {
  return [
    ['durable creates, 1 connection', () => creates(1)],
    ['durable creates, 16 connections', () => creates(16)],
    ['durable creates, 64 connections', () => creates(64)],
    ['from 201 to the answer of another process', propagation],
    ['the database is stopped', outages],
  ];
}

async function creates(connections: number): Promise<string[]> {
  const load = {
    host: api.host,
    port: api.httpPort,
    key: api.key,
    connections,
    paths: 'create',
    domain: DOMAIN,
    perSecond: 0,
  };
  await runLoad<HttpLoadResult>(api, 'http-load.ts', { ...load, seconds: 2, run: `warm${connections}` });
  const result = await runLoad<HttpLoadResult>(api, 'http-load.ts', {
    ...load,
    seconds: SECONDS,
    run: `run${connections}`,
  });
  if (result.failures > 0) throw new Error(`${result.failures} creates failed`);
  return [
    `${(result.requests / result.seconds).toFixed(0)} creates/s`,
    `p50 ${result.p50Ms.toFixed(2)} ms, p99 ${result.p99Ms.toFixed(2)} ms`,
    `${((result.serverSeconds / result.requests) * 1e6).toFixed(0)} µs CPU of the API process each`,
  ];
}

async function propagation(): Promise<string[]> {
  const { host, httpPort, key } = api;
  const load = {
    host,
    httpPort,
    key,
    dnsPort: nameserver.dnsPort,
    domain: DOMAIN,
    perSecond: CREATES_PER_SECOND,
  };
  await runLoad<PropagationResult>(api, 'propagation.ts', { ...load, seconds: 3, run: 'warm' });
  const result = await runLoad<PropagationResult>(api, 'propagation.ts', {
    ...load,
    seconds: SECONDS * 2,
    run: 'p',
  });
  return [
    `${result.perSecond.toFixed(0)} creates/s`,
    `p50 ${result.p50Ms.toFixed(1)} ms, p99 ${result.p99Ms.toFixed(1)} ms, longest ${result.maxMs.toFixed(1)} ms`,
  ];
}

/**
 * Queries during a database outage, before and after a restart of the nameserver; then the time until it is current.
 */
async function outages(): Promise<string[]> {
  let unanswered = 0;
  const currentMs: number[] = [];
  for (let outage = 0; outage < OUTAGES; outage++) {
    await postgres.stop();
    unanswered += await countUnanswered();
    await nameserver.stop();
    nameserver = await startNameserver();
    unanswered += await countUnanswered();
    await postgres.start();
    currentMs.push(await timeUntilCurrent(`back-${outage}`));
  }
  currentMs.sort((a, b) => a - b);
  return [
    `${unanswered} of ${OUTAGES * 2 * OUTAGE_QUERIES} queries unanswered`,
    `current again after ${percentile(currentMs, 50).toFixed(0)} ms, at most ${percentile(currentMs, 100).toFixed(0)} ms`,
  ];
}

/** Time from the moment the database accepts connections until a new record is answered. */
async function timeUntilCurrent(name: string): Promise<number> {
  const startMs = performance.now();
  const body = { type: 'A', name, data: '192.0.2.1', ttl: 60 };
  while (!(await post(`/v2/domains/${DOMAIN}/records`, body)).ok) await pause(10);
  const socket = await connected();
  while (!(await isAnswered(socket, `${name}.${DOMAIN}`))) await pause(5);
  socket.close();
  return performance.now() - startMs;
}

async function countUnanswered(): Promise<number> {
  const socket = await connected();
  let unanswered = 0;
  for (let i = 0; i < OUTAGE_QUERIES; i++) if ((await ask(socket, DOMAIN)) === undefined) unanswered++;
  socket.close();
  return unanswered;
}

async function isAnswered(socket: Socket, name: string): Promise<boolean> {
  return ((await ask(socket, name))?.readUInt16BE(6) ?? 0) > 0;
}

function ask(socket: Socket, name: string): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const done = (message?: Buffer): void => {
      clearTimeout(timer);
      socket.off('message', done);
      resolve(message);
    };
    const timer = setTimeout(done, 1000);
    socket.on('message', done);
    socket.send(encodeQuery(name));
  });
}

function connected(): Promise<Socket> {
  const socket = createSocket('udp4');
  return new Promise((resolve) => socket.connect(nameserver.dnsPort, nameserver.host, () => resolve(socket)));
}

function startNameserver(): Promise<ServiceUnderTest> {
  const settings = { ZONEWRIGHT_DATABASE: database, ZONEWRIGHT_ROLE: 'nameserver' };
  return startService({ settings, folder: copyFolder });
}

async function createDomain(): Promise<void> {
  if (!(await post('/v2/domains', { domain: DOMAIN })).ok) throw new Error('the domain could not be created');
  const socket = await connected();
  while (((await ask(socket, DOMAIN))?.[3] ?? 0) % 16 === REFUSED) await pause(10);
  socket.close();
}

function post(path: string, body: object): Promise<Response> {
  return fetch(`http://${api.host}:${api.httpPort}${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${api.key}` },
    body: JSON.stringify(body),
  });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
