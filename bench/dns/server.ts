/** A nameserver of the comparison, pinned to the first core: its startup time, memory and processor time. */

import { spawn, type ChildProcess } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { basename, join } from 'node:path';
import { bind } from '../../test/comparison/peers/bind.ts';
import { knot } from '../../test/comparison/peers/knot.ts';
import { nsd } from '../../test/comparison/peers/nsd.ts';
import { powerdns } from '../../test/comparison/peers/powerdns.ts';
import { isInstalled, type PeerKind } from '../../test/comparison/peer.ts';
import { encodeQuery } from '../dns-query.ts';
import { processFamily, processorSeconds, proportionalMb } from '../../test/harness/process-family.ts';
import { ownCheckout } from '../service-under-test.ts';
import { storeFolder } from './fill-store.ts';
import { BENCH_NAMESERVER } from './zones.ts';

export interface BenchServer {
  readonly name: string;
  readonly port: number;
  /** Seconds from the start to the first correct answer. */
  readonly startSeconds: number;
  /** Measured when all its processes have started; pages that they share count once. */
  readonly residentMb: number;
  processorSeconds(): number;
  residentNowMb(): number;
  stop(): Promise<void>;
}

export interface ServerKind {
  readonly name: string;
  readonly port: number;
  /** The server is complete when it listens on this port; undefined: when it answers queries. */
  readonly httpPort?: number;
  /** Whether it is a checkout of Zonewright. */
  readonly isOwn: boolean;
  command(folder: string, apexes: readonly string[]): readonly string[];
}

const OWN_PORT = 16_000;
const START_TIMEOUT_MS = 600_000;
const POLL_MS = 20;
/** From the port for DNS to the one for HTTP. */
const HTTP_OFFSET = 500;

const peers: readonly [PeerKind, number][] = [
  [knot, 16_001],
  [nsd, 16_002],
  [bind, 16_003],
  [powerdns, 16_004],
];

/**
 * Zonewright, other built checkouts of it (named by their folders), and every other nameserver that is installed.
 *
 * @param checkouts folders
 */
export function serverKinds(checkouts: readonly string[] = []): ServerKind[] {
  const installed = peers.filter(([kind]) => isInstalled(kind));
  return [
    fromCheckout('zonewright', ownCheckout, OWN_PORT),
    ...checkouts.map((folder, i) => fromCheckout(basename(folder), folder, OWN_PORT + 100 + i)),
    ...installed.map(([kind, port]) => fromPeer(kind, port)),
  ];
}

function fromCheckout(name: string, checkout: string, port: number): ServerKind {
  const httpPort = port + HTTP_OFFSET;
  return {
    name,
    port,
    httpPort,
    isOwn: true,
    command: (folder) => [
      process.execPath,
      join(checkout, 'dist/app/main.js'),
      'serve',
      ...['--http', `127.0.0.1:${httpPort}`, '--dns', `127.0.0.1:${port}`, '--workers', '1', '--rrl', '0'],
      ...['--data', storeFolder(folder, name), '--nameservers', BENCH_NAMESERVER, '--log', 'warn'],
    ],
  };
}

/** Configured as in the comparison of answers, but with the caches that make PowerDNS fast. */
function fromPeer(kind: PeerKind, port: number): ServerKind {
  return {
    name: kind.name,
    port,
    isOwn: false,
    command(folder, apexes) {
      const zones = apexes.map((apex) => ({
        title: apex,
        apex: `${apex}.`,
        records: [],
        without: [],
        asks: [],
      }));
      rmSync(join(folder, kind.name), { recursive: true, force: true });
      const args = kind.configure(folder, port, zones);
      const caches = ['--cache-ttl=60', '--query-cache-ttl=60', '--negquery-cache-ttl=60'];
      return [kind.command, ...args, ...(kind === powerdns ? caches : [])];
    },
  };
}

/** Resolves at the first correct answer for `name`. */
export async function startServer(
  kind: ServerKind,
  folder: string,
  apexes: readonly string[],
  name: string,
): Promise<BenchServer> {
  const command = kind.command(folder, apexes);
  const startMs = performance.now();
  const child = spawn('taskset', ['-c', '0', ...command], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'ignore'],
    env: { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin` },
  });
  let startSeconds: number;
  try {
    await firstAnswer(child, kind, name, startMs + START_TIMEOUT_MS);
    startSeconds = (performance.now() - startMs) / 1000;
    // On one processor, HTTP starts after that, which no later measurement must include.
    if (kind.httpPort !== undefined) await listens(child, kind.httpPort);
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  // NSD and Zonewright answer from a child of the started process.
  const pids = (): number[] => processFamily(child.pid ?? 0);
  return {
    name: kind.name,
    port: kind.port,
    startSeconds,
    residentMb: sum(pids().map(proportionalMb)),
    processorSeconds: () => sum(pids().map(processorSeconds)),
    residentNowMb: () => sum(pids().map(proportionalMb)),
    stop: () =>
      new Promise((resolve) => {
        child.once('close', () => resolve());
        child.kill('SIGTERM');
        setTimeout(() => child.kill('SIGKILL'), 20_000).unref();
      }),
  };
}

async function firstAnswer(
  child: ChildProcess,
  kind: ServerKind,
  name: string,
  deadlineMs: number,
): Promise<void> {
  const socket = createSocket('udp4');
  socket.on('error', () => undefined);
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      socket.on('message', (message) => {
        if (message.readUInt16BE(6) > 0) resolve();
      });
      timer = setInterval(() => {
        if (child.exitCode !== null) reject(new Error(`${kind.name} ended at start with ${child.exitCode}`));
        if (performance.now() > deadlineMs) reject(new Error(`${kind.name} gave no answer in time`));
        socket.send(encodeQuery(name), kind.port, '127.0.0.1');
      }, POLL_MS);
    });
  } finally {
    clearInterval(timer);
    socket.close();
  }
}

async function listens(child: ChildProcess, port: number): Promise<void> {
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`the server ended at start with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
