import { systemClock } from '../base/clock.ts';
import type { Readiness } from '../http/http-app-options.ts';
import { startHttpServer, startServiceHttpServer, type HttpServer } from '../http/http-server.ts';
import { createOperationContext, type OperationContext } from '../operations/operation-context.ts';
import type { Settings } from '../operations/settings.ts';
import type { Store } from '../store/store.ts';
import type { AdminKey } from './bootstrap-admin.ts';
import { limitsOf } from './config-limits.ts';
import { formatListenAddress, type ListenAddress } from './config-parsers.ts';
import type { Config } from './config-settings.ts';
import { findProblems } from './find-problems.ts';
import { createReadiness } from './create-readiness.ts';
import { openFirstAccount } from './open-first-account.ts';
import { openLocalData, openSharedStore } from './open-stores.ts';
import { RunningParts } from './running-parts.ts';
import { createServiceMetrics } from './service-metrics.ts';
import type { ServiceOptions, StartOptions } from './service-options.ts';
import { startDns } from './start-dns.ts';

/**
 * Starts the parts in the order of their dependencies and stops them in reverse order:
 *
 *   SQLite              store ─────▶ publisher ─▶ nameserver ──────────▶ HTTP ─▶ first account and key ─▶ ready
 *   PostgreSQL, both    zone copy ─▶ publisher ─▶ nameserver ─▶ store ─▶ HTTP ─▶ first account and key ─▶ ready
 *       api             data folder ──────────────────────────▶ store ─▶ HTTP ─▶ first account and key ─▶ ready
 *       nameserver      zone copy ─▶ publisher ─▶ nameserver ──────────▶ HTTP, health alone ────────────▶ ready
 *
 * The nameserver answers before HTTP accepts writes, because an answered write must already be served. If PostgreSQL is
 * unavailable, DNS is answered from the zone copy, HTTP answers 503, and the first account waits. The account comes
 * last: if a port is in use, the new store stays empty, and the start that succeeds shows the key.
 */
export interface RunningService {
  readonly http: ListenAddress;
  /** Empty with role api. */
  readonly dns: readonly ListenAddress[];
  readonly adminKey: AdminKey;
  /** Stops accepting work, finishes the current work and closes the store. */
  stop(): Promise<void>;
}

/** @throws the error of the part that cannot start, after the earlier parts have been stopped */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const parts = new RunningParts(options.log, options.stopping);
  try {
    return await startParts({ ...options, metrics: createServiceMetrics(options.config) }, parts);
  } catch (error) {
    await parts.stop();
    throw error;
  }
}

async function startParts(options: StartOptions, parts: RunningParts): Promise<RunningService> {
  const { log } = options;
  const { zones, copy, store: embedded } = await openLocalData(options, parts);
  const nameserver = zones === undefined ? undefined : await startDns(options, zones, parts);
  const dns = nameserver?.addresses ?? [];
  const shared = await openSharedStore(options, copy, parts);
  const store = embedded ?? shared?.store;
  const problems = findProblems(options, { embedded, shared, copy }, parts);
  const context = store && createContext(options.config, store);
  const readiness = createReadiness(() => ({
    isComplete: parts.isComplete,
    copy: copy?.state(),
    dnsThreads: nameserver?.workerFigures(),
    isDatabaseReady: shared?.database.isConnected,
    problems: problems.look(),
  }));
  const http = await startHttp(options, context, readiness);
  parts.add(() => http.stop());
  log.info({ http: formatListenAddress(http.address), dns: dns.map(formatListenAddress) }, 'serving');
  const adminKey =
    context === undefined ? noAdminKey : await openFirstAccount(options, context, shared?.store.whenReady());
  parts.complete();
  return { http: http.address, dns, adminKey, stop: () => parts.stop() };
}

/** A process that accepts no requests needs no key. */
const noAdminKey: AdminKey = { kind: 'kept' };

/** @param context undefined: serves health and metrics only */
function startHttp(
  { config, sockets, log, metrics }: StartOptions,
  context: OperationContext | undefined,
  readiness: () => Readiness,
): Promise<HttpServer> {
  const listener = { ...config.http, descriptor: sockets.http, readiness, log, metrics };
  return context === undefined
    ? startServiceHttpServer(listener)
    : startHttpServer({
        ...listener,
        context,
        rateLimitPerSecond: config.rateLimit,
        corsOrigins: config.corsOrigins ?? [],
        trustedProxies: config.trustedProxies ?? [],
      });
}

function createContext(config: Config, store: Store): OperationContext {
  const settings: Settings = {
    recordRules: { txtLimitBytes: config.txtLimit, defaultTtlSeconds: config.defaultTtl },
    zoneNameRules: { allowPublicSuffixes: config.allowPublicSuffixes },
    soa: { nameservers: config.nameservers, mailbox: config.hostmaster },
    nameservers: config.nameservers,
    limits: limitsOf(config),
  };
  return createOperationContext({ store, clock: systemClock, settings });
}
