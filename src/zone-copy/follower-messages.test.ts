import { expect, test } from 'vitest';
import { openDatabase } from '../store/sqlite/sqlite-driver.ts';
import { decodeFields, encodeFields } from './follower-messages.ts';
import { StoreUnavailable } from '../writes/store-errors.ts';

test.each([
  ['of SQLite', sqliteError(), { code: 'ERR_SQLITE_ERROR' }],
  ['of ours', new StoreUnavailable('the database is away'), { name: 'StoreUnavailable' }],
])('an error %s in a log line arrives as an error on the other thread', (_, error, more) => {
  const { name, message, stack } = error;
  const { err, seq } = decodeFields(encodeFields({ err: error, seq: 7 })) as { err: Error; seq: number };
  expect(err).toBeInstanceOf(Error);
  expect(err).toHaveProperty('stack', stack);
  expect(err).toMatchObject({ name, message, ...more });
  expect(seq).toBe(7);
});

function sqliteError(): Error {
  const database = openDatabase(':memory:');
  try {
    database.exec('nonsense');
    throw new Error('SQLite takes nonsense');
  } catch (error) {
    return error as Error;
  } finally {
    database.close();
  }
}
