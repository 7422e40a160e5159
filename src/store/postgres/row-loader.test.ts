import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newPostgres, openStore } from './postgres-scene.test-support.ts';
import { generatedAfterQuery, generatedBeforeQuery, generatedBetweenQuery } from './generated-kinds.ts';
import { ownersQuery, recordsQuery } from './row-queries.ts';

const RECORDS = 2000;

let database: Awaited<ReturnType<typeof newPostgres>>;
let client: pg.Client;

beforeAll(async () => {
  database = await newPostgres();
  const store = await openStore(database.address);
  await store.whenReady();
  await store.close();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(`
    SET enable_seqscan = off;
    INSERT INTO accounts VALUES ('a', 'a', 'a@example.com', 0, 1, 0);
    INSERT INTO domains VALUES (1, 'a', 'example.com', 0, 1, NULL, NULL, ${RECORDS});
    INSERT INTO records (domain_id, id, owner, name, type, data, priority, ttl, rdata)
      SELECT 1, 'r' || i, 'h' || i, 'h' || i, 1, '192.0.2.1', -1, 60, '\\xc0000201' FROM generate_series(1, ${RECORDS}) i`);
});

afterAll(async () => {
  await client.end();
  await database.remove();
});

test.each([
  ['owners', ownersQuery, ['h7', 'h9']],
  ['records', recordsQuery, ['r7', 'r9']],
])(
  '%s of a large domain are looked up by index, without reading the whole domain',
  async (_, query, wanted) => {
    const values = [wanted.map(() => 'example.com'), wanted];
    expect((await client.query(query, values)).rows).toHaveLength(2);
    const plan = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ANALYZE ${query}`, values);
    const text = plan.rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(text).toContain('Index Cond: ((domain_id = domains.id) AND (');
    expect(text).not.toContain('Rows Removed by Filter');
    expect(text).not.toContain('Rows Removed by Join Filter');
  },
);

test('all records of a name are fetched once, however many of them are requested', async () => {
  await client.query(`
    INSERT INTO records (domain_id, id, owner, name, type, data, priority, ttl, rdata)
      SELECT 1, 'm' || i, 'many', 'many', 1, '192.0.2.1', -1, 60, '\\xc0000201' FROM generate_series(1, 9) i`);
  const wanted = ['m1', 'm2', 'm3', 'r7'];
  const { rows } = await client.query(recordsQuery, [wanted.map(() => 'example.com'), wanted]);
  expect(rows).toHaveLength(10);
});

test.each([
  [
    'before',
    generatedBeforeQuery,
    [
      ['~s', '~s!b'],
      ['~s', '~s'],
      ['~h', '~h0'],
    ],
    ['~s!a'],
  ],
  [
    'after',
    generatedAfterQuery,
    [
      ['~s', '~s!b'],
      ['~s', '~s!c'],
      ['~h', '~h'],
    ],
    ['~s!b!x'],
  ],
  [
    'between',
    generatedBetweenQuery,
    [
      ['~s!a', '~s!c', '2'],
      ['~s!b', '~s!b ', '1'],
      ['~', '~~', '1'],
    ],
    ['~s!a', '~s!b', '~s!b', '~o'],
  ],
])('rows of signatures %s a place are looked up by index', async (_, query, places, found) => {
  await client.query(`
    DELETE FROM records WHERE id >= '~';
    INSERT INTO records (domain_id, id, owner, name, type, data, priority, ttl, rdata)
      SELECT 1, id, '', '', 200, '', -1, 0, '\\x00' FROM unnest(ARRAY['~o', '~s', '~s!a', '~s!b', '~s!b!x', '~s!c']) id`);
  const values = [places.map(() => 1), ...places[0].map((_, part) => places.map((place) => place[part]))];
  const { rows } = await client.query<{ id: string }>(query, values);
  expect(rows.map(({ id }) => id)).toEqual(found);
  const plan = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ANALYZE ${query}`, values);
  const text = plan.rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(text).toMatch(/Index Cond: \(\(domain_id = wanted\.domain_id\) AND \(id >=? wanted.*\) AND \(id < /);
  expect(text).not.toContain('Rows Removed by Filter');
});
