import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { systemClock } from '../base/clock.ts';
import { startHttpServer } from '../http/http-server.ts';
import { startNameserver, type Nameserver } from '../nameserver/nameserver.ts';
import { createOperationContext } from '../operations/operation-context.ts';
import type { Settings } from '../operations/settings.ts';
import { startPublisher } from '../publisher/publisher.ts';
import { openSqliteStore, type SqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { ZoneSource } from '../store/store.ts';
import { bootstrapAdmin, type AdminKey } from './bootstrap-admin.ts';
import type { ListenAddress } from './config-parsers.ts';
import type { Config } from './config-settings.ts';

/**
 * Puts the parts together, in the order in which they need each other, and takes them apart backwards:
 *
 *   store ─▶ publisher ─▶ nameserver ─▶ HTTP ─▶ first account and key ─▶ ready
 *
 * The nameserver answers before HTTP takes writes, so that what a write promises is already being kept. The first
 * account comes last: where a port is in use, the new store stays empty, and the start that succeeds shows the key.
 */
export interface RunningService {
  readonly http: ListenAddress;
  readonly dns: readonly ListenAddress[];
  readonly adminKey: AdminKey;
  /** Takes no more, finishes what is under way, closes the store. */
  stop(): Promise<void>;
}

/** How to stop what has been started, oldest first. */
type Stops = (() => void | Promise<void>)[];

/**
 * @param stopping aborted when the process was told to stop meanwhile: what has been started is taken apart again.
 * @throws whatever the part that cannot start throws, after the earlier ones have been stopped.
 */
export async function startService(
  config: Config,
  log: Logger,
  stopping: AbortSignal,
): Promise<RunningService> {
  const stops: Stops = [];
  let isReady = false;
  const stop = async (): Promise<void> => {
    isReady = false;
    for (const stopPart of stops.splice(0).reverse()) {
      try {
        await stopPart();
      } catch (error) {
        // The parts below, the store above all, are closed all the same.
        log.error({ err: error }, 'a part could not be stopped');
      }
    }
  };
  try {
    const store = await openStore(config, log, stops);
    stopping.throwIfAborted();
    const nameserver = await startDns(config, store, log, stops);
    stopping.throwIfAborted();
    const context = createOperationContext({
      store,
      clock: systemClock,
      settings: operationSettings(config),
    });
    const http = await startHttpServer({
      ...config.http,
      context,
      rateLimitPerSecond: config.rateLimit,
      isReady: () => isReady,
      log,
    });
    stops.push(() => http.stop());
    stopping.throwIfAborted();
    const adminKey = await bootstrapAdmin({
      context,
      keyFile: config.adminKeyFile,
      email: config.hostmaster,
      log,
    });
    isReady = true;
    return { http: http.address, dns: nameserver.addresses, adminKey, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openStore(config: Config, log: Logger, stops: Stops): Promise<SqliteStore> {
  const store = await openSqliteStore({
    folder: config.data,
    clock: systemClock,
    log,
    historyDays: config.historyDays,
  });
  stops.push(() => store.close());
  return store;
}

async function startDns(config: Config, source: ZoneSource, log: Logger, stops: Stops): Promise<Nameserver> {
  const publisher = startPublisher({
    source,
    memoryBytes: config.zoneMemory,
    soa: { nameservers: config.nameservers, mailbox: config.hostmaster },
    readers: config.workers,
    // Unknown outside, so that nobody can choose names that share a place in the table of hosted zones.
    seed: randomBytes(4).readUInt32LE(),
    log,
  });
  stops.push(() => publisher.close());
  const nameserver = await startNameserver({
    addresses: config.dns,
    workers: config.workers,
    udp: config.udp,
    memory: publisher.memory,
    loadZone: (name) => publisher.loadZone(name),
    answering: {
      cookieSecret: config.cookieSecret ?? randomBytes(16),
      identifier: config.nsid,
      responsesPerSecond: config.rrl,
    },
    log,
  });
  stops.push(() => nameserver.stop());
  return nameserver;
}

function operationSettings(config: Config): Settings {
  return {
    recordRules: { txtLimitBytes: config.txtLimit, defaultTtlSeconds: config.defaultTtl },
    zoneNameRules: { allowPublicSuffixes: config.allowPublicSuffixes },
    soa: { nameservers: config.nameservers, mailbox: config.hostmaster },
    nameservers: config.nameservers,
  };
}
