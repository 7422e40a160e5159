/**
 * Queries a nameserver over UDP with a fixed number of concurrent queries and prints one JSON line. A substitute for
 * dnsperf if that is not installed; dgram costs this process more per query than the server under test.
 *
 *     node --import tsx bench/udp-load.ts '{"port":5300, "names":["www.example.com"], "seconds":5, …}'
 */

import { createSocket } from 'node:dgram';
import { encodeQuery } from './dns-query.ts';

export interface UdpLoad {
  readonly host: string;
  readonly port: number;
  readonly names: readonly string[];
  readonly seconds: number;
  readonly underWay: number;
}

export interface UdpLoadResult {
  readonly queries: number;
  readonly lost: number;
  readonly wrong: number;
  readonly seconds: number;
}

const load = JSON.parse(process.argv[2] ?? '{}') as UdpLoad;
const queries = load.names.map((name) => encodeQuery(name));
const startMs = performance.now();
const endMs = startMs + load.seconds * 1000;
let answered = 0;
let lost = 0;
let wrong = 0;
let open = load.underWay;
for (let i = 0; i < load.underWay; i++) keepAsking(i);

/** Uses one socket per concurrent query, so that the kernel spreads them over the threads of the server. */
function keepAsking(start: number): void {
  const socket = createSocket('udp4');
  let number = start;
  const next = (): void => {
    if (performance.now() >= endMs) {
      clearInterval(timer);
      socket.close();
      if (--open === 0) report();
      return;
    }
    number += load.underWay;
    socket.send(queries[number % queries.length]);
  };
  let answeredBefore = false;
  const timer = setInterval(() => {
    if (!answeredBefore) {
      lost++;
      next();
    }
    answeredBefore = false;
  }, 1000);
  socket.on('message', (message) => {
    answered++;
    answeredBefore = true;
    if (message.readUInt16BE(6) === 0) wrong++;
    next();
  });
  socket.connect(load.port, load.host, next);
}

function report(): void {
  const result: UdpLoadResult = {
    queries: answered,
    lost,
    wrong,
    seconds: (performance.now() - startMs) / 1000,
  };
  console.log(JSON.stringify(result));
}
