import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SIGN_OF_LIFE_MS, SILENT_LOOKS, SilenceWatch } from './silence-watch.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('a process that gives signs of life is left alone, and one that stops giving them is reported once', () => {
  const onSilent = vi.fn();
  const watch = new SilenceWatch(onSilent);
  for (let sign = 0; sign < 3 * SILENT_LOOKS; sign++) {
    vi.advanceTimersByTime(SIGN_OF_LIFE_MS);
    watch.heard();
  }
  vi.advanceTimersByTime((SILENT_LOOKS - 1) * SIGN_OF_LIFE_MS);
  expect(onSilent).not.toHaveBeenCalled();
  vi.advanceTimersByTime(10 * SILENT_LOOKS * SIGN_OF_LIFE_MS);
  expect(onSilent).toHaveBeenCalledOnce();
});

test('a watch that is stopped reports nothing', () => {
  const onSilent = vi.fn();
  new SilenceWatch(onSilent).stop();
  vi.advanceTimersByTime(2 * SILENT_LOOKS * SIGN_OF_LIFE_MS);
  expect(onSilent).not.toHaveBeenCalled();
});
