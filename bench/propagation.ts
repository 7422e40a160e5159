/**
 * Creates records at a steady rate over HTTP at one process, and queries another process for each record from the
 * moment of its 201 until it is answered. Prints one JSON line.
 */

import { createSocket, type Socket } from 'node:dgram';
import { Agent, request } from 'node:http';
import { encodeQuery } from './dns-query.ts';
import { percentile } from './percentile.ts';

export interface PropagationLoad {
  readonly host: string;
  readonly httpPort: number;
  readonly key: string;
  readonly dnsPort: number;
  readonly domain: string;
  readonly perSecond: number;
  readonly seconds: number;
  readonly run: string;
}

export interface PropagationResult {
  readonly creates: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** The interval between two questions for one name. */
const ASK_EVERY_MS = 1;

const load = JSON.parse(process.argv[2] ?? '{}') as PropagationLoad;
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const waiting = new Map<number, () => void>();
const socket = await connected();
const timesMs: number[] = [];
const total = load.perSecond * load.seconds;
const startMs = performance.now();
await Promise.all(Array.from({ length: total }, (_, number) => createAndAsk(number)));
const seconds = (performance.now() - startMs) / 1000;
socket.close();
agent.destroy();
timesMs.sort((a, b) => a - b);
const result: PropagationResult = {
  creates: total,
  perSecond: total / seconds,
  p50Ms: percentile(timesMs, 50),
  p99Ms: percentile(timesMs, 99),
  maxMs: timesMs.at(-1) ?? NaN,
};
console.log(JSON.stringify(result));

async function createAndAsk(number: number): Promise<void> {
  await until(startMs + (number / load.perSecond) * 1000);
  const name = `${load.run}-${number}`;
  await create(name);
  const answeredMs = performance.now();
  const query = encodeQuery(`${name}.${load.domain}`);
  query.writeUInt16BE(number & 0xffff, 0);
  await new Promise<void>((resolve) => {
    waiting.set(number & 0xffff, resolve);
    const ask = (): void => {
      if (waiting.get(number & 0xffff) !== resolve) return;
      socket.send(query);
      setTimeout(ask, ASK_EVERY_MS);
    };
    ask();
  });
  timesMs.push(performance.now() - answeredMs);
}

function create(name: string): Promise<void> {
  const body = JSON.stringify({ type: 'A', name, data: '192.0.2.1', ttl: 60 });
  return new Promise((resolve, reject) => {
    const path = `/v2/domains/${load.domain}/records`;
    const headers = { Authorization: `Bearer ${load.key}`, 'Content-Length': body.length };
    const sent = request({ agent, host: load.host, port: load.httpPort, method: 'POST', path, headers });
    sent.on('response', (response) => {
      response.resume();
      response.on('end', () => {
        if (response.statusCode === 201) resolve();
        else reject(new Error(`create answered ${String(response.statusCode)}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function until(timeMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, timeMs - performance.now())));
}

function connected(): Promise<Socket> {
  const connecting = createSocket({ type: 'udp4', recvBufferSize: 4 << 20 });
  connecting.on('message', (message: Buffer) => {
    const id = message.readUInt16BE(0);
    if (message.readUInt16BE(6) === 0) return;
    const done = waiting.get(id);
    waiting.delete(id);
    done?.();
  });
  return new Promise((resolve) => connecting.connect(load.dnsPort, load.host, () => resolve(connecting)));
}
