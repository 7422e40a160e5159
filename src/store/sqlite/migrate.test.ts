import { expect, test } from 'vitest';
import { APPLICATION_ID, migrate } from './migrate.ts';
import { migrations } from './migrations/migrations.ts';
import { openDatabase, prepareQuery } from './sqlite-driver.ts';

const steps = [
  { number: 1, name: 'one', sql: 'CREATE TABLE one (x)' },
  { number: 2, name: 'two', sql: 'CREATE TABLE two (x); INSERT INTO one VALUES (1)' },
];

test('every migration runs once, in order, and is recorded', () => {
  const database = openDatabase(':memory:');
  migrate(database, 'x.db', 1000, steps.slice(0, 1));
  migrate(database, 'x.db', 2000, steps);
  migrate(database, 'x.db', 3000, steps);
  expect(prepareQuery(database, 'SELECT number, name, at FROM migrations').all()).toEqual([
    [1, 'one', 1000],
    [2, 'two', 2000],
  ]);
  expect(prepareQuery(database, 'SELECT x FROM one').all()).toEqual([[1]]);
  expect(prepareQuery(database, 'PRAGMA user_version').get()).toEqual([2]);
  expect(prepareQuery(database, 'PRAGMA application_id').get()).toEqual([APPLICATION_ID]);
});

test('a failing migration leaves the previous version', () => {
  const database = openDatabase(':memory:');
  const broken = { number: 2, name: 'broken', sql: 'CREATE TABLE two (x); INSERT INTO nowhere VALUES (1)' };
  expect(() => migrate(database, 'x.db', 0, [steps[0], broken])).toThrow('nowhere');
  expect(prepareQuery(database, 'PRAGMA user_version').get()).toEqual([1]);
  expect(prepareQuery(database, "SELECT name FROM sqlite_schema WHERE name = 'two'").all()).toEqual([]);
});

test('a store of version 1 is migrated with its rows, and the changes of a domain are found by an index', () => {
  const database = openDatabase(':memory:');
  migrate(database, 'x.db', 0, migrations.slice(0, 1));
  database.exec(
    "INSERT INTO changes (seq, at, kind, domain_id, domain, serial, key_id) VALUES (1, 5, 'domainPut', 7, 'a.test', 9, 'k')",
  );
  migrate(database, 'x.db', 0);
  expect(prepareQuery(database, 'SELECT at FROM changes WHERE domain_id = 7').all()).toEqual([[5]]);
  const [plan] = prepareQuery(
    database,
    'EXPLAIN QUERY PLAN SELECT at FROM changes WHERE domain_id = 7',
  ).all();
  expect(plan.at(-1)).toContain('USING INDEX changes_by_domain');
});

test('migrations are numbered from 1 without gaps', () => {
  expect(migrations.map(({ number }) => number)).toEqual(migrations.map((_, index) => index + 1));
});
