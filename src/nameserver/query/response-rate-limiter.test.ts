import { expect, test } from 'vitest';
import { ClientAddress } from './client-address.ts';
import { createRateTable, ResponseRateLimiter } from './response-rate-limiter.ts';

const SECOND_US = 1_000_000;

/** Ten equal responses per second; verdicts as letters: s sent, - dropped, t slipped through truncated. */
function setUp(table = createRateTable(), perSecond = 10) {
  const limiter = new ResponseRateLimiter(table, 77, perSecond);
  const client = new ClientAddress();
  const count = (address: string, responseClass: number, nowUs: number): string => {
    client.setText(address);
    return 's-t'[limiter.count(client, responseClass, nowUs | 0)];
  };
  const countMany = (responses: number, address: string, responseClass: number, nowUs: number): string =>
    Array.from({ length: responses }, () => count(address, responseClass, nowUs)).join('');
  return { count, countMany };
}

test('a burst of responses for one second is sent, then responses are dropped and slipped alternately', () => {
  const { countMany } = setUp();
  expect(countMany(16, '192.0.2.1', 5, 0)).toBe('ssssssssss-t-t-t');
});

test('at one response per second, two are sent at once', () => {
  expect(setUp(createRateTable(), 1).countMany(5, '192.0.2.1', 5, 0)).toBe('ss-t-');
});

test('a client that stays at the rate is never limited', () => {
  const { count } = setUp();
  const verdicts = Array.from({ length: 600 }, (_, i) => count('192.0.2.1', 5, i * 100_000));
  expect(new Set(verdicts)).toEqual(new Set(['s']));
});

test('a flood is limited for as long as it lasts, half of it dropped, and forgotten some seconds later', () => {
  const { count, countMany } = setUp();
  const verdicts = Array.from({ length: 10_000 }, (_, i) => count('192.0.2.1', 5, i * 1_000)).join('');
  const sent = verdicts.replace(/[^s]/g, '').length;
  expect(sent).toBeLessThan(15);
  expect(verdicts.replace(/[^-]/g, '').length).toBe(Math.ceil((10_000 - sent) / 2));
  expect(countMany(1, '192.0.2.1', 5, 13 * SECOND_US)).not.toBe('s');
  expect(countMany(10, '192.0.2.1', 5, 16 * SECOND_US)).toBe('ssssssssss');
});

test.each([
  ['an address of the same /24', '192.0.2.1', '192.0.2.200', false],
  ['an address of the next /24', '192.0.2.1', '192.0.3.1', true],
  ['an address of the same /56', '2001:db8:1:200::1', '2001:db8:1:2ff:1::9', false],
  ['an address of the next /56', '2001:db8:1:200::1', '2001:db8:1:300::1', true],
])('%s', (_, limited, other, isFree) => {
  const { countMany } = setUp();
  countMany(50, limited, 5, 0);
  expect(countMany(1, other, 5, 0) === 's').toBe(isFree);
});

test('other responses to a limited network are sent, up to ten times the rate in total', () => {
  const { count, countMany } = setUp();
  countMany(1_000, '192.0.2.1', 5, 0);
  const verdicts = Array.from({ length: 500 }, (_, i) => count('192.0.2.1', 100 + i, 0)).join('');
  expect(verdicts).toMatch(/^s{45}(-t)+-$/);
});

test('a network that asks for many names within ten times the rate is never limited', () => {
  const { count } = setUp();
  const verdicts = Array.from({ length: 6_000 }, (_, i) => count('192.0.2.1', i % 50, i * 10_000));
  expect(new Set(verdicts)).toEqual(new Set(['s']));
});

test.each([
  ['set back by an hour', -3600],
  ['set forward by an hour', 3600],
  ['restarted at 2^32', 2 ** 32 / SECOND_US + 60],
])('a clock that is %s locks no client out', (_, seconds) => {
  const { countMany } = setUp();
  countMany(100, '192.0.2.1', 5, 0);
  expect(countMany(10, '192.0.2.1', 5, seconds * SECOND_US)).toBe('ssssssssss');
});

test('all threads share one table', () => {
  const table = createRateTable();
  setUp(table).countMany(100, '192.0.2.1', 5, 0);
  expect(setUp(table).countMany(1, '192.0.2.1', 5, 0)).not.toBe('s');
});

test('a thread whose clock is slightly behind empties no bucket', () => {
  const table = createRateTable();
  const [late, punctual] = [setUp(table), setUp(table)];
  punctual.countMany(1_000, '192.0.2.1', 5, 900_000);
  for (const nowUs of [899_000, 500_000, 0]) expect(late.count('192.0.2.1', 5, nowUs)).not.toBe('s');
  expect(punctual.count('192.0.2.1', 5, 900_000)).not.toBe('s');
});

test('with more networks than buckets, new ones are answered and the flooded one stays limited', () => {
  const { count, countMany } = setUp();
  countMany(100, '192.0.2.1', 5, 0);
  let sent = 0;
  for (let i = 0; i < 60_000; i++) {
    const address = `10.${i >>> 16}.${(i >>> 8) & 255}.${i & 255}`.replace(
      /\.(\d+)\.(\d+)\.(\d+)$/,
      '.$1.$2.1',
    );
    if (
      count(
        i % 2 === 0 ? address : `2001:db8:${i.toString(16).slice(-4)}:${(i >>> 8).toString(16)}00::1`,
        5,
        0,
      ) === 's'
    )
      sent++;
  }
  expect(countMany(2, '192.0.2.1', 5, 0)).not.toContain('s');
  expect(sent).toBeGreaterThan(0);
});
