import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { headStart, MAX_HEAD_START_MS } from './head-start.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** Starts HTTP beside a nameserver process on so many processors. */
function start(processors: number) {
  let answer = (): void => undefined;
  const answering = new Promise<void>((resolve) => (answer = resolve));
  const onStart = vi.fn();
  void headStart(answering, processors).then(onStart);
  return { answer: () => answer(), onStart };
}

test('on a single processor, HTTP starts when DNS is answered', async () => {
  const { answer, onStart } = start(1);
  await vi.advanceTimersByTimeAsync(MAX_HEAD_START_MS - 1);
  expect(onStart).not.toHaveBeenCalled();
  answer();
  await vi.advanceTimersByTimeAsync(0);
  expect(onStart).toHaveBeenCalledOnce();
  expect(vi.getTimerCount()).toBe(0);
});

test('on a single processor, HTTP does not wait for DNS for ever', async () => {
  const { onStart } = start(1);
  await vi.advanceTimersByTimeAsync(MAX_HEAD_START_MS);
  expect(onStart).toHaveBeenCalledOnce();
});

test('on several processors, HTTP starts at once', async () => {
  const { onStart } = start(2);
  await vi.advanceTimersByTimeAsync(0);
  expect(onStart).toHaveBeenCalledOnce();
});
