import { expect, test } from 'vitest';
import { openDatabase, type SqliteDatabase } from './sqlite-driver.ts';
import { ServedNames } from './served-names.ts';

const letters = 'abcdefgh'.split('');

/** The domains of `letters`; those of `withheld` are not served. */
function databaseOf(withheld: string): SqliteDatabase {
  const database = openDatabase(':memory:');
  database.exec(`CREATE TABLE domains (id INTEGER PRIMARY KEY, name TEXT UNIQUE, withheld TEXT);
    CREATE INDEX domains_withheld ON domains (name) WHERE withheld IS NOT NULL`);
  const insert = database.prepare('INSERT INTO domains (name, withheld) VALUES (?, ?)');
  for (const letter of letters.toReversed())
    insert.run(`${letter}.example`, withheld.includes(letter) ? 'suspended' : null);
  return database;
}

test.each(['', 'a', 'h', 'bcd', 'aceg', 'abcdefg', 'abcdefgh'])(
  'without the withheld ones (%s), pages are full up to the last one',
  (withheld) => {
    const names = new ServedNames(databaseOf(withheld), true);
    const served = letters
      .filter((letter) => !withheld.includes(letter))
      .map((letter) => `${letter}.example`);
    expect(names.length).toBe(served.length);
    for (const limit of [1, 2, 3, 8, 9]) {
      const pages: (readonly string[])[] = [];
      for (let page = names.after('', limit); page.length > 0; page = names.after(page.at(-1) ?? '', limit))
        pages.push(page);
      expect(pages.flat()).toEqual(served);
      expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
    }
    expect(names.isDamaged).toBe(false);
  },
);

test('in a file that knows no withheld domains, all are served', () => {
  expect(new ServedNames(databaseOf('abc'), false).after('', 10)).toHaveLength(letters.length);
});
