import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';

/** A process whose only nameserver thread is caught in a system call for as long as the folder is there. */
const script = (folder: string): string => `
  const { createLog } = await import(${moduleUrl('./create-log.ts')});
  const { endProcess } = await import(${moduleUrl('./end-process.ts')});
  const { askUdp, packet } = await import(${moduleUrl('../../test/harness/nameserver/clients.ts')});
  const { limits, start } = await import(${moduleUrl('../../test/harness/nameserver/start-nameserver.ts')});
  const { to } = await start({
    limits: limits({ supervision: { heartbeatMs: 5, checkIntervalMs: 20, silentChecks: 25, exitWaitMs: 50 } }),
    onUnrecoverable: (reason) => endProcess(reason, createLog('error')),
  });
  process.on('exit', () => console.log('an orderly exit'));
  await askUdp(to, [packet(${JSON.stringify(`stuck ${folder}`)})], 1, 20);`;

test('a process whose nameserver thread can neither be ended nor replaced says so and is gone at once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-beyond-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const args = ['--import', 'tsx', '--input-type=module', '-e', script(folder)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  // The thread waits for a child that shares our pipes and outlives the process until the folder is gone.
  const [stdout, stderr] = [text(child.stdout), text(child.stderr)];
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  rmSync(folder, { recursive: true });
  expect([code, signal], await stderr).toEqual([null, 'SIGKILL']);
  expect(await stderr).toMatch(
    /"reason":"nameserver worker 0 hangs and cannot be terminated","msg":"nameserver thread cannot be recovered; exiting"/,
  );
  expect(await stdout).toBe('');
});

function moduleUrl(path: string): string {
  return JSON.stringify(new URL(path, import.meta.url).href);
}
