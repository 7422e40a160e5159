import { expect, test } from 'vitest';
import { LoginLimiter } from './login-limiter.ts';

function fail(limiter: LoginLimiter, name: string, network: string, times: number, nowMs = 0): void {
  for (let at = 0; at < times; at++) limiter.begin(name, network, nowMs);
}

test('after five failures the delay doubles, for this name from this network', () => {
  const limiter = new LoginLimiter();
  fail(limiter, 'a', 'home', 4);
  expect(limiter.waitMs('a', 'home', 0)).toBe(0);
  const delays = [1, 2, 3].map(() => {
    fail(limiter, 'a', 'home', 1);
    return limiter.waitMs('a', 'home', 0);
  });
  expect(delays).toEqual([1_000, 2_000, 4_000]);
  expect(limiter.waitMs('a', 'home', 3_500)).toBe(500);
  expect(limiter.waitMs('a', 'elsewhere', 0)).toBe(0);
  expect(limiter.waitMs('b', 'home', 0)).toBe(0);
});

test('an attacker with many networks delays a name by ten seconds at most', () => {
  const limiter = new LoginLimiter();
  for (let at = 0; at < 1_000; at++) limiter.begin('a', `network ${at}`, 0);
  expect(limiter.waitMs('a', 'home', 0)).toBe(10_000);
  expect(limiter.waitMs('a', 'home', 10_000)).toBe(0);
});

test('a network that tries many names is delayed', () => {
  const limiter = new LoginLimiter();
  for (let at = 0; at < 1_000; at++) limiter.begin(`name ${at}`, 'attacker', 0);
  expect(limiter.waitMs('new', 'attacker', 0)).toBe(60_000);
  expect(limiter.waitMs('new', 'home', 0)).toBe(0);
});

test('a success ends the delay of the client, and failures are forgotten after an hour', () => {
  const limiter = new LoginLimiter();
  fail(limiter, 'a', 'home', 8);
  limiter.succeed('a', 'home');
  expect(limiter.waitMs('a', 'home', 0)).toBe(0);
  fail(limiter, 'b', 'home', 20);
  expect(limiter.waitMs('b', 'home', 0)).toBe(900_000);
  expect(limiter.waitMs('b', 'home', 3_600_000)).toBe(0);
});

test('old entries give way to new ones', () => {
  const limiter = new LoginLimiter();
  fail(limiter, 'first', 'home', 6);
  for (let at = 0; at < 10_000; at++) limiter.begin(`name ${at}`, `network ${at}`, 0);
  expect(limiter.waitMs('first', 'home', 0)).toBe(0);
});

test('an attempt that is withdrawn counts nowhere, and ends no delay', () => {
  const limiter = new LoginLimiter();
  for (let at = 0; at < 100; at++) {
    limiter.begin('a', 'home', 0);
    limiter.withdraw('a', 'home');
  }
  expect(limiter.waitMs('a', 'home', 0)).toBe(0);
  // A client that knows the password, and guesses codes.
  for (let at = 0; at < 5; at++) {
    fail(limiter, 'a', 'home', 2);
    limiter.withdraw('a', 'home');
  }
  expect(limiter.waitMs('a', 'home', 0)).toBe(1_000);
});
