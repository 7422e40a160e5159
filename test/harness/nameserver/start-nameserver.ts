import { silentLog, type Log } from '../../../src/base/log.ts';
import { defaultLimits, type NameserverLimits } from '../../../src/nameserver/nameserver-limits.ts';
import {
  startNameserver,
  type Nameserver,
  type NameserverOptions,
} from '../../../src/nameserver/threads/nameserver.ts';
import type { ListenAddress } from '../../../src/nameserver/listen-address.ts';

/** Starts nameservers for tests: on loopback, on a free port, with the answerer of `command-answerer.ts`. */

export interface Started {
  readonly nameserver: Nameserver;
  readonly to: ListenAddress;
  /** The zones that were requested; zones from 200 on cannot be loaded. */
  readonly loads: readonly string[];
}

const running = new Set<Nameserver>();

export async function start(options: Partial<NameserverOptions>): Promise<Started> {
  const memory = new SharedArrayBuffer(256);
  const loads: string[] = [];
  const nameserver = await startNameserver({
    addresses: [{ host: '127.0.0.1', port: 0 }],
    workers: 1,
    udp: 'auto',
    memory,
    loadZone: (zone) => {
      loads.push(zone);
      if (Number(zone) < 200) new Uint8Array(memory)[Number(zone)] = 1;
    },
    onUnrecoverable: (reason) => {
      throw new Error(reason);
    },
    log: silentLog,
    answererModule: new URL('./command-answerer.ts', import.meta.url),
    ...options,
  });
  running.add(nameserver);
  const [to] = nameserver.addresses;
  return { nameserver, to, loads };
}

/** Stops a nameserver before the end of its test. */
export async function stop(nameserver: Nameserver): Promise<void> {
  running.delete(nameserver);
  await nameserver.stop();
}

/** Stops all nameservers, in `afterEach` or `afterAll`. */
export async function stopAll(): Promise<void> {
  await Promise.all([...running].map((nameserver) => stop(nameserver)));
}

/** The default limits with some changes. */
export function limits(changed: {
  tcp?: Partial<NameserverLimits['tcp']>;
  pending?: Partial<NameserverLimits['pending']>;
  supervision?: Partial<NameserverLimits['supervision']>;
}): NameserverLimits {
  return {
    tcp: { ...defaultLimits.tcp, ...changed.tcp },
    pending: { ...defaultLimits.pending, ...changed.pending },
    supervision: { ...defaultLimits.supervision, ...changed.supervision },
  };
}

export function recordingLog(): { log: Log; lines: string[] } {
  const lines: string[] = [];
  const record = (fields: object, message: string): number =>
    lines.push(`${message} ${JSON.stringify(fields)}`);
  return { lines, log: { debug: record, info: record, warn: record, error: record } };
}
