import { systemClock } from '../base/clock.ts';
import { openKeySecrets } from '../dnssec/key-secrets.ts';
import type { HttpAddress } from '../http/http-address.ts';
import { startHttpServer, type HttpServerOptions } from '../http/http-server.ts';
import { checkHttpAddress, type HttpListener } from '../http/listen-http.ts';
import { createOperationContext, type OperationContext } from '../operations/operation-context.ts';
import type { Settings } from '../operations/settings.ts';
import type { SigningSettings } from '../store/signing-settings.ts';
import type { Store } from '../store/store.ts';
import { createAskNameserver } from './ask-own-nameserver.ts';
import { askedResolversOf } from './asked-resolvers.ts';
import type { AdminKey } from './bootstrap-admin.ts';
import { keepFormerNameservers } from './keep-former-nameservers.ts';
import { limitsOf } from './config-limits.ts';
import type { ListenAddress } from './config-parsers.ts';
import { createReadiness } from './create-readiness.ts';
import type { LinkedNameserver } from './linked-nameserver.ts';
import { findProblems } from './find-problems.ts';
import { openFirstAccount } from './open-first-account.ts';
import { openHttps } from './open-https.ts';
import { openIdTermsOf } from './open-id-terms.ts';
import { openParentLooks } from './open-parent-looks.ts';
import { openSigningSettings, soaDefaultsOf } from './open-signing-settings.ts';
import { openStore, type OpenedStore } from './open-stores.ts';
import type { RunningParts } from './running-parts.ts';
import { startAccountWatch } from './start-account-watch.ts';
import { startBootstrap } from './start-bootstrap.ts';
import { startClaims } from './start-claims.ts';
import { describeRefusedWrites } from './clock-check.ts';
import { startRenewal } from './start-renewal.ts';
import { startUseNotes } from './start-use-notes.ts';
import { startNotifier } from './start-notifier.ts';
import { startTrail } from './start-trail.ts';
import { startRollovers } from './start-rollovers.ts';
import { warnOfLostSecret } from './warn-of-lost-secret.ts';
import { warnOfPlaceholders } from './warn-of-placeholders.ts';
import type { HttpStartOptions } from './service-options.ts';
import type { ServiceProblems } from './service-problems.ts';

export interface RunningApi {
  readonly http: HttpAddress;
  /** Undefined without TLS. */
  readonly https: ListenAddress | undefined;
  readonly adminKey: AdminKey;
}

/**
 * Starts store ─▶ first account and key ─▶ HTTP. Nobody can connect before the account exists, so its key is valid from the
 * first answer on. If a port is in use, the new store stays empty, and the start that succeeds shows the key.
 *
 * The account is a write like any other: it also waits for the nameserver process. If it takes longer than `LISTEN_WITHOUT_MS`,
 * for example because PostgreSQL is away, HTTP listens without it, so that `/readyz` says why: unknown keys are then 503.
 *
 * @param nameserver the nameserver process beside this one; undefined if there is none
 * @param onServing called when HTTP listens
 */
export async function startApi(
  options: HttpStartOptions,
  nameserver: LinkedNameserver | undefined,
  parts: RunningParts,
  onServing: (addresses: Omit<RunningApi, 'adminKey'>) => void,
): Promise<RunningApi> {
  const { config, log, metrics } = options;
  const dnssec = openSigningSettings(config, log);
  const opened = await openStore(options, nameserver?.served, dnssec, parts);
  const { store, shared, ready } = opened;
  const condition = nameserver && (() => nameserver.condition());
  const checked = {
    ...opened,
    copy: nameserver?.copy,
    zones: nameserver?.zones,
    nameserver: condition,
  };
  const problems = findProblems(options, checked, parts);
  let hasAccount = false;
  const context = createContext(options, store, dnssec, () => hasAccount, nameserver);
  const readiness = createReadiness(() => ({
    isComplete: parts.isComplete,
    isStopping: parts.isStopping,
    isDatabaseReady: shared?.database.isConnected,
    problems: problems.look(),
    ...(nameserver?.parts() ?? { copy: undefined, dnsThreads: undefined }),
  }));
  const listener = await openListener(options, problems, parts);
  const firstAccount = openFirstAccount(options, context, ready);
  // If it fails while HTTP starts, the error is thrown below.
  firstAccount.catch(() => undefined);
  hasAccount = await settlesWithin(firstAccount, LISTEN_WITHOUT_MS);
  // Before HTTP, so that it stops after it and writes what the last requests have left.
  startTrail(context, log, parts);
  const server = await startHttpServer({
    ...listener,
    readiness,
    log,
    metrics,
    context,
    rateLimitPerSecond: config.rateLimit,
    corsOrigins: config.corsOrigins ?? [],
    console: config.console === 'on' ? true : undefined,
    trustedProxies: config.trustedProxies ?? [],
    proxyProtocol: config.proxyProtocol,
  });
  parts.add(() => server.stop());
  const addresses = { http: server.address, https: server.httpsAddress };
  onServing(addresses);
  const adminKey = await firstAccount;
  hasAccount = true;
  const looking = new AbortController();
  parts.add(() => looking.abort());
  startWatches(options, opened, context, problems, parts);
  startUseNotes(context, options.log, parts);
  void keepFormerNameservers(context.nameserverSets, log, looking.signal);
  void warnOfPlaceholders(store, log, looking.signal);
  void warnOfLostSecret(store, context.signing?.secrets, log, looking.signal);
  return { ...addresses, adminKey };
}

