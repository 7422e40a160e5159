import { expect, test } from 'vitest';
import { newPostgres } from './postgres-scene.test-support.ts';
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
