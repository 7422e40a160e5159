import { expect, test } from 'vitest';
import { runForClient } from './run-for-client.ts';

test('runForClient() stops at its next turn when the client has gone', async () => {
  const gone = new AbortController();
  function* endless() {
    for (;;) yield;
  }
  const running = runForClient(endless(), () => gone.signal);
  gone.abort();
  await expect(running).rejects.toThrow('gone');
});

test('runForClient() returns what the steps return', async () => {
  function* work() {
    for (let step = 0; step < 100; step++) yield;
    return 'done';
  }
  expect(await runForClient(work())).toBe('done');
});
