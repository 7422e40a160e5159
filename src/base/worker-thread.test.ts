import { expect, test } from 'vitest';
import { silentLog } from './log.ts';
import { WorkerThread } from './worker-thread.ts';

test.each([
  ['fails', 'throw new Error("no disk")', 'no disk'],
  ['ends', 'process.exit(0)', 'the strange thread ended before it was ready'],
])('start() rejects if the thread %s before it is ready', async (_, code, message) => {
  const module = new URL(`data:text/javascript,${encodeURIComponent(code)}`);
  await expect(WorkerThread.start({ module, name: 'strange', log: silentLog })).rejects.toThrow(message);
});
