// A real store in a temporary folder with a first caller, for tests of use cases.
import { rightsOf } from '../model/scope-rights.ts';
import { defaultLimits } from '../model/account-limits.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { silentLog } from '../base/log.ts';
import type { Denial } from '../dns/proven-types.ts';
import { openKeySecrets } from '../dnssec/key-secrets.ts';
import type { Caller } from '../model/account.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { createFirstAccount } from './create-account.ts';
import { newApiKey } from './new-api-key.ts';
import { createOperationContext, type OperationContext } from './operation-context.ts';

export interface OperationScene {
  readonly context: OperationContext;
  /** A caller of scope admin. */
  readonly caller: Caller;
  /** The text of the caller's key. */
  readonly key: string;
  /** The folder of the store's files. */
  readonly folder: string;
}

const SECRET = 'the secret of these tests, of more than 32 characters';

/**
 * The store is closed and its files are removed after the test file.
 *
 * @param denial of domains that are signed; absent: none can be
 */
export async function openOperationScene(denial?: Denial): Promise<OperationScene> {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-operations-'));
  const soa = { nameservers: ['ns1.example.net'], mailbox: 'hostmaster@example.net' };
  const store = await openSqliteStore({
    folder,
    clock: systemClock,
    log: silentLog,
    dnssec: denial && { secrets: [SECRET], soa },
  });
  afterAll(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  const settings = {
    recordRules: { txtLimitBytes: 4096, defaultTtlSeconds: null },
    zoneNameRules: { allowPublicSuffixes: false },
    limits: defaultLimits,
    historyDays: 30,
    soa,
    nameservers: ['ns1.example.net'],
  };
  const signing = denial && { secrets: openKeySecrets([SECRET]), denial };
  const context = createOperationContext({ store, clock: systemClock, settings, signing });
  const key = newApiKey();
  const first = await createFirstAccount(context, { name: 'Owner', email: 'a@example.net' }, key);
  if (!first.ok) throw new Error(first.refusal.message);
  const { accountId, id: keyId } = first.value.key;
  return { context, caller: { accountId, keyId, rights: rightsOf(first.value.key) }, key, folder };
}
