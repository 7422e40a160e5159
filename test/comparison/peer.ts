// A nameserver for comparison: runs in the foreground in its own folder on a free loopback port, is queried over UDP
// and TCP, and is ended by its process id.

import { spawn, type ChildProcess } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { freePort } from '../harness/free-port.ts';
import { DnsAsker } from './dns-asker.ts';
import { decodeMessage, encodeQuery, type Query } from './message.ts';
import type { Denial, TestZone } from './test-zone.ts';

const HOST = '127.0.0.1';
/** A busy machine needs seconds to load two hundred small zones. */
const START_TIMEOUT_MS = 30_000;
const STOP_GRACE_MS = 3000;
const POLL_MS = 50;

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Configuration and start of one of the servers. */
export interface PeerKind {
  readonly name: string;
  readonly debianPackages: readonly string[];
  readonly command: string;
  /**
   * Writes the server's configuration into `folder`, which holds each zone as `zoneFileName(zone)`. Returns its
   * arguments.
   */
  configure(folder: string, port: number, zones: readonly TestZone[]): readonly string[];
  /** Signs the zones after that, where the server does not do it at its start; all of them have the same denial. */
  sign?(folder: string, zones: readonly TestZone[], denial: Denial): Promise<void>;
}

export interface Peer {
  readonly name: string;
  /** Resolves with the answer's octets; undefined if none came. */
  ask(query: Query): Promise<Buffer | undefined>;
  /** Asks only once, because silence may be the answer. */
  askRaw(packet: Buffer, tcp: boolean): Promise<Buffer | undefined>;
  stop(): Promise<void>;
}

export function zoneFileName(zone: TestZone): string {
  return `${zone.apex === '.' ? 'root' : zone.apex.slice(0, -1)}.zone`;
}

export function isInstalled(kind: PeerKind): boolean {
  return findCommand(kind.command) !== undefined;
}

/** Starts the server and waits until it answers for every zone; otherwise rejects with its output. */
export async function startPeer(
  kind: PeerKind,
  folder: string,
  allZones: readonly TestZone[],
): Promise<Peer> {
  const zones = allZones.filter((zone) => !zone.without.includes(kind.name));
  const port = await freePort();
  const command = findCommand(kind.command);
  if (command === undefined) throw new Error(`${kind.command} is not installed`);
  const args = kind.configure(folder, port, zones);
  const denial = zones.at(0)?.denial;
  if (denial !== undefined) await kind.sign?.(folder, zones, denial);
  const child = spawn(command, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('close', () => running.delete(child));
  let log = '';
  const append = (chunk: Buffer): void => {
    log += chunk.toString('utf8');
  };
  child.stdout.on('data', append);
  child.stderr.on('data', append);
  const asker = new DnsAsker(HOST, port);
  const peer: Peer = {
    name: kind.name,
    ask: (query) => asker.ask(encodeQuery(query), query.tcp),
    askRaw: (packet, tcp) => asker.askOnce(packet, tcp),
    stop: async () => {
      asker.close();
      await stopChild(child);
    },
  };
  try {
    await waitForZones(peer, child, zones);
  } catch (error) {
    await peer.stop();
    throw new Error(`${(error as Error).message}\n${log.split('\n').slice(-40).join('\n')}`, {
      cause: error,
    });
  }
  return peer;
}

async function waitForZones(peer: Peer, child: ChildProcess, zones: readonly TestZone[]): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  for (const { apex } of zones) {
    for (;;) {
      if (child.exitCode !== null) throw new Error(`${peer.name} ended at start with ${child.exitCode}`);
      const reply = await peer.ask({ name: apex, type: 'SOA', tcp: false, ednsBytes: undefined });
      if (reply !== undefined) {
        const { rcode, aa, answer } = decodeMessage(reply);
        if (rcode === 'NOERROR' && aa && answer.length > 0) break;
      }
      if (performance.now() > deadline) throw new Error(`${peer.name} does not serve ${apex}`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}

function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_GRACE_MS);
    child.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    child.kill('SIGTERM');
  });
}

function findCommand(command: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  return folders.map((folder) => join(folder, command)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
