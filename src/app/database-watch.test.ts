import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { WriteHealth } from '../store/write-health.ts';
import { COMMIT_LIMIT_MS, DatabaseWatch, type WatchedStore } from './database-watch.ts';
import { LoginRefused, StoreUnavailable } from '../writes/store-errors.ts';

const quietStore: WatchedStore = {
  isReady: () => true,
  clockOffsetMs: () => Promise.resolve(0),
  isWaitingForStandby: () => Promise.resolve(false),
  health: new WriteHealth(),
  refusedLogin: undefined,
  tidy: () => Promise.resolve(),
};

function watch(store: WatchedStore): DatabaseWatch {
  const watching = new DatabaseWatch(store, silentLog, 1);
  onTestFinished(() => watching.close());
  return watching;
}

test('a database that comes and goes is seen, and said once each time', async () => {
  const said: string[] = [];
  const say = (_: object, message: string): void => void said.push(message);
  let isReady = false;
  let looks = 0;
  let answer = (): Promise<number> => Promise.resolve(1);
  const store = {
    ...quietStore,
    isReady: () => isReady,
    clockOffsetMs: () => {
      looks++;
      return answer();
    },
  };
  const watching = new DatabaseWatch(store, { ...silentLog, info: say, warn: say }, 1);
  onTestFinished(() => watching.close());
  expect(watching.isConnected).toBe(false);
  isReady = true;
  await expect.poll(() => watching.isConnected).toBe(true);
  for (let round = 0; round < 2; round++) {
    answer = () => Promise.reject(new StoreUnavailable('no connection'));
    await expect.poll(() => watching.isConnected).toBe(false);
    const from = looks;
    await expect.poll(() => looks).toBeGreaterThan(from + 3);
    answer = () => Promise.resolve(1);
    await expect.poll(() => watching.isConnected).toBe(true);
  }
  const away = 'the database cannot be reached; writes are refused';
  expect(said).toEqual([away, 'the database is back', away, 'the database is back']);
});

test('the offset of the clock is measured', async () => {
  const watching = watch({ ...quietStore, clockOffsetMs: () => Promise.resolve(-61_000) });
  await expect.poll(() => watching.clockOffsetMs).toBe(-61_000);
});

test('a refused log-in has its own reason, before and after the database was first reached', async () => {
  expect(watch({ ...quietStore, isReady: () => false, refusedLogin: 'no' }).refusedLogin).toBe('no');
  const refuse = () => Promise.reject(new LoginRefused('password authentication failed'));
  const watching = watch({ ...quietStore, clockOffsetMs: refuse });
  await expect.poll(() => watching.refusedLogin).toBe('password authentication failed');
  expect(watching.isConnected).toBe(false);
});

test('writes that do not commit are seen until one works, and upkeep tries', async () => {
  const time = { ms: 0 };
  const health = new WriteHealth({ elapsedMs: () => time.ms });
  let standbyIsAbsent = true;
  let tries = 0;
  const tidy = (): Promise<void> => {
    tries++;
    if (!standbyIsAbsent) health.worked();
    return Promise.resolve();
  };
  const isWaitingForStandby = () => Promise.resolve(standbyIsAbsent);
  const watching = watch({ ...quietStore, health, tidy, isWaitingForStandby });
  health.batchStarted();
  time.ms = COMMIT_LIMIT_MS;
  await expect.poll(() => watching.stalledWrites).toBe('waiting for a synchronous standby');
  expect(tries).toBe(0);
  health.batchEnded();
  health.failed('no answer');
  await expect.poll(() => tries).toBeGreaterThan(1);
  expect(watching.stalledWrites).toBe('waiting for a synchronous standby');
  standbyIsAbsent = false;
  await expect.poll(() => watching.stalledWrites).toBeUndefined();
});
