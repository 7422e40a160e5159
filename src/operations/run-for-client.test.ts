import { expect, test } from 'vitest';
import { runForClient } from './run-for-client.ts';

test('runForClient() stops at the next step when the client has gone', async () => {
  const gone = new AbortController();
  let steps = 0;
  function* work() {
    for (; steps < 100; steps++) yield;
    return 'done';
  }
  const running = runForClient(work(), () => gone.signal);
  gone.abort();
  await expect(running).rejects.toThrow('gone');
  expect(steps).toBe(0);
  expect(await runForClient(work())).toBe('done');
});
