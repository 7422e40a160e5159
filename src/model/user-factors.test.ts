import { expect, test } from 'vitest';
import {
  formatUserFactors,
  MAX_CREDENTIAL_ID_OCTETS,
  MAX_PASSKEY_NAME_CHARACTERS,
  MAX_PASSKEYS,
  MAX_PUBLIC_KEY_OCTETS,
  MAX_USED_CHALLENGES,
  parseUserFactors,
  passkeyTransports,
  type UserFactors,
} from './user-factors.ts';

const code = { id: '0193', sealed: 'c2VhbGVk', secretId: '00ff', createdAtSeconds: 7, lastStep: 3 };

const all: UserFactors = {
  passkeys: [
    {
      id: '0192',
      credentialId: 'aWQ',
      publicKey: 'a2V5',
      counter: 4,
      transports: ['internal', 'hybrid'],
      name: 'Laptop "blue"',
      createdAtSeconds: 5,
      usedAtSeconds: null,
    },
  ],
  oneTimeCode: code,
  pendingCode: { ...code, id: '0194' },
  recoveryCodes: ['hash'],
  usedChallenges: [{ id: 'random', expiresAtSeconds: 9 }],
  wrongCodes: { count: 3, lastMs: 12 },
};

test('factors are read as they were written', () => {
  expect(parseUserFactors(formatUserFactors(all))).toEqual(all);
  const none = { ...all, wrongCodes: null };
  expect(parseUserFactors(formatUserFactors(none))).toEqual(none);
});

test('a user without factors has no text, and one whose challenges have to be remembered has', () => {
  const none = parseUserFactors(null);
  expect(formatUserFactors(none)).toBeNull();
  const { usedChallenges } = all;
  expect(parseUserFactors(formatUserFactors({ ...none, usedChallenges }))).toEqual({
    ...none,
    usedChallenges,
  });
});

test.each([
  ['{}'],
  ['[]'],
  ['null'],
  ['not JSON'],
  [JSON.stringify({ ...all, oneTimeCode: undefined })],
  [JSON.stringify({ ...all, oneTimeCode: { ...code, lastStep: -1 } })],
  [JSON.stringify({ ...all, recoveryCodes: [1] })],
  [JSON.stringify({ ...all, passkeys: [{ ...all.passkeys[0], counter: '4' }] })],
  [JSON.stringify({ ...all, passkeys: [{ ...all.passkeys[0], transports: ['telepathy'] }] })],
  [JSON.stringify({ ...all, usedChallenges: {} })],
  [JSON.stringify({ ...all, wrongCodes: { count: -1, lastMs: 0 } })],
])('damaged factors are never taken for fewer: %s', (text) => {
  expect(() => parseUserFactors(text)).toThrow();
});

test('as many and as long parts as there can be fit', () => {
  const digits = (octets: number): string => 'x'.repeat(Math.ceil((octets * 4) / 3));
  const passkey = {
    id: '0193489f-8a3b-7abc-8def-0123456789ab',
    credentialId: digits(MAX_CREDENTIAL_ID_OCTETS),
    publicKey: digits(MAX_PUBLIC_KEY_OCTETS),
    counter: 2 ** 32 - 1,
    transports: passkeyTransports,
    name: '"'.repeat(MAX_PASSKEY_NAME_CHARACTERS),
    createdAtSeconds: 2 ** 32,
    usedAtSeconds: 2 ** 32,
  };
  const largest: UserFactors = {
    passkeys: Array.from({ length: MAX_PASSKEYS }, () => passkey),
    oneTimeCode: { ...code, sealed: digits(48) },
    pendingCode: { ...code, sealed: digits(48) },
    recoveryCodes: Array.from({ length: 10 }, () => digits(32)),
    usedChallenges: Array.from({ length: MAX_USED_CHALLENGES }, () => ({
      id: digits(16),
      expiresAtSeconds: 2 ** 32,
    })),
    wrongCodes: { count: Number.MAX_SAFE_INTEGER, lastMs: Number.MAX_SAFE_INTEGER },
  };
  expect(parseUserFactors(formatUserFactors(largest))).toEqual(largest);
});
