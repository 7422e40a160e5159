import { expect, test } from 'vitest';
import { LoginLimiter } from '../credentials/login-limiter.ts';
import { hashRecoveryCode, newRecoveryCodes } from '../credentials/recovery-codes.ts';
import { formatUserFactors, parseUserFactors } from '../model/user-factors.ts';
import type { Refused } from '../model/result.ts';
import type { User } from '../model/user.ts';
import { openFactorTerms, type FactorTerms } from './factor-terms.ts';
import { sealCodeSecret } from './one-time-code-secret.ts';
import { proveCode } from './prove-code.ts';

const SECRET = 'the secret of these tests, of more than 32 characters';
/** RFC 6238 appendix B: at second 59, the code is 287082. */
const CODE = '287082';
const plain = Buffer.from('12345678901234567890');
const recovery = newRecoveryCodes();

function newUser(secret = SECRET): User {
  const { codeSecrets } = openFactorTerms([secret]);
  const about = { id: '0193489f-8a3b-7abc-8def-0123456789ab', createdAtSeconds: 1 };
  const sealed = sealCodeSecret(plain, about.id, codeSecrets!);
  const oneTimeCode = { ...about, ...sealed, lastStep: 0 };
  const factors = { ...parseUserFactors(null), oneTimeCode, recoveryCodes: recovery.hashes };
  const person = { email: 'a@example.net', name: 'A', passwordHash: 'x', isOperator: false };
  return { ...about, ...person, factors: formatUserFactors(factors) };
}

function begin(factors: FactorTerms = openFactorTerms([SECRET])) {
  const times = { nowMs: 59_000, elapsedMs: 0 };
  const context = {
    factors,
    codeAttempts: new LoginLimiter(),
    clock: { nowMs: () => times.nowMs },
    monotonic: { elapsedMs: () => times.elapsedMs },
  };
  return { times, prove: (user: User, code?: string) => proveCode(context, user, code) };
}

test('a user without one-time codes needs no code', () => {
  expect(begin().prove({ ...newUser(), factors: null })).toEqual({ ok: true, value: undefined });
});

test('a code of the app or a recovery code is accepted, with spaces or without', () => {
  const { prove } = begin();
  const user = newUser();
  expect(prove(user)).toMatchObject({ refusal: { code: 'second_factor_required' } });
  for (const code of [CODE, '287 082', ` ${CODE}\n`])
    expect(prove(user, code)).toMatchObject({ ok: true, value: { kind: 'oneTimeCode', step: 1 } });
  const [text] = recovery.texts;
  const use = { kind: 'recoveryCode', hash: hashRecoveryCode(text) };
  expect(prove(user, text)).toEqual({ ok: true, value: use });
  for (const wrong of ['', '000000', 'abcde-fghjk-mnpqr-stvwx', text.slice(1)])
    expect(prove(user, wrong), wrong).toMatchObject({ refusal: { code: 'invalid_login' } });
});

test('wrong codes of a user are delayed from wherever they come, so that a day has about a hundred guesses', () => {
  const { prove, times } = begin();
  const user = newUser();
  let guesses = 0;
  while (times.elapsedMs < 86_400_000) {
    const { refusal } = prove(user, '000000') as Refused;
    if (refusal.code === 'invalid_login') guesses++;
    else times.elapsedMs += (refusal.retryAfterSeconds ?? 0) * 1000;
  }
  expect(guesses).toBeLessThan(120);
});

test('another user is not delayed, and neither are passwords', () => {
  const { prove } = begin();
  const user = newUser();
  for (let tries = 0; tries < 5; tries++) prove(user, '000000');
  expect(prove(user, CODE)).toMatchObject({ refusal: { code: 'login_delayed', retryAfterSeconds: 1 } });
  expect(prove(user)).toMatchObject({ refusal: { code: 'second_factor_required' } });
  const other = { ...newUser(), id: 'other' };
  expect(prove(other, recovery.texts[1])).toMatchObject({ ok: true });
});

test('without the secret that sealed it, a code cannot be checked, and a recovery code can', () => {
  for (const factors of [
    openFactorTerms([]),
    openFactorTerms(['another secret of more than 32 characters']),
  ]) {
    const { prove } = begin(factors);
    expect(prove(newUser(), CODE)).toMatchObject({ refusal: { code: 'factor_unavailable' } });
    expect(prove(newUser(), recovery.texts[2])).toMatchObject({ ok: true });
  }
  expect(
    begin(openFactorTerms(['another secret of more than 32 characters', SECRET])).prove(newUser(), CODE),
  ).toMatchObject({
    ok: true,
  });
});

test('the secret of another user opens nothing', () => {
  const user = { ...newUser(), id: 'another' };
  expect(begin().prove(user, CODE)).toMatchObject({ refusal: { code: 'factor_unavailable' } });
});
