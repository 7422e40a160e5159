// A real store in a temporary folder and its use cases, for tests of the HTTP interface.
import { defaultLimits } from '../model/account-limits.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { silentLog, type Log } from '../base/log.ts';
import { openKeySecrets } from '../dnssec/key-secrets.ts';
import type { Caller } from '../model/account.ts';
import { authenticate } from '../operations/authenticate.ts';
import { createFirstAccount } from '../operations/create-account.ts';
import { newApiKey } from '../operations/new-api-key.ts';
import { createOperationContext, type OperationContext } from '../operations/operation-context.ts';
import type { Settings } from '../operations/settings.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { createAdmission } from './admission.ts';
import { createHttpApp } from './http-app.ts';
import { defaultHttpLimits } from './limits.ts';

const settings: Settings = {
  recordRules: { txtLimitBytes: 4096, defaultTtlSeconds: null },
  zoneNameRules: { allowPublicSuffixes: false },
  limits: defaultLimits,
  historyDays: 30,
  soa: { nameservers: ['ns1.example.net'], mailbox: 'hostmaster@example.net' },
  nameservers: ['ns1.example.net', 'ns2.example.net'],
};

export interface TestService {
  readonly context: OperationContext;
  /** A key of scope admin. */
  readonly key: string;
  readonly caller: Caller;
}

const SECRET = 'the secret of these tests, of more than 32 characters';

/** The service is closed and its files are removed after the test file. @param canSign whether domains can be signed */
export async function openTestService(canSign = false): Promise<TestService> {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-http-'));
  const dnssec = canSign ? { secrets: [SECRET], soa: settings.soa } : undefined;
  const store = await openSqliteStore({ folder, clock: systemClock, log: silentLog, dnssec });
  afterAll(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  const signing = canSign ? { secrets: openKeySecrets([SECRET]), denial: 'nsec' as const } : undefined;
  const context = createOperationContext({ store, clock: systemClock, settings, signing });
  const key = newApiKey();
  await createFirstAccount(context, { name: 'Test', email: 'test@example.net' }, key);
  const caller = await authenticate(context, key);
  if (caller === undefined) throw new Error('the first key is refused');
  return { context, key, caller };
}

/** Returns the application, which is always ready. @param requestsPerSecond per key; 0 for no limit */
export function createTestApp(
  context: OperationContext,
  requestsPerSecond = 0,
  log: Log = silentLog,
  corsOrigins: readonly string[] = [],
): FastifyInstance {
  return createHttpApp({
    context,
    admission: createAdmission(context, requestsPerSecond),
    readiness: () => ({ ready: true, detail: {} }),
    log,
    corsOrigins,
    limits: defaultHttpLimits,
  });
}

/** Returns the context of the service with some methods of the store replaced. */
export function withStore(service: TestService, changes: Partial<Store>): OperationContext {
  const store = Object.assign(Object.create(service.context.store) as Store, changes);
  const { signing } = service.context;
  return createOperationContext({ store, clock: systemClock, settings, signing });
}
