import { expect, test } from 'vitest';
import { hashRecoveryCode, newRecoveryCodes } from '../credentials/recovery-codes.ts';
import type { Refused, Result } from '../model/result.ts';
import type { User } from '../model/user.ts';
import type { FactorUse } from '../writes/factor-command.ts';
import { must, openFactorScene } from './factor-scene.test-support.ts';
import { openFactorTerms } from './factor-terms.ts';
import { sealCodeSecret } from './one-time-code-secret.ts';
import type { OperationContext } from './operation-context.ts';
import { proveCode } from './prove-code.ts';

const SECRET = 'the secret of these tests, of more than 32 characters';
const ANOTHER = 'another secret of more than 32 characters';
/** RFC 6238 appendix B: at second 59, the code is 287082. */
const CODE = '287082';
const NOW_MS = 59_000;
const plain = Buffer.from('12345678901234567890');
const recovery = newRecoveryCodes();

const scene = await openFactorScene();
const { context, newProcess, times } = scene;

/** A user with one-time codes. */
async function newUser(): Promise<User> {
  const { user } = (await scene.newUser()).signedIn!;
  const { codeSecrets } = openFactorTerms([SECRET]);
  const about = { id: '0193489f-8a3b-7abc-8def-0123456789ab', createdAtSeconds: 1 };
  const code = { ...about, ...sealCodeSecret(plain, user.id, codeSecrets!), lastStep: 0 };
  const confirm = {
    kind: 'confirmOneTimeCode',
    id: code.id,
    step: 0,
    recoveryCodes: recovery.hashes,
  } as const;
  for (const change of [{ kind: 'prepareOneTimeCode', code } as const, confirm])
    must(await context.store.write({ kind: 'changeFactors', userId: user.id, change }));
  times.nowMs = NOW_MS;
  return user;
}

/** As a log-in does: with the user as the store has it. */
async function prove(
  { id }: User,
  code?: string,
  process: OperationContext = context,
): Promise<Result<FactorUse | undefined>> {
  const [user] = await process.store.people.find('users', 'id', [id]);
  return proveCode(process, user, code);
}

const wrong = { refusal: { code: 'invalid_login' } };

test('a user without one-time codes needs no code', async () => {
  const { user } = (await scene.newUser()).signedIn!;
  expect(await prove(user)).toEqual({ ok: true, value: undefined });
});

test('a code of the app or a recovery code is accepted, with spaces or without', async () => {
  const user = await newUser();
  expect(await prove(user)).toMatchObject({ refusal: { code: 'second_factor_required' } });
  for (const code of [CODE, '287 082', ` ${CODE}\n`])
    expect(await prove(user, code)).toMatchObject({ ok: true, value: { kind: 'oneTimeCode', step: 1 } });
  const [text] = recovery.texts;
  const use = { kind: 'recoveryCode', hash: hashRecoveryCode(text), atMs: NOW_MS };
  expect(await prove(user, text)).toEqual({ ok: true, value: use });
  for (const code of ['', '000000', 'abcde-fghjk-mnpqr-stvwx', text.slice(1)])
    expect(await prove(user, code), code).toMatchObject(wrong);
});

test('wrong codes of a user are delayed from wherever they come, so that a day has about a hundred guesses', async () => {
  const user = await newUser();
  const processes = [context, newProcess()];
  let guesses = 0;
  while (times.nowMs < NOW_MS + 86_400_000) {
    // At once in both, of which each sees the user as it was before.
    const replies = await Promise.all(processes.map((process) => prove(user, '000000', process)));
    const refusals = replies.map((reply) => (reply as Refused).refusal);
    guesses += refusals.filter(({ code }) => code === 'invalid_login').length;
    const waits = refusals.map(({ retryAfterSeconds = 0 }) => retryAfterSeconds);
    times.nowMs += Math.max(...waits) * 1000;
  }
  expect(guesses).toBeGreaterThan(100);
  expect(guesses).toBeLessThan(120);
});

test('another user is not delayed, and neither are passwords', async () => {
  const user = await newUser();
  for (let tries = 0; tries < 5; tries++) await prove(user, '000000');
  const delayed = { refusal: { code: 'login_delayed', retryAfterSeconds: 1 } };
  expect(await prove(user, CODE)).toMatchObject(delayed);
  expect(await prove(user, CODE, newProcess())).toMatchObject(delayed);
  expect(await prove(user)).toMatchObject({ refusal: { code: 'second_factor_required' } });
  expect(await prove(await newUser(), recovery.texts[1])).toMatchObject({ ok: true });
});

test('a code that a log-in has shown is refused if a wrong one comes before its session', async () => {
  const user = await newUser();
  for (let tries = 0; tries < 4; tries++) await prove(user, '000000');
  const { value: factor } = (await prove(user, CODE)) as { value: FactorUse };
  expect(await prove(user, '000000')).toMatchObject(wrong);
  const times = { createdAtSeconds: 1, seenAtSeconds: 1, freshUntilSeconds: 1, endsAtSeconds: 9 };
  const session = { id: user.id, hash: user.id, userId: user.id, ...times, address: null, agent: null };
  const opened = await context.store.write({ kind: 'createSession', session, passwordHash: 'x', factor });
  expect(opened).toMatchObject({ refusal: { code: 'login_delayed' } });
});

test('without the secret that sealed it, a code cannot be checked, and a recovery code can', async () => {
  const user = await newUser();
  for (const process of [newProcess([]), newProcess([ANOTHER])]) {
    for (let tries = 0; tries < 6; tries++)
      expect(await prove(user, CODE, process)).toMatchObject({ refusal: { code: 'factor_unavailable' } });
    expect(await prove(user, recovery.texts[2], process)).toMatchObject({ ok: true });
  }
  expect(await prove(user, CODE, newProcess([ANOTHER, SECRET]))).toMatchObject({ ok: true });
});

test('the secret of another user opens nothing', async () => {
  const [user, other] = [await newUser(), await newUser()];
  const [{ factors }] = await context.store.people.find('users', 'id', [other.id]);
  expect(await proveCode(context, { ...user, factors }, CODE)).toMatchObject({
    refusal: { code: 'factor_unavailable' },
  });
});
