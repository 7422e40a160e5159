import type { HttpAddress } from '../http/http-address.ts';
import type { Readiness } from '../http/http-app-options.ts';
import { startServiceHttpServer } from '../http/http-server.ts';
import { findProblems } from './find-problems.ts';
import { lockFolder } from '../store/sqlite/open-store-files.ts';
import { formatAddresses } from './announce.ts';
import type { AdminKey } from './bootstrap-admin.ts';
import type { ListenAddress } from './config-parsers.ts';
import { createReadiness } from './create-readiness.ts';
import { warnOfUnusedStore } from './open-stores.ts';
import { openHttps } from './open-https.ts';
import { openZones } from './open-zones.ts';
import { startInParts, type RunningParts } from './running-parts.ts';
import { createServiceMetrics } from './service-metrics.ts';
import type { ServiceOptions, HttpStartOptions } from './service-options.ts';
import { startApi } from './start-api.ts';
import { startDns } from './start-dns.ts';

/**
 * Starts the parts of a service that is one process, in the order of their dependencies, and stops them in reverse order:
 *
 *   api           data folder ─────────────────────────▶ store ─▶ first account and key ─▶ HTTP ─▶ ready
 *   nameserver    zone copy ─▶ publisher ─▶ nameserver ─────────▶ HTTP, health alone ────────────▶ ready
 *
 * If PostgreSQL is unavailable, DNS is answered from the zone copy, and HTTP answers 503 until the first account is there. Role
 * `both` is two processes with a parent, see `family.ts`.
 */
export interface RunningService {
  readonly http: HttpAddress;
  /** Undefined without TLS. */
  readonly https: ListenAddress | undefined;
  /** Empty with role api. */
  readonly dns: readonly ListenAddress[];
  readonly adminKey: AdminKey;
  /** Stops accepting work, finishes the current work and closes the store. */
  stop(): Promise<void>;
}

/** @throws the error of the part that cannot start, after the earlier parts have been stopped */
export function startService(options: ServiceOptions): Promise<RunningService> {
  const withMetrics = { ...options, metrics: createServiceMetrics(options.config) };
  const start = options.config.role === 'api' ? startApiAlone : startNameserverAlone;
  return startInParts(options, async (parts) => {
    const started = await start(withMetrics, parts);
    parts.complete();
    return { ...started, stop: () => parts.stop() };
  });
}

type Started = Omit<RunningService, 'stop'>;

async function startApiAlone(options: HttpStartOptions, parts: RunningParts): Promise<Started> {
  const { config, log } = options;
  warnOfUnusedStore(config.data, log);
  const lock = lockFolder(config.data);
  parts.add(() => lock.release());
  const { adminKey, ...addresses } = await startApi(options, undefined, parts, (served) =>
    log.info(formatAddresses({ ...served, dns: [] }), 'serving'),
  );
  return { ...addresses, dns: [], adminKey };
}

async function startNameserverAlone(options: HttpStartOptions, parts: RunningParts): Promise<Started> {
  const { config, sockets, log, metrics } = options;
  const zones = await openZones(options, parts);
  const { nameserver } = await startDns(options, zones, parts);
  const dns = nameserver.addresses;
  const checked = { embedded: undefined, shared: undefined, copy: zones, zones, nameserver: undefined };
  const problems = findProblems(options, checked, parts);
  const readiness: () => Readiness = createReadiness(() => ({
    isComplete: parts.isComplete,
    isStopping: parts.isStopping,
    copy: zones.state(),
    dnsThreads: nameserver.workerFigures(),
    isDatabaseReady: undefined,
    problems: problems.look(),
  }));
  const https = await openHttps(options, problems, parts);
  const server = await startServiceHttpServer({
    address: config.http,
    socketMode: config.httpSocketMode,
    descriptor: sockets.http,
    readiness,
    log,
    metrics,
    trustedProxies: config.trustedProxies ?? [],
    proxyProtocol: config.proxyProtocol,
    https,
  });
  parts.add(() => server.stop());
  const addresses = { http: server.address, https: server.httpsAddress, dns };
  log.info(formatAddresses(addresses), 'serving');
  return { ...addresses, adminKey: noAdminKey };
}

/** A process that accepts no requests needs no key. */
const noAdminKey: AdminKey = { kind: 'kept' };
