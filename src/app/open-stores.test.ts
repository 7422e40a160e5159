import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { silentLog } from '../base/log.ts';
import { warnOfUnusedStore } from './open-stores.ts';

test.each([
  ['is warned of', true, 1],
  ['that is not there is not', false, 0],
])('with PostgreSQL an embedded store in the data folder %s', (_, isThere, warnings) => {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-stores-'));
  if (isThere) writeFileSync(join(folder, 'zonewright.db'), '');
  const warn = vi.fn();
  warnOfUnusedStore(folder, { ...silentLog, warn });
  expect(warn).toHaveBeenCalledTimes(warnings);
  const words = expect.stringContaining('zonewright move') as string;
  if (isThere) expect(warn).toHaveBeenCalledWith({ path: join(folder, 'zonewright.db') }, words);
  rmSync(folder, { recursive: true });
});
