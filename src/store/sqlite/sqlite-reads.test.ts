import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Domain } from '../../model/domain.ts';
import type { OwnerKey } from '../../model/record.ts';
import { openStoreFiles } from './open-store-files.ts';
import { openDatabase, prepareQuery, type SqliteDatabase } from './sqlite-driver.ts';
import { SqliteReads } from './sqlite-reads.ts';

const page = { direction: 'after', key: null, limit: 10 } as const;

const domain = { id: 1, accountId: 'a' } as Domain;

test('no list needs sorting or a full table scan', () => {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-reads-'));
  const { path, lock } = openStoreFiles(folder, 0);
  const database = openDatabase(path, { readOnly: true });
  onTestFinished(() => {
    database.close();
    lock.release();
    rmSync(folder, { recursive: true });
  });
  const statements: string[] = [];
  const noting: SqliteDatabase = {
    isTransaction: false,
    exec: (sql) => database.exec(sql),
    prepare: (sql) => {
      statements.push(sql);
      return database.prepare(sql);
    },
    function: (...definition) => database.function(...definition),
    close: () => database.close(),
  };
  const reads = new SqliteReads(noting);
  reads.listDomains('a', page, 'x');
  reads.listRecords(domain, page, { type: 1, search: 'x' });
  reads.listRecords(domain, page, { owner: 'www' as OwnerKey, data: { text: 'x', match: 'prefix' } });
  reads.searchRecords('a', page, {});
  reads.searchRecords('a', page, { owner: 'www' as OwnerKey, search: 'x' });
  const plans = statements
    .filter((sql) => sql.includes('ORDER BY'))
    .map((sql) => [sql, planOf(database, sql)])
    // The rows of a step, as another query with an index provides them.
    .map(([sql, plan]) => [sql, plan.replaceAll('SCAN step', '')]);
  const bad = plans.filter(([, plan]) => plan.includes('TEMP B-TREE') || plan.includes('SCAN'));
  expect(plans.length).toBeGreaterThan(30);
  expect(bad).toEqual([]);
});

function planOf(database: SqliteDatabase, sql: string): string {
  const steps = prepareQuery<[number, number, number, step: string]>(database, `EXPLAIN QUERY PLAN ${sql}`);
  return steps
    .all()
    .map(([, , , step]) => step)
    .join('; ');
}
