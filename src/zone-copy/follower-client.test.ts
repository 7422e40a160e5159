import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

/** A nameserver process without a database, whose follower thread is terminated from outside. */
const script = (folder: string): string => `
  const { systemClock } = await import(${moduleUrl('../base/clock.ts')});
  const { silentLog } = await import(${moduleUrl('../base/log.ts')});
  const { parsePostgresUrl } = await import(${moduleUrl('../store/postgres/postgres-address.ts')});
  const { openZoneCopy } = await import(${moduleUrl('./zone-copy.ts')});
  let worker;
  process.on('worker', (started) => (worker = started));
  const folder = ${JSON.stringify(folder)};
  const address = parsePostgresUrl('postgres://nobody@127.0.0.1:1/none').value;
  await openZoneCopy({ folder, address, nameserver: 'n', clock: systemClock, log: silentLog });
  console.log('open');
  // Node 24 aborts the process if a thread is terminated while it still starts.
  setTimeout(() => void worker.terminate(), 1_000);
  setInterval(() => undefined, 1_000);`;

test('if the follower thread ends unexpectedly, the process exits', () => {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-follower-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const args = ['--import', 'tsx', '--input-type=module', '-e', script(folder)];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    timeout: 100_000,
  });
  expect(stderr).toContain('Error: the follower thread ended unexpectedly');
  expect([status, stdout]).toEqual([1, 'open\n']);
});

function moduleUrl(path: string): string {
  return JSON.stringify(new URL(path, import.meta.url).href);
}
