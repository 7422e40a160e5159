import { expect, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { RunningParts } from './running-parts.ts';

test('parts are stopped backwards, one after the other, also when one fails', async () => {
  const stopped: string[] = [];
  const errors: string[] = [];
  const log = { ...silentLog, error: (_: object, message: string) => void errors.push(message) };
  const parts = new RunningParts(log, new AbortController().signal);
  parts.add(() => void stopped.push('store'));
  parts.add(() => Promise.reject(new Error('broken')));
  parts.add(async () => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    stopped.push('http');
  });
  parts.complete();
  expect(parts.isComplete).toBe(true);
  await parts.stop();
  expect(stopped).toEqual(['http', 'store']);
  expect(errors).toEqual(['a part could not be stopped']);
  expect(parts.isComplete).toBe(false);
});

test('once told to stop, no further part is started, and the last one is stopped too', async () => {
  const stopping = new AbortController();
  const stopped: string[] = [];
  const parts = new RunningParts(silentLog, stopping.signal);
  parts.add(() => void stopped.push('store'));
  stopping.abort();
  expect(() => parts.add(() => void stopped.push('http'))).toThrow();
  await parts.stop();
  expect(stopped).toEqual(['http', 'store']);
});
