import { expect, inject, test } from 'vitest';
import { LoginRefused } from '../../writes/store-errors.ts';
import { addressOf, newPostgres } from './postgres-scene.test-support.ts';
import { connectPostgres } from './postgres-connection.ts';

test('a session sets its own limits and planner settings', async () => {
  const database = await newPostgres();
  const limits = { statementMs: 5000, lockMs: 4000, idleInTransactionMs: 2000 };
  const connection = await connectPostgres(database.address, limits);
  const names = [
    'statement_timeout',
    'lock_timeout',
    'idle_in_transaction_session_timeout',
    'plan_cache_mode',
    'enable_seqscan',
    'jit',
  ];
  const { rows } = await connection.query(
    `SELECT ${names.map((name) => `current_setting('${name}')`).join()}`,
  );
  expect(rows).toEqual([['5s', '4s', '2s', 'force_custom_plan', 'off', 'off']]);
  await connection.close();
  await database.remove();
});

const limits = { statementMs: 5000, lockMs: 4000, idleInTransactionMs: 2000 };

test('a refused log-in is told apart from an absent database', async () => {
  const database = await newPostgres();
  const connection = await connectPostgres(database.address, limits);
  const role = database.address.database;
  await connection.query(`CREATE ROLE ${role} NOLOGIN`);
  await expect(connectPostgres({ ...database.address, user: role }, limits)).rejects.toThrow(LoginRefused);
  await connection.query(`DROP ROLE ${role}`);
  await connection.close();
  const nowhere = addressOf(inject('postgresUrl').replace(/:\d+\//, ':1/'));
  await expect(connectPostgres(nowhere, limits)).rejects.not.toBeInstanceOf(LoginRefused);
  await database.remove();
});
