import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { defaultLimits } from '../../model/account-limits.ts';
import { START_MS } from '../suite/store-scene.test-support.ts';
import { trailUpkeepSuite } from '../suite/trail-upkeep-suite.test-support.ts';
import { openStoreFiles } from './open-store-files.ts';
import { prepareQuery } from './sqlite-driver.ts';
import { createUpkeep } from './sqlite-upkeep.ts';
import { SqliteWriter } from './sqlite-writer.ts';
import type { StoreLock } from './store-lock.ts';

let folder: string;
let lock: StoreLock;
let writer: SqliteWriter;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'zonewright-trail-'));
  const files = openStoreFiles(folder, START_MS);
  lock = files.lock;
  writer = new SqliteWriter(files.path);
});

afterEach(() => {
  writer.close();
  lock.release();
  rmSync(folder, { recursive: true });
});

trailUpkeepSuite(() => ({
  note: (entries) => Promise.resolve(writer.commitBatch([{ kind: 'noteTrail', entries }])),
  tidy: (trailStartMs, trailOctets) => {
    const upkeep = createUpkeep(writer.database, { ...defaultLimits, trailOctets });
    upkeep.setTime({ nowMs: START_MS, historyStartMs: 0, trailStartMs });
    while (writer.inTransaction(() => upkeep.runSlice()));
    return Promise.resolve();
  },
  query: (sql) => Promise.resolve(prepareQuery(writer.database, sql).all()),
}));
