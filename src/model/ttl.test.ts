import { expect, test } from 'vitest';
import { parseTtl } from './ttl.ts';

const strict = { defaultTtlSeconds: null };
const lenient = { defaultTtlSeconds: 120 };

test.each([
  [1, 1],
  [300, 300],
  [2147483647, 2147483647],
  ['300', 300],
  ['0300', 300],
])('rule 22: the TTL %j is %i seconds', (input, seconds) => {
  expect(parseTtl(input, strict)).toEqual({ ok: true, value: seconds });
  expect(parseTtl(input, lenient)).toEqual({ ok: true, value: seconds });
});

test.each([undefined, null, 0, -0, '0', '000'])(
  'rule 22: the TTL %j takes the default where there is one',
  (input) => {
    expect(parseTtl(input, strict).ok).toBe(false);
    expect(parseTtl(input, lenient)).toEqual({ ok: true, value: 120 });
  },
);

test.each([
  -1,
  2147483648,
  1.5,
  NaN,
  Infinity,
  '',
  ' 300',
  '-1',
  '+1',
  '1.0',
  '1e3',
  '0x10',
  '5m',
  '9'.repeat(400),
])('rule 22: the TTL %j is refused', (input) => {
  for (const rules of [strict, lenient]) {
    const result = parseTtl(input, rules);
    expect(result.ok ? result.value : result.problem).toMatch(/^Record TTL .+ from 1 to 2147483647$/);
  }
});
