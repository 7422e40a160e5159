import { expect, test } from 'vitest';
import { formatDomainName } from '../dns/name.ts';
import type { ZoneName } from '../model/domain.ts';
import { challengeOf } from './challenge.ts';

const domain = 'example.com' as ZoneName;

test('a challenge is the same every time, and another one for each account and domain', () => {
  const challenge = challengeOf('account-1', domain);
  expect(challenge.name).toBe('_zonewright-challenge.example.com');
  expect(challenge.owner && formatDomainName(challenge.owner)).toBe('_zonewright-challenge.example.com.');
  expect(challenge.value).toMatch(/^zonewright-claim=[0-9a-f]{40}$/);
  expect(challengeOf('account-1', domain)).toEqual(challenge);
  expect(challengeOf('account-2', domain).value).not.toBe(challenge.value);
  expect(challengeOf('account-1', 'example.net' as ZoneName).value).not.toBe(challenge.value);
});

test('a name that is too long for a label more has no challenge', () => {
  const label = 'a'.repeat(63);
  const longest = `${label}.${label}.${label}.${'a'.repeat(39)}` as ZoneName;
  expect(challengeOf('a', longest).owner).toBeDefined();
  expect(challengeOf('a', `a${longest}`.replace(/^a+/, label) as ZoneName)).toBeDefined();
  expect(challengeOf('a', `${label}.${label}.${label}.${'a'.repeat(40)}` as ZoneName).owner).toBeUndefined();
});