/** @throws HttpServerStartError if an address is in use */
async function openListener(
  options: HttpStartOptions,
  problems: ServiceProblems,
  parts: RunningParts,
): Promise<HttpListener & Pick<HttpServerOptions, 'https'>> {
  const { config, sockets } = options;
  const https = await openHttps(options, problems, parts);
  const http = { address: config.http, socketMode: config.httpSocketMode, descriptor: sockets.http };
  await checkHttpAddress(http);
  if (https !== undefined) await checkHttpAddress(https);
  return { ...http, https };
}

/** Starts everything that looks after signed and unverified domains, and accounts. */
function startWatches(
  options: HttpStartOptions,
  opened: OpenedStore,
  context: OperationContext,
  problems: ServiceProblems,
  parts: RunningParts,
): void {
  const { clockCheck } = opened;
  const findClockDoubt = (): string | undefined => clockCheck.findDoubt();
  problems.add('signed_writes_held', () => describeRefusedWrites(clockCheck.findFault()));
  startRenewal(options, opened, context.signing !== undefined, findClockDoubt, problems, parts);
  startRollovers(options, context, findClockDoubt, startNotifier(options, context, parts), parts);
  startBootstrap(options, context, findClockDoubt, parts);
  startClaims(options, context, findClockDoubt, parts);
  startAccountWatch(options, context, findClockDoubt, parts);
}

/** Creating the account takes milliseconds once the database and the nameserver process are there. */
const LISTEN_WITHOUT_MS = 5_000;

/** Returns false if the time is up first. */
async function settlesWithin(awaited: Promise<unknown>, limitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const overdue = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), limitMs);
  });
  try {
    return await Promise.race([awaited.then(() => true), overdue]);
  } finally {
    clearTimeout(timer);
  }
}

function createContext(
  { config, log }: Pick<HttpStartOptions, 'config' | 'log'>,
  store: Store,
  dnssec: SigningSettings | undefined,
  hasFirstAccount: () => boolean,
  nameserver: Pick<LinkedNameserver, 'addresses'> | undefined,
): OperationContext {
  const settings: Settings = {
    recordRules: { txtLimitBytes: config.txtLimit, defaultTtlSeconds: config.defaultTtl },
    zoneNameRules: { allowPublicSuffixes: config.allowPublicSuffixes },
    soa: soaDefaultsOf(config),
    nameservers: config.nameservers,
    nameserverSet: config.nameserverSet ?? undefined,
    claims: config.claims,
    publicUrl: config.publicUrl ?? undefined,
    limits: limitsOf(config),
    historyDays: config.historyDays,
  };
  const signing = dnssec && { secrets: openKeySecrets(dnssec.secrets), denial: config.dnssecDenial };
  const { workMemory: workMemoryBytes } = config;
  return createOperationContext({
    store,
    clock: systemClock,
    settings,
    ...openParentLooks(config),
    askedResolvers: askedResolversOf(config),
    askNameserver: nameserver && createAskNameserver(() => nameserver.addresses()),
    workMemoryBytes,
    signing,
    openId: openIdTermsOf(config, log),
    factorSecrets: dnssec?.secrets,
    hasFirstAccount,
  });
}
