import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { Page, PageRequest } from '../store.ts';
import { fallingKey, foundRecordKey, textKey, type ScanKey } from './scan-key.ts';
import { createScannedList, type ScannedList } from './scanned-list.ts';
import { openDatabase, type SqliteDatabase } from './sqlite-driver.ts';

type Row = [domain: string, id: string, at: number, seq: number, size: number];

const keys: readonly [what: string, key: ScanKey, textOf: (row: Row) => string][] = [
  ['a text', textKey('records.id'), ([, id]) => id],
  ['falling numbers', fallingKey('seq'), ([, , , seq]) => String(seq)],
  ['two falling numbers', fallingKey('at', 'seq'), ([, , at, seq]) => `${at}.${seq}`],
  ['domain and id', foundRecordKey, ([domain, id]) => `${domain} ${id}`],
];

const anyCase = fc.record({
  rows: fc.uniqueArray(
    fc.record({ domain: fc.nat(3), at: fc.nat(3), seq: fc.integer({ min: 1, max: 30 }), size: fc.nat(9) }),
    { maxLength: 12, selector: ({ seq }) => seq },
  ),
  stepRows: fc.integer({ min: 1, max: 5 }),
  stepOctets: fc.integer({ min: 0, max: 20 }),
  least: fc.nat(9),
  limit: fc.integer({ min: 1, max: 4 }),
});

test.each(keys)(
  'a list by %s is the same with steps of any size, from every key and in both directions',
  (_, key, textOf) => {
    fc.assert(
      fc.property(anyCase, ({ rows: made, stepRows, stepOctets, least, limit }) => {
        const rows = made.map(({ domain, at, seq, size }): Row => [
          `d${domain}.example`,
          idOf(seq),
          at + 1,
          seq,
          size,
        ]);
        const database = openRows(rows);
        const list = createList(database, key, stepRows, stepOctets);
        const sorted = rows.toSorted((a, b) => (isBefore(a, b, key) ? -1 : 1));
        const starts = [null, ...rows.map(textOf)];
        for (const direction of ['after', 'before'] as const) {
          for (const start of starts) {
            const page = { direction, key: start, limit };
            const found = list.read({ scope: [0], shown: [least] }, page, () => undefined);
            const place = sorted.findIndex((row) => textOf(row) === start);
            expect(found).toEqual(expectedPage(sorted, least, page, place));
          }
        }
        database.close();
      }),
      { numRuns: 50 },
    );
  },
);

test('beforeStep() can stop a read, and the connection stays usable', () => {
  const rows = Array.from({ length: 100 }, (_, at): Row => ['d.example', idOf(at), 1, at + 1, 1]);
  const database = openRows(rows);
  onTestFinished(() => database.close());
  const list = createList(database, textKey('records.id'), 10);
  const page = { direction: 'after', key: null, limit: 5 } as const;
  let steps = 0;
  const endAt = (step: number) => (): void => {
    if (++steps === step) throw new Error('ended');
  };
  const read = (beforeStep: () => void) => list.read({ scope: [0], shown: [0] }, page, beforeStep);
  database.exec('BEGIN');
  expect(() => read(endAt(7))).toThrow('ended');
  database.exec('COMMIT');
  expect(read(endAt(0)).total).toBe(100);
  // Seven steps, then ten that count and one that reads the rows.
  expect(steps).toBe(7 + 11);
});

test('a step scans fewer rows if they are long, but at least one', () => {
  const sizes = [1, 1, 1, 1, 9, 1, 1, 1, 1];
  const rows = sizes.map((size, at): Row => ['d.example', `id-${at}`, 1, at + 1, size]);
  const database = openRows(rows);
  onTestFinished(() => database.close());
  const list = createList(database, textKey('records.id'), 4, 4);
  let steps = 0;
  const page = { direction: 'before', key: 'id-0', limit: 5 } as const;
  expect(
    list.read({ scope: [0], shown: [0] }, page, () => {
      steps++;
    }).total,
  ).toBe(9);
  expect(steps).toBe(4);
});

function createList(
  database: SqliteDatabase,
  key: ScanKey,
  stepRows: number,
  stepOctets?: number,
): ScannedList<Row> {
  const source = {
    columns: 'domains.name, records.id, at, seq, size',
    table: 'domains CROSS JOIN records ON records.domain_id = domains.id',
    scope: 'domains.id >= ?1',
    scopeLength: 1,
    shown: 'size >= ?2',
    shownLength: 1,
    octets: 'size',
    key,
  };
  return createScannedList<Row>(database, source, stepRows, stepOctets);
}

function openRows(rows: readonly Row[]): SqliteDatabase {
  const database = openDatabase(':memory:');
  database.exec(`
    CREATE TABLE domains (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
    CREATE TABLE records (domain_id INTEGER, id TEXT, at INTEGER, seq INTEGER, size INTEGER);
    INSERT INTO domains VALUES (1, 'd0.example'), (2, 'd1.example'), (3, 'd2.example'), (4, 'd3.example'),
      (5, 'd.example')`);
  const insert = database.prepare(
    'INSERT INTO records SELECT domains.id, ?2, ?3, ?4, ?5 FROM domains WHERE name = ?1',
  );
  for (const row of rows) insert.run(...row);
  return database;
}

/** Does not sort like the numbers. */
function idOf(seq: number): string {
  return `${(seq * 7) % 31}-${seq}`;
}

function isBefore(a: Row, b: Row, key: ScanKey): boolean {
  const place = ([domain, id, at, seq]: Row): readonly (string | number)[] => {
    if (key === foundRecordKey) return [domain, id];
    if (!key.isFalling) return [id];
    return key.columns.length === 2 ? [-at, -seq] : [-seq];
  };
  const [ofA, ofB] = [place(a), place(b)];
  const differs = ofA.findIndex((part, at) => part !== ofB[at]);
  return differs !== -1 && ofA[differs] < ofB[differs];
}

/** @param place index of the page's key among all rows; -1: no key */
function expectedPage(sorted: readonly Row[], least: number, page: PageRequest, place: number): Page<Row> {
  const isShown = ([, , , , size]: Row): boolean => size >= least;
  const { direction, limit } = page;
  const total = sorted.filter(isShown).length;
  if (direction === 'after') {
    const ahead = sorted.slice(place + 1).filter(isShown);
    const hasBefore = place !== -1 && total > ahead.length;
    return { rows: ahead.slice(0, limit), hasBefore, hasAfter: ahead.length > limit, total };
  }
  const ahead = sorted.slice(0, place === -1 ? sorted.length : place).filter(isShown);
  const hasAfter = place !== -1 && total > ahead.length;
  return { rows: ahead.slice(-limit), hasBefore: ahead.length > limit, hasAfter, total };
}
