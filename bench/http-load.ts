/**
 * Loads the HTTP interface over keep-alive connections, with one request in progress on each, and prints one JSON
 * line. It is a separate process on plain sockets and costs little next to the server under test.
 *
 *     node --import tsx bench/http-load.ts '{"port":8080, "connections":64, "seconds":5, …}'
 */

import { connect, type Socket } from 'node:net';
import { percentile } from './percentile.ts';

export interface HttpLoad {
  readonly host: string;
  readonly port: number;
  readonly key: string;
  readonly connections: number;
  readonly seconds: number;
  /** `create` sends new TXT and A records, all different; a list sends GET requests for its paths in turn. */
  readonly paths: 'create' | readonly string[];
  readonly domain: string;
  /** Total requests per second; 0 means as many as possible. */
  readonly perSecond: number;
  /** Distinguishes the names of this run from those of others. */
  readonly run: string;
}

export interface HttpLoadResult {
  readonly requests: number;
  readonly failures: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const load = JSON.parse(process.argv[2] ?? '{}') as HttpLoad;
const head = `Host: ${load.host}\r\nAuthorization: Bearer ${load.key}\r\n`;
const latenciesMs: number[] = [];
let sent = 0;
let failures = 0;
const startMs = performance.now();
const endMs = startMs + load.seconds * 1000;

let open = load.connections;
for (let i = 0; i < load.connections; i++) keepBusy();

function keepBusy(): void {
  const socket = connect(load.port, load.host);
  socket.setNoDelay(true);
  let sentMs = 0;
  const next = (): void => {
    if (performance.now() >= endMs) {
      socket.destroy();
      if (--open === 0) report();
      return;
    }
    const waitMs = load.perSecond === 0 ? 0 : startMs + (sent / load.perSecond) * 1000 - performance.now();
    if (waitMs > 1) {
      setTimeout(next, waitMs);
      return;
    }
    sentMs = performance.now();
    socket.write(nextRequest(), 'latin1');
  };
  readResponses(socket, (status) => {
    latenciesMs.push(performance.now() - sentMs);
    if (status >= 300) failures++;
    next();
  });
  socket.on('connect', next);
  socket.on('error', (error) => {
    throw error;
  });
}

function nextRequest(): string {
  const number = sent++;
  if (load.paths !== 'create') return `GET ${load.paths[number % load.paths.length]} HTTP/1.1\r\n${head}\r\n`;
  const body =
    number % 2 === 0
      ? `{"type":"A","name":"${load.run}-${number}","data":"192.0.2.${number % 256}","ttl":300}`
      : `{"type":"TXT","name":"${load.run}-${number}","data":"\\"v=spf1 include:spf.example.net -all\\"","ttl":300}`;
  return (
    `POST /v2/domains/${load.domain}/records HTTP/1.1\r\n${head}` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  );
}

/** Reads one HTTP/1.1 answer at a time: the status and, by Content-Length, the end. */
function readResponses(socket: Socket, done: (status: number) => void): void {
  let text = '';
  let missing = -1;
  socket.on('data', (chunk: Buffer) => {
    if (missing >= 0) missing -= chunk.length;
    else {
      text += chunk.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = /content-length: (\d+)/i.exec(text.slice(0, end));
      missing = Number(length?.[1] ?? 0) - (text.length - end - 4);
    }
    if (missing > 0) return;
    const status = Number(text.slice(9, 12));
    text = '';
    missing = -1;
    done(status);
  });
}

function report(): void {
  latenciesMs.sort((a, b) => a - b);
  const result: HttpLoadResult = {
    requests: latenciesMs.length,
    failures,
    seconds: (performance.now() - startMs) / 1000,
    p50Ms: percentile(latenciesMs, 50),
    p99Ms: percentile(latenciesMs, 99),
  };
  console.log(JSON.stringify(result));
}
