import { expect, test } from 'vitest';
import { MAX_LIMITED_CLIENTS } from './limits.ts';
import { createRateLimiter } from './rate-limiter.ts';

const start = 1_800_000_000_000;

test('a client can use its quota in one burst, then as fast as it is refilled', () => {
  const limiter = createRateLimiter('default', { quota: 10, windowSeconds: 1 });
  for (let left = 9; left >= 0; left--) {
    expect(limiter.take('a', start)).toEqual({
      policy: '"default";q=10;w=1',
      state: `"default";r=${left};t=1`,
      retryAfterSeconds: 0,
    });
  }
  expect(limiter.take('a', start).retryAfterSeconds).toBe(1);
  expect(limiter.take('a', start).state).toBe('"default";r=0;t=1');
  expect(limiter.take('b', start).retryAfterSeconds).toBe(0);
  expect(limiter.take('a', start + 99).retryAfterSeconds).toBe(1);
  expect(limiter.take('a', start + 100).retryAfterSeconds).toBe(0);
  expect(limiter.take('a', start + 100).retryAfterSeconds).toBe(1);
  expect(limiter.take('a', start + 60_000).state).toBe('"default";r=9;t=1');
});

test('no time window admits more than two quotas', () => {
  const limiter = createRateLimiter('default', { quota: 7, windowSeconds: 3 });
  let passed = 0;
  for (let ms = 0; ms <= 3000; ms++) {
    if (limiter.take('a', start + ms).retryAfterSeconds === 0) passed++;
  }
  expect(passed).toBeGreaterThan(12);
  expect(passed).toBeLessThanOrEqual(14);
});

test('the number of counted clients is limited', () => {
  const limiter = createRateLimiter('address', { quota: 1, windowSeconds: 1 });
  for (let client = 0; client < MAX_LIMITED_CLIENTS + 10; client++) {
    limiter.take(`2001:db8::${client}`, start);
  }
  expect(limiter.take('2001:db8::5', start).retryAfterSeconds).toBe(0);
});
