import { afterAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { dropDatabase, newDatabase } from '../../../test/harness/postgres-server.ts';
import { StoreOpenError } from '../store.ts';
import { migratePostgres } from './migrate.ts';
import { migrations } from './migrations/migrations.ts';
import { parsePostgresUrl, type PostgresAddress } from './postgres-address.ts';
import { connectPostgres } from './postgres-connection.ts';

const limits = { statementMs: 5000, lockMs: 5000, idleInTransactionMs: 5000 };
const steps = [
  { number: 1, name: 'one', sql: 'CREATE TABLE one (x INTEGER)' },
  { number: 2, name: 'two', sql: 'CREATE TABLE two (x INTEGER); INSERT INTO one VALUES (1)' },
];

let address: PostgresAddress;
const databases: string[] = [];

beforeEach(async () => {
  const url = await newDatabase(inject('postgresUrl'));
  databases.push(url);
  const parsed = parsePostgresUrl(url);
  if (!parsed.ok) throw new Error(parsed.problem);
  address = parsed.value;
});

afterAll(() => Promise.all(databases.map(dropDatabase)));

describe('migrations of PostgreSQL', () => {
  test('every migration runs once, in order, and is recorded', async () => {
    await migratePostgres(address, 1000, steps.slice(0, 1));
    await migratePostgres(address, 2000, steps);
    await migratePostgres(address, 3000, steps);
    expect(await rowsOf('SELECT number, name, at FROM zonewright_schema ORDER BY number')).toEqual([
      [1, 'one', 1000],
      [2, 'two', 2000],
    ]);
    expect(await rowsOf('SELECT x FROM one')).toEqual([[1]]);
  });

  test('if several processes start together, one migrates and the others wait', async () => {
    await Promise.all(Array.from({ length: 4 }, () => migratePostgres(address, 0)));
    expect(await rowsOf('SELECT max(number), count(*) FROM zonewright_schema')).toEqual([
      [migrations.length, migrations.length],
    ]);
  });

  test('a failing migration changes nothing', async () => {
    const broken = {
      number: 2,
      name: 'broken',
      sql: 'CREATE TABLE two (x INTEGER); INSERT INTO nowhere VALUES (1)',
    };
    await migratePostgres(address, 0, steps.slice(0, 1));
    await expect(migratePostgres(address, 0, [...steps.slice(0, 1), broken])).rejects.toThrow('nowhere');
    expect(await rowsOf(`SELECT max(number), to_regclass('two') FROM zonewright_schema`)).toEqual([
      [1, null],
    ]);
  });

  test.each([
    [
      'newer tables',
      'CREATE TABLE zonewright_schema AS SELECT 99 AS number',
      'version 99, this program knows',
    ],
    ["another program's tables", 'CREATE TABLE domains (x INTEGER)', 'tables of another program'],
  ])('%s are refused with one sentence', async (_, sql, words) => {
    await rowsOf(sql);
    const refused = migratePostgres(address, 0);
    await expect(refused).rejects.toThrow(words);
    await expect(refused).rejects.toBeInstanceOf(StoreOpenError);
  });

  test('migrations are numbered from 1 without gaps', () => {
    expect(migrations.map(({ number }) => number)).toEqual(migrations.map((_, index) => index + 1));
  });
});

async function rowsOf(sql: string): Promise<unknown[]> {
  const connection = await connectPostgres(address, limits);
  const { rows } = await connection.query(sql);
  await connection.close();
  return rows;
}
