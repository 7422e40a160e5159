import { systemClock } from '../base/clock.ts';
import type { HttpAddress } from '../http/http-address.ts';
import { startHttpServer } from '../http/http-server.ts';
import { FirstAccountGate } from '../operations/first-account-gate.ts';
import { createOperationContext, type OperationContext } from '../operations/operation-context.ts';
import type { Settings } from '../operations/settings.ts';
import type { Store } from '../store/store.ts';
import type { AdminKey } from './bootstrap-admin.ts';
import { limitsOf } from './config-limits.ts';
import type { Config } from './config-settings.ts';
import { createReadiness } from './create-readiness.ts';
import type { LinkedNameserver } from './linked-nameserver.ts';
import { findProblems } from './find-problems.ts';
import { openFirstAccount } from './open-first-account.ts';
import { openStore } from './open-stores.ts';
import type { RunningParts } from './running-parts.ts';
import { warnOfPlaceholders } from './warn-of-placeholders.ts';
import type { HttpStartOptions } from './service-options.ts';

export interface RunningApi {
  readonly address: HttpAddress;
  readonly adminKey: AdminKey;
}

/**
 * Starts store ─▶ HTTP ─▶ first account and key. The account comes last: if a port is in use, the new store stays empty, and
 * the start that succeeds shows the key. Requests with a key that is unknown until then wait for it. It is a write like any other, so it also waits for the nameserver process.
 *
 * @param nameserver the nameserver process beside this one; undefined if there is none
 * @param onServing called when HTTP listens
 */
export async function startApi(
  options: HttpStartOptions,
  nameserver: LinkedNameserver | undefined,
  parts: RunningParts,
  onServing: (http: HttpAddress) => void,
): Promise<RunningApi> {
  const { config, sockets, log, metrics } = options;
  const opened = await openStore(options, nameserver?.served, parts);
  const { store, shared, ready } = opened;
  const condition = nameserver && (() => nameserver.condition());
  const checked = {
    ...opened,
    copy: nameserver?.copy,
    zones: nameserver?.zones,
    nameserver: condition,
  };
  const problems = findProblems(options, checked, parts);
  const firstAccount = new FirstAccountGate();
  const context = createContext(config, store, firstAccount);
  const readiness = createReadiness(() => ({
    isComplete: parts.isComplete,
    isStopping: parts.isStopping,
    isDatabaseReady: shared?.database.isConnected,
    problems: problems.look(),
    ...(nameserver?.parts() ?? { copy: undefined, dnsThreads: undefined }),
  }));
  const http = await startHttpServer({
    address: config.http,
    socketMode: config.httpSocketMode,
    descriptor: sockets.http,
    readiness,
    log,
    metrics,
    context,
    rateLimitPerSecond: config.rateLimit,
    corsOrigins: config.corsOrigins ?? [],
    trustedProxies: config.trustedProxies ?? [],
    proxyProtocol: config.proxyProtocol,
  });
  parts.add(() => http.stop());
  onServing(http.address);
  const adminKey = await openFirstAccount(options, context, ready);
  firstAccount.open();
  void warnOfPlaceholders(store, log);
  return { address: http.address, adminKey };
}

function createContext(config: Config, store: Store, firstAccount: FirstAccountGate): OperationContext {
  const settings: Settings = {
    recordRules: { txtLimitBytes: config.txtLimit, defaultTtlSeconds: config.defaultTtl },
    zoneNameRules: { allowPublicSuffixes: config.allowPublicSuffixes },
    soa: { nameservers: config.nameservers, mailbox: config.hostmaster },
    nameservers: config.nameservers,
    limits: limitsOf(config),
  };
  const { workMemory: workMemoryBytes } = config;
  return createOperationContext({ store, clock: systemClock, settings, workMemoryBytes, firstAccount });
}
