import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { silentLog } from '../base/log.ts';
import { openLocalData } from './open-stores.ts';
import { RunningParts } from './running-parts.ts';
import type { StartOptions } from './service-options.ts';

test.each([
  ['is warned of', true, 1],
  ['that is not there is not', false, 0],
])('with PostgreSQL an embedded store in the data folder %s', async (_, isThere, warnings) => {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-stores-'));
  if (isThere) writeFileSync(join(folder, 'zonewright.db'), '');
  const warn = vi.fn();
  const config = { data: folder, role: 'api', database: { kind: 'postgres' } };
  const parts = new RunningParts(silentLog, new AbortController().signal);
  await openLocalData({ config, log: { ...silentLog, warn } } as unknown as StartOptions, parts);
  expect(warn).toHaveBeenCalledTimes(warnings);
  const words = expect.stringContaining('zonewright move') as string;
  if (isThere) expect(warn).toHaveBeenCalledWith({ path: join(folder, 'zonewright.db') }, words);
  await parts.stop();
  rmSync(folder, { recursive: true });
});
