import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { DatabaseWatch } from './database-watch.ts';
import { StoreUnavailable } from '../writes/store-errors.ts';

test('a database that comes and goes is seen, and said once each time', async () => {
  const said: string[] = [];
  const say = (_: object, message: string): void => void said.push(message);
  let isReady = false;
  let looks = 0;
  let answer = (): Promise<number> => Promise.resolve(1);
  const store = {
    isReady: () => isReady,
    lastSeq: () => {
      looks++;
      return answer();
    },
  };
  const watch = new DatabaseWatch(store, { ...silentLog, info: say, warn: say }, 1);
  onTestFinished(() => watch.close());
  expect(watch.isConnected).toBe(false);
  isReady = true;
  await expect.poll(() => watch.isConnected).toBe(true);
  for (let round = 0; round < 2; round++) {
    answer = () => Promise.reject(new StoreUnavailable('no connection'));
    await expect.poll(() => watch.isConnected).toBe(false);
    const from = looks;
    await expect.poll(() => looks).toBeGreaterThan(from + 3);
    answer = () => Promise.resolve(1);
    await expect.poll(() => watch.isConnected).toBe(true);
  }
  const away = 'the database cannot be reached; writes are refused';
  expect(said).toEqual([away, 'the database is back', away, 'the database is back']);
});
