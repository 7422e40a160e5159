import { expect, test } from 'vitest';
import type { ZoneName } from '../../model/domain.ts';
import { NameList } from './name-list.ts';
import { openDatabase } from './sqlite-driver.ts';

const names = ['a.example', 'b.example', 'c.example'].map((name) => name as ZoneName);

/** Without STRICT and constraints, so that it can hold what a damaged page would. */
function listOf(...stored: readonly (string | null)[]): NameList {
  const database = openDatabase(':memory:');
  database.exec('CREATE TABLE domains (id INTEGER PRIMARY KEY, name TEXT)');
  const insert = database.prepare('INSERT INTO domains (name) VALUES (?)');
  for (const name of stored) insert.run(name);
  return new NameList(database);
}

test('names are listed in order, page by page', () => {
  const list = listOf(...names.toReversed());
  expect([list.length, list.after('', 2), list.after('b.example', 2)]).toEqual([
    3,
    names.slice(0, 2),
    ['c.example'],
  ]);
  expect(list.isDamaged).toBe(false);
});

test.each(['a.example\nb.example', 'b.example\n', '\n', `${'b'.repeat(64)}.example`])(
  'the name %j is damage, and all others are listed',
  (damaged) => {
    const list = listOf(...names, damaged);
    expect([list.after('', 10), list.after('b.example', 10), list.length]).toEqual([names, ['c.example'], 3]);
    expect(list.isDamaged).toBe(true);
  },
);

test('names that are none are found to be damage, and all others are listed', () => {
  const list = listOf('b.example', 'not a name..', 'a.example', 'c.example');
  expect(list.after('', 10)).toEqual(names);
  expect(list.isDamaged).toBe(true);
  expect([list.length, list.after('a.example', 1), list.after('c.example', 1)]).toEqual([
    3,
    ['b.example'],
    [],
  ]);
});
