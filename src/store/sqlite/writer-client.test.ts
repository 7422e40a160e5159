import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

/** A process whose writer thread receives an invalid message instead of the first write, and crashes. */
const script = (folder: string): string => `
  import { Worker } from 'node:worker_threads';
  const { systemClock } = await import(${moduleUrl('../../base/clock.ts')});
  const { silentLog } = await import(${moduleUrl('../../base/log.ts')});
  const { openSqliteStore } = await import(${moduleUrl('./sqlite-store.ts')});
  const store = await openSqliteStore({ folder: ${JSON.stringify(folder)}, clock: systemClock, log: silentLog });
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function () { postMessage.call(this, null); };
  const account = { id: 'a', name: 'n', email: 'a@example.com', createdAtSeconds: 0 };
  const key = { id: 'k', accountId: 'a', hash: 'h', scope: 'full', label: '', createdAtSeconds: 0 };
  const answered = () => console.log('answered');
  store.write({ kind: 'createAccount', account, key }).then(answered, answered);
  setInterval(() => undefined, 1_000);`;

test('if the writer thread crashes, no write is answered and the process exits', () => {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-writer-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const args = ['--import', 'tsx', '--input-type=module', '-e', script(folder)];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    timeout: 100_000,
  });
  expect(stderr).toContain('Error: the writer thread ended unexpectedly');
  expect([status, stdout]).toEqual([1, '']);
});

function moduleUrl(path: string): string {
  return JSON.stringify(new URL(path, import.meta.url).href);
}
