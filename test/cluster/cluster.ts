import { newApiKey } from '../harness/api-key.ts';
import type { DnsClient } from '../harness/dns-client.ts';
import { DnsUnanswered } from '../harness/dns-client.ts';
import { Unanswered, type HttpClient, type HttpReply } from '../harness/http-client.ts';
import type { PostgresServer } from '../harness/postgres-server.ts';
import type { Random } from '../harness/random.ts';
import { makeDataFolder, settingsFor, startProgram, startService, type Service } from '../harness/service.ts';
import type { Target } from '../kill/record-writer.ts';
import { pause } from '../kill/victim.ts';
import { damageAtRandom } from './damage-copy.ts';

/*
 * One installation on several machines; each can be killed and restarted on its own data at any moment.
 */

const PAUSE_MS = 10;
/** Shorter than usual, because many questions go to a process that has just been killed. */
const QUESTION_TIMEOUT_MS = 500;

export interface Machine {
  readonly name: string;
  isUp(): boolean;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
  /** Restarts on the existing data. Resolves when it serves, with or without its database. */
  start(): Promise<void>;
  /** Starts it and kills it after this time. */
  killWhileStarting(afterMs: number): Promise<void>;
  /** Damages its zone copy while it is down; absent if it has none. */
  readonly spoil?: (random: Random) => void;
}

/** A process of the service. */
export interface Node extends Machine {
  /** Its data folder. */
  readonly data: string;
  /** Ends it in order. */
  stop(): Promise<void>;
  /** The latest start; the addresses change with each start. */
  current(): Service;
  /** When it has started for the last time. */
  startedAtMs(): number;
  /** How often its zone copy was damaged. From then on, it may refuse to answer, and answer as it did before. */
  damages(): number;
}

/** Two API processes and two nameserver processes on one database. */
export interface Cluster {
  readonly apis: readonly Node[];
  readonly nameservers: readonly Node[];
  end(): Promise<void>;
}

/** @param database URL of an empty database */
export async function startCluster(database: string): Promise<Cluster> {
  const shared = { database, key: newApiKey() };
  const start = (name: string, role: 'api' | 'nameserver'): Promise<Node> =>
    startNode({ ...shared, name, role });
  const apis = [await start('api1', 'api'), await start('api2', 'api')];
  const nameservers = [await start('ns1', 'nameserver'), await start('ns2', 'nameserver')];
  return {
    apis,
    nameservers,
    end: async () => {
      for (const node of [...apis, ...nameservers]) if (node.isUp()) await node.current().stop();
    },
  };
}

export function databaseMachine(server: PostgresServer): Machine {
  let isUp = true;
  return {
    name: 'PostgreSQL',
    isUp: () => isUp,
    kill: async () => {
      isUp = false;
      await server.kill();
    },
    start: async () => {
      await server.start();
      isUp = true;
    },
    killWhileStarting: async (afterMs) => {
      const started = server.start();
      await Promise.race([started, pause(afterMs)]);
      await started;
      await server.kill();
    },
  };
}

async function startNode(options: {
  readonly name: string;
  readonly role: 'api' | 'nameserver';
  readonly database: string;
  readonly key: string;
}): Promise<Node> {
  const { name, role, database, key } = options;
  const data = makeDataFolder(key);
  const settings = { ZONEWRIGHT_SERVER_NAME: name };
  let service = await startService({ data, role, database, key, settings });
  let isUp = true;
  let startedAtMs = Date.now();
  let damages = 0;
  const spoil = (random: Random): void => {
    damages++;
    damageAtRandom(data, random);
  };
  return {
    name,
    data,
    isUp: () => isUp,
    current: () => service,
    startedAtMs: () => startedAtMs,
    damages: () => damages,
    ...(role === 'nameserver' && { spoil }),
    kill: async () => {
      isUp = false;
      await service.kill();
    },
    stop: async () => {
      isUp = false;
      await service.stop();
    },
    start: async () => {
      service = await startService({ data, role, database, key, settings, until: 'serving' });
      startedAtMs = Date.now();
      isUp = true;
    },
    killWhileStarting: async (afterMs) => {
      const where = { ZONEWRIGHT_DATABASE: database, ZONEWRIGHT_ROLE: role };
      const program = startProgram(['serve'], { ...settingsFor(data), ...where, ...settings });
      await pause(afterMs);
      program.signal('SIGKILL');
      await program.ended();
    },
  };
}

/**
 * Acts like a load balancer with impatient clients: uses any running API process, and the next one after a failure,
 * until an answer says that something happened.
 */
export function requestAnyOf(apis: readonly Node[], random: Random): Target['request'] {
  return async (send) => {
    let repeated = false;
    for (let turn = random.below(apis.length); ; turn++) {
      const api = apis[turn % apis.length];
      try {
        const reply = api.isUp() ? await send(api.current().http) : undefined;
        if (reply !== undefined && reply.status !== 503) return { reply, repeated };
      } catch (error) {
        if (!(error instanceof Unanswered)) throw error;
        repeated = true;
      }
      await pause(PAUSE_MS);
    }
  };
}

/** Reads from exactly this process, as soon as it answers. */
export async function readFrom(api: Node, path: string): Promise<HttpReply> {
  return (
    await requestAnyOf([api], { next: () => 0, below: () => 0, pick: ([item]) => item })((http: HttpClient) =>
      http.get(path),
    )
  ).reply;
}

/** Repeats the question until this nameserver answers. */
export async function askNode<T>(
  nameserver: Node,
  question: (dns: DnsClient, options: { attempts: number; timeoutMs: number }) => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      if (nameserver.isUp())
        return await question(nameserver.current().dns, { attempts: 1, timeoutMs: QUESTION_TIMEOUT_MS });
    } catch (error) {
      if (!(error instanceof DnsUnanswered)) throw error;
    }
    await pause(PAUSE_MS);
  }
}
