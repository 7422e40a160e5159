/**
 * Creates a record over HTTP and immediately queries it over UDP, repeatedly: measures the time from the request to
 * the answer that contains it, and whether any first answer was stale. Prints one JSON line.
 */

import { createSocket, type Socket } from 'node:dgram';
import { encodeQuery } from './dns-query.ts';
import { percentile } from './percentile.ts';

export interface AnswerableLoad {
  readonly host: string;
  readonly httpPort: number;
  readonly dnsPort: number;
  readonly key: string;
  readonly domain: string;
  readonly rounds: number;
}

export interface AnswerableResult {
  readonly rounds: number;
  readonly stale: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const load = JSON.parse(process.argv[2] ?? '{}') as AnswerableLoad;
const url = `http://${load.host}:${load.httpPort}/v2/domains/${load.domain}/records`;

const socket = await connected();
const timesMs: number[] = [];
let stale = 0;
for (let round = 0; round < load.rounds; round++) {
  const name = `round-${round}`;
  // Queried beforehand, so that a cache would keep the negative answer.
  if (round % 2 === 0) await hasAnswer(socket, `${name}.${load.domain}`);
  const startMs = performance.now();
  const response = await fetch(url, {
    method: 'POST',
    headers: { Authorization: `Bearer ${load.key}` },
    body: JSON.stringify({ type: 'A', name, data: '192.0.2.1', ttl: 60 }),
  });
  await response.arrayBuffer();
  if (response.status !== 201) throw new Error(`create answered ${response.status}`);
  if (!(await hasAnswer(socket, `${name}.${load.domain}`))) stale++;
  timesMs.push(performance.now() - startMs);
}
socket.close();
timesMs.sort((a, b) => a - b);
const result: AnswerableResult = {
  rounds: load.rounds,
  stale,
  p50Ms: percentile(timesMs, 50),
  p99Ms: percentile(timesMs, 99),
};
console.log(JSON.stringify(result));

function connected(): Promise<Socket> {
  const socket = createSocket('udp4');
  return new Promise((resolve) => socket.connect(load.dnsPort, load.host, () => resolve(socket)));
}

function hasAnswer(socket: Socket, name: string): Promise<boolean> {
  socket.send(encodeQuery(name));
  return new Promise((resolve) => {
    socket.once('message', (message: Buffer) => resolve(message.readUInt16BE(6) > 0));
  });
}
