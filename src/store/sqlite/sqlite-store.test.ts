import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../base/log.ts';
import { systemClock } from '../../base/clock.ts';
import { storeSuite } from '../store-suite.test-support.ts';
import { openSqliteStore } from './sqlite-store.ts';

storeSuite('SQLite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'zonewright-store-'));
  return {
    open: () => openSqliteStore({ folder, clock: systemClock, log: silentLog }),
    remove: () => rm(folder, { recursive: true }),
  };
});
