import { expect, test } from 'vitest';
import {
  INCEPTION_LEAD_SECONDS,
  isRenewalDue,
  nextRenewalSeconds,
  RENEWAL_INTERVAL_SECONDS,
  signatureTimes,
  VALIDITY_SECONDS,
} from './signature-times.ts';

const NOW_SECONDS = 1_800_000_000;
const DAY_SECONDS = 86_400;
const domainIds = Array.from({ length: 1000 }, (_, index) => index + 1);

test('signatures of all domains are valid from three hours ago, for 20 to 21 days', () => {
  for (const id of domainIds) {
    const { inception, expiration } = signatureTimes(id, NOW_SECONDS);
    expect(NOW_SECONDS - inception).toBe(INCEPTION_LEAD_SECONDS);
    expect(expiration - NOW_SECONDS).toBeLessThanOrEqual(VALIDITY_SECONDS);
    expect(expiration - NOW_SECONDS).toBeGreaterThan(VALIDITY_SECONDS - DAY_SECONDS);
  }
});

test('the expirations of domains that are signed at once are spread over a day', () => {
  const hours = domainIds.map((id) => Math.floor(signatureTimes(id, 0).expiration / 3600));
  const counts = new Map<number, number>();
  for (const hour of hours) counts.set(hour, (counts.get(hour) ?? 0) + 1);
  expect(counts.size).toBeGreaterThanOrEqual(24);
  expect(Math.max(...counts.values())).toBeLessThan(60);
});

test('a domain that is renewed at each due time never has less than 15 days left', () => {
  for (const id of domainIds) {
    let now = NOW_SECONDS;
    let times = signatureTimes(id, now);
    for (let renewals = 0; renewals < 20; renewals++) {
      now = nextRenewalSeconds(id, now);
      expect(times.expiration - now).toBeGreaterThanOrEqual(15 * DAY_SECONDS);
      if (isRenewalDue(times, now)) times = signatureTimes(id, now);
    }
    expect(now - NOW_SECONDS).toBeLessThanOrEqual(20 * RENEWAL_INTERVAL_SECONDS);
  }
});

test('a signature that was made while the clock was ahead is made again', () => {
  for (const id of domainIds) {
    const isDue = (aheadSeconds: number): boolean =>
      isRenewalDue(signatureTimes(id, NOW_SECONDS + aheadSeconds), NOW_SECONDS);
    expect(isDue(365 * DAY_SECONDS)).toBe(true);
    expect(isDue(INCEPTION_LEAD_SECONDS + 1)).toBe(true);
    expect(isDue(INCEPTION_LEAD_SECONDS)).toBe(false);
  }
});

test('times continue after 2106, when 32 bits overflow', () => {
  const now = 2 ** 32 + 60;
  const { inception, expiration } = signatureTimes(1, now);
  expect(inception).toBe(2 ** 32 + 60 - INCEPTION_LEAD_SECONDS);
  expect(expiration).toBeLessThan(VALIDITY_SECONDS + 61);
  expect(isRenewalDue({ inception, expiration }, now)).toBe(false);
  expect(isRenewalDue({ inception, expiration }, now + 5 * DAY_SECONDS)).toBe(true);
});
