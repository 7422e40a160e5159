import { mkdtempSync, rmSync } from 'node:fs';
import { defaultLimits } from '../model/account-limits.ts';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { createOperationContext, type OperationContext } from '../operations/operation-context.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { loadConfig } from './config.ts';
import { createLog } from './create-log.ts';
import { openFirstAccount } from './open-first-account.ts';
import type { ServiceOptions } from './service-options.ts';
import { StoreUnavailable } from '../writes/store-errors.ts';

const never = new Promise<void>(() => undefined);

async function prepare(fails: { left: number }) {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-first-'));
  const log = createLog('silent');
  const store = await openSqliteStore({ folder, clock: systemClock, log });
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  const write: Store['write'] = (command) =>
    fails.left-- > 0 ? Promise.reject(new StoreUnavailable('away')) : store.write(command);
  const unsteady = Object.assign(Object.create(store) as Store, { write });
  const loaded = loadConfig({ options: { data: [folder] }, environment: {} });
  if (!loaded.ok) throw new Error(loaded.problem);
  const { config } = loaded.value;
  const settings = {
    recordRules: { txtLimitBytes: 4096, defaultTtlSeconds: null },
    zoneNameRules: { allowPublicSuffixes: false },
    limits: defaultLimits,
    historyDays: 30,
    soa: { nameservers: config.nameservers, mailbox: config.hostmaster },
    nameservers: config.nameservers,
  };
  const context: OperationContext = createOperationContext({ store: unsteady, clock: systemClock, settings });
  const stopping = new AbortController();
  const options: ServiceOptions = {
    config,
    sockets: { http: undefined, https: undefined, dns: undefined },
    log,
    stopping: stopping.signal,
  };
  return { options, context, stopping };
}

test('a store that goes away at that moment is asked again, with the key that was drawn', async () => {
  const { options, context } = await prepare({ left: 1 });
  // The file is there already when the second attempt begins.
  const key = expect.stringMatching(/^zw_/) as unknown;
  expect(await openFirstAccount(options, context)).toEqual({
    kind: 'drawn',
    key,
    token: expect.stringMatching(/^zwi_/) as string,
  });
  expect((await context.store.listAccounts({ direction: 'after', key: null, limit: 9 })).total).toBe(1);
});

test('a store that never takes writes ends the start with its reason', async () => {
  const { options, context } = await prepare({ left: 0 });
  const reason = new Error('newer tables');
  await expect(openFirstAccount(options, context, Promise.reject(reason))).rejects.toBe(reason);
});

test.each(['the store is ready', 'it is tried again'])(
  'told to stop before %s, it ends at once',
  async (when) => {
    const { options, context, stopping } = await prepare({ left: 1_000 });
    const opened = openFirstAccount(options, context, when === 'the store is ready' ? never : undefined);
    setTimeout(() => stopping.abort(), 50);
    await expect(opened).rejects.toThrow(/abort/i);
  },
);
