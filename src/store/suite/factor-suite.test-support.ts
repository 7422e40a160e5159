import { expect, test } from 'vitest';
import { scopeRights } from '../../model/scope-rights.ts';
import {
  MAX_PASSKEYS,
  MAX_USED_CHALLENGES,
  parseUserFactors,
  type OneTimeCode,
  type Passkey,
  type UsedChallenge,
} from '../../model/user-factors.ts';
import type { CommandOf } from '../../writes/command.ts';
import type { FactorChange, FactorUse } from '../../writes/factor-command.ts';
import { join, newInvitation, newSession, owner } from './people-suite.test-support.ts';
import { newId, START_SECONDS, type StoreFixture, type StoreScene } from './store-scene.test-support.ts';

const PASSWORD = 'a password';
const atMs = START_SECONDS * 1000;

function newPasskey(fields: Partial<Passkey> = {}): Passkey {
  return {
    id: newId(),
    credentialId: newId(),
    publicKey: 'a2V5',
    counter: 0,
    transports: ['usb'],
    name: 'Key',
    createdAtSeconds: START_SECONDS,
    usedAtSeconds: null,
    ...fields,
  };
}

function newChallenge(fields: Partial<UsedChallenge> = {}): UsedChallenge {
  return { id: newId(), expiresAtSeconds: START_SECONDS + 60, ...fields };
}

function newCode(): OneTimeCode {
  return { id: newId(), sealed: 'c2VhbGVk', secretId: '00', createdAtSeconds: START_SECONDS, lastStep: 0 };
}

function usePasskey(id: string, fields: Partial<FactorUse & { kind: 'passkey' }> = {}): FactorUse {
  return { kind: 'passkey', id, counter: 1, challenge: newChallenge(), atSeconds: START_SECONDS, ...fields };
}

/** Requests of one user. */
async function newUser(scene: StoreScene) {
  const { user, author } = await join(scene, await scene.newAccount(), owner);
  const change = (wanted: FactorChange): CommandOf<'changeFactors'> => ({
    kind: 'changeFactors',
    author,
    userId: user.id,
    change: wanted,
  });
  const signIn = (
    factor?: FactorUse,
    passwordHash: string | null = PASSWORD,
  ): CommandOf<'createSession'> => ({
    kind: 'createSession',
    session: newSession(user.id),
    passwordHash,
    factor,
  });
  return {
    user,
    change: (wanted: FactorChange) => scene.must(change(wanted)),
    signIn: (factor?: FactorUse, passwordHash?: string | null) =>
      scene.store.write(signIn(factor, passwordHash)),
    refuse: async (wanted: FactorChange, code: string) =>
      expect(await scene.store.write(change(wanted))).toMatchObject({ refusal: { code } }),
    together: (uses: readonly FactorUse[]) =>
      Promise.all(uses.map((factor) => scene.store.write(signIn(factor)))),
    confirm: async (code: OneTimeCode, recoveryCodes: readonly string[] = []) => {
      await scene.must(change({ kind: 'prepareOneTimeCode', code }));
      await scene.must(change({ kind: 'confirmOneTimeCode', id: code.id, step: 5, recoveryCodes }));
    },
    factors: async () => {
      const [row] = await scene.store.people.find('users', 'id', [user.id]);
      return parseUserFactors(row.factors);
    },
    row: async () => (await scene.store.people.find('users', 'id', [user.id]))[0],
  };
}

/** Passkeys, one-time codes and recovery codes. */
export function factorSuite(scene: () => StoreScene, fixture: () => StoreFixture): void {
  codeSuite(scene);
  wrongCodeSuite(scene);
  acceptSuite(scene);
  setUpSuite(scene);
  passkeySuite(scene);
  lastWaySuite(scene);
  trailSuite(scene, fixture);
}

const invalidLogin = { refusal: { code: 'invalid_login' } };

function codeSuite(scene: () => StoreScene): void {
  test('with one-time codes, a password alone is not enough once they are confirmed', async () => {
    const { change, signIn, confirm } = await newUser(scene());
    const code = newCode();
    await change({ kind: 'prepareOneTimeCode', code: newCode() });
    expect(await signIn()).toMatchObject({ ok: true });
    await confirm(code);
    expect(await signIn()).toMatchObject({ refusal: { code: 'second_factor_required' } });
    expect(await signIn(undefined, null)).toMatchObject({ ok: true });
    expect(await signIn({ kind: 'oneTimeCode', id: code.id, step: 6, atMs })).toMatchObject({ ok: true });
    await change({ kind: 'removeOneTimeCode' });
    expect(await signIn()).toMatchObject({ ok: true });
  });

  test('of two requests with one one-time code, one signs in, and earlier codes are over', async () => {
    const { confirm, together, signIn, factors } = await newUser(scene());
    const code = newCode();
    await confirm(code);
    const use = { kind: 'oneTimeCode', id: code.id, step: 7, atMs } as const;
    const results = await together([use, use]);
    expect(results.map(({ ok }) => ok).sort()).toEqual([false, true]);
    expect(results.find(({ ok }) => !ok)).toMatchObject(invalidLogin);
    for (const step of [5, 6, 7]) expect(await signIn({ ...use, step })).toMatchObject(invalidLogin);
    expect(await signIn({ ...use, id: newId(), step: 9 })).toMatchObject(invalidLogin);
    expect((await factors()).oneTimeCode).toEqual({ ...code, lastStep: 7 });
  });

  test('of two requests with one recovery code, one signs in', async () => {
    const { confirm, together, signIn, factors } = await newUser(scene());
    await confirm(newCode(), ['first', 'second']);
    const use = { kind: 'recoveryCode', hash: 'first', atMs } as const;
    const results = await together([use, use]);
    expect(results.map(({ ok }) => ok).sort()).toEqual([false, true]);
    expect(results.find(({ ok }) => !ok)).toMatchObject(invalidLogin);
    expect(await signIn(use)).toMatchObject(invalidLogin);
    expect((await factors()).recoveryCodes).toEqual(['second']);
  });
}

function wrongCodeSuite(scene: () => StoreScene): void {
  test('wrong codes are counted in the store, and delay right ones that come too soon', async () => {
    const { user, confirm, signIn, factors } = await newUser(scene());
    const code = newCode();
    await confirm(code);
    const miss = (passedMs: number) =>
      scene().store.write({ kind: 'noteWrongCode', userId: user.id, atMs: atMs + passedMs });
    const use = (passedMs: number) =>
      signIn({ kind: 'oneTimeCode', id: code.id, step: 7, atMs: atMs + passedMs });
    const delayed = { refusal: { code: 'login_delayed', retryAfterSeconds: 1 } };
    // At once, as from several processes: the sixth was not looked at.
    const results = await Promise.all([0, 0, 0, 0, 0, 0].map(miss));
    expect(results.map(({ ok }) => ok)).toEqual([true, true, true, true, true, false]);
    expect(results[5]).toMatchObject(delayed);
    expect(await use(999)).toMatchObject(delayed);
    expect((await factors()).wrongCodes).toEqual({ count: 5, lastMs: atMs });
    expect(await use(1000)).toMatchObject({ ok: true });
    expect((await factors()).wrongCodes).toBeNull();
  });

  test('wrong codes do not delay passkeys, and nobody else', async () => {
    const { user, change, confirm, signIn } = await newUser(scene());
    const [code, passkey] = [newCode(), newPasskey()];
    await confirm(code);
    await change({ kind: 'addPasskey', passkey, challenge: newChallenge() });
    for (let count = 0; count < 5; count++)
      await scene().must({ kind: 'noteWrongCode', userId: user.id, atMs });
    expect(await signIn(usePasskey(passkey.id), null)).toMatchObject({ ok: true });
    const unknown = await scene().store.write({ kind: 'noteWrongCode', userId: newId(), atMs });
    expect(unknown).toMatchObject(invalidLogin);
  });
}

function acceptSuite(scene: () => StoreScene): void {
  test.each(['oneTimeCode', 'recoveryCode', 'passkey'] as const)(
    'of two invitations that are accepted with one proof (%s), one is, and the other changes nothing',
    async (kind) => {
      const { user, change, confirm, signIn } = await newUser(scene());
      const [code, passkey] = [newCode(), newPasskey()];
      await confirm(code, ['first']);
      await change({ kind: 'addPasskey', passkey, challenge: newChallenge() });
      const uses = {
        oneTimeCode: { kind: 'oneTimeCode', id: code.id, step: 7, atMs },
        recoveryCode: { kind: 'recoveryCode', hash: 'first', atMs },
        passkey: usePasskey(passkey.id),
      } as const;
      const factor = uses[kind];
      const invitations = await Promise.all(
        [1, 2].map(async () => {
          const { account } = await scene().newAccount();
          const invitation = newInvitation(account.id, owner, { email: user.email });
          await scene().must({ kind: 'createInvitation', invitation, within: scopeRights.admin });
          return invitation;
        }),
      );
      const passwordHash = kind === 'passkey' ? null : PASSWORD;
      const proven = { userId: user.id, passwordHash, factor };
      const accepting = { kind: 'acceptInvitation', user, proven, atSeconds: START_SECONDS } as const;
      const results = await Promise.all(
        invitations.map(({ hash }) =>
          scene().store.write({ ...accepting, hash, session: newSession(user.id) }),
        ),
      );
      const [won, lost] = results[0].ok ? [0, 1] : [1, 0];
      expect(results[won]).toMatchObject({ ok: true });
      expect(results[lost]).toMatchObject(invalidLogin);
      const { people } = scene().store;
      const { accountId, id } = invitations[lost];
      expect(await people.find('memberships', 'accountId', [accountId])).toEqual([]);
      expect(await people.find('invitations', 'id', [id])).toHaveLength(1);
      expect(await people.find('sessions', 'userId', [user.id])).toHaveLength(1);
      expect(await signIn(factor, passwordHash)).toMatchObject(invalidLogin);
    },
  );
}

function setUpSuite(scene: () => StoreScene): void {
  test('a new secret takes the place of the former one when it is confirmed, with new recovery codes', async () => {
    const { change, confirm, refuse, signIn, factors } = await newUser(scene());
    const [former, next] = [newCode(), newCode()];
    await confirm(former, ['former']);
    await change({ kind: 'prepareOneTimeCode', code: next });
    expect(await signIn({ kind: 'oneTimeCode', id: next.id, step: 9, atMs })).toMatchObject(invalidLogin);
    expect(await signIn({ kind: 'oneTimeCode', id: former.id, step: 9, atMs })).toMatchObject({ ok: true });
    const confirmation = {
      kind: 'confirmOneTimeCode',
      id: next.id,
      step: 9,
      recoveryCodes: ['new'],
    } as const;
    await refuse({ ...confirmation, id: former.id }, 'invalid_login');
    await change(confirmation);
    await refuse(confirmation, 'invalid_login');
    expect(await factors()).toMatchObject({
      oneTimeCode: { id: next.id, lastStep: 9 },
      pendingCode: null,
      recoveryCodes: ['new'],
    });
  });

  test('recovery codes are replaced, and go with the one-time codes', async () => {
    const { change, confirm, refuse, row, factors } = await newUser(scene());
    const replace = { kind: 'replaceRecoveryCodes', recoveryCodes: ['new'] } as const;
    await refuse(replace, 'factor_conflict');
    await confirm(newCode(), ['old']);
    await change(replace);
    expect((await factors()).recoveryCodes).toEqual(['new']);
    await change({ kind: 'removeOneTimeCode' });
    expect((await row()).factors).toBeNull();
    await refuse({ kind: 'removeOneTimeCode' }, 'unknown_factor');
  });
}

function passkeySuite(scene: () => StoreScene): void {
  test('a log-in with a passkey needs no code, stores the counter and uses up the challenge', async () => {
    const { change, confirm, together, signIn, factors } = await newUser(scene());
    await confirm(newCode());
    const passkey = newPasskey();
    await change({ kind: 'addPasskey', passkey, challenge: newChallenge() });
    const atSeconds = START_SECONDS + 9;
    const use = usePasskey(passkey.id, { atSeconds });
    const results = await together([use, use]);
    expect(results.map(({ ok }) => ok).sort()).toEqual([false, true]);
    expect(results.find(({ ok }) => !ok)).toMatchObject(invalidLogin);
    expect((await factors()).passkeys).toEqual([{ ...passkey, counter: 1, usedAtSeconds: atSeconds }]);
    for (const counter of [0, 1])
      expect(await signIn(usePasskey(passkey.id, { counter }), null)).toMatchObject(invalidLogin);
    expect(await signIn(usePasskey(newId(), { counter: 2 }), null)).toMatchObject(invalidLogin);
    expect(await signIn(usePasskey(passkey.id, { counter: 2 }), null)).toMatchObject({ ok: true });
  });

  test('a challenge is good once, even for a passkey that does not count, and forgotten when it has expired', async () => {
    const { change, signIn, factors } = await newUser(scene());
    const passkey = newPasskey();
    const [first, second] = [newChallenge(), newChallenge({ expiresAtSeconds: START_SECONDS + 90 })];
    await change({ kind: 'addPasskey', passkey, challenge: first });
    const use = (challenge: UsedChallenge, atSeconds: number) =>
      signIn(usePasskey(passkey.id, { counter: 0, challenge, atSeconds }), null);
    expect(await use(first, START_SECONDS + 59)).toMatchObject(invalidLogin);
    expect(await use(first, START_SECONDS + 60)).toMatchObject(invalidLogin);
    expect(await use(second, START_SECONDS + 60)).toMatchObject({ ok: true });
    expect(await use(second, START_SECONDS + 61)).toMatchObject(invalidLogin);
    expect((await factors()).usedChallenges).toEqual([second]);
  });

  test('log-ins whose challenges do not fit are delayed until one expires', async () => {
    const { change, signIn } = await newUser(scene());
    const passkey = newPasskey();
    await change({ kind: 'addPasskey', passkey, challenge: newChallenge() });
    const use = () => signIn(usePasskey(passkey.id, { counter: 0 }), null);
    for (let used = 1; used < MAX_USED_CHALLENGES; used++) expect(await use()).toMatchObject({ ok: true });
    expect(await use()).toMatchObject({ refusal: { code: 'login_delayed', retryAfterSeconds: 60 } });
    const atSeconds = START_SECONDS + 60;
    const later = usePasskey(passkey.id, {
      counter: 0,
      atSeconds,
      challenge: newChallenge({ expiresAtSeconds: atSeconds + 60 }),
    });
    expect(await signIn(later, null)).toMatchObject({ ok: true });
  });

  test('passkeys are renamed and removed by their ids, and there are few', async () => {
    const { change, refuse, factors } = await newUser(scene());
    const passkeys = Array.from({ length: MAX_PASSKEYS }, () => newPasskey());
    const add = (passkey: Passkey) => ({ kind: 'addPasskey', passkey, challenge: newChallenge() }) as const;
    for (const passkey of passkeys) await change(add(passkey));
    await refuse(add(newPasskey()), 'quota_exceeded');
    await refuse(add({ ...passkeys[3], id: newId() }), 'factor_conflict');
    const [first, ...others] = passkeys;
    await change({ kind: 'renamePasskey', id: first.id, name: 'Blue' });
    await change({ kind: 'removePasskey', id: others[0].id });
    await refuse({ kind: 'removePasskey', id: others[0].id }, 'unknown_factor');
    await refuse({ kind: 'renamePasskey', id: others[0].id, name: '' }, 'unknown_factor');
    expect((await factors()).passkeys).toEqual([{ ...first, name: 'Blue' }, ...others.slice(1)]);
  });
}

function lastWaySuite(scene: () => StoreScene): void {
  test('a user keeps a password or a passkey', async () => {
    const { user, change, refuse, row } = await newUser(scene());
    await refuse({ kind: 'removePassword' }, 'factor_conflict');
    const passkey = newPasskey();
    await change({ kind: 'addPasskey', passkey, challenge: newChallenge() });
    await change({ kind: 'removePassword' });
    expect(await row()).toMatchObject({ passwordHash: null });
    await refuse({ kind: 'removePasskey', id: passkey.id }, 'factor_conflict');
    await scene().must({ kind: 'updateUser', userId: user.id, passwordHash: 'new', sessionId: null });
    await change({ kind: 'removePasskey', id: passkey.id });
    expect(await row()).toMatchObject({ passwordHash: 'new' });
  });

  test('an identity at a provider is a way to sign in, too', async () => {
    const { user, change, refuse } = await newUser(scene());
    const passkey = newPasskey();
    await change({ kind: 'addPasskey', passkey, challenge: newChallenge() });
    await change({ kind: 'removePassword' });
    const session = newSession(user.id);
    await scene().must({ kind: 'createSession', session, passwordHash: null });
    const identity = { issuer: 'https://login.example', subject: newId() };
    const about = { userId: user.id, sessionId: session.id, identity, atSeconds: START_SECONDS };
    await refuse({ kind: 'removePasskey', id: passkey.id }, 'factor_conflict');
    await scene().must({ kind: 'linkIdentity', ...about });
    await change({ kind: 'removePasskey', id: passkey.id });
  });
}

function trailSuite(scene: () => StoreScene, fixture: () => StoreFixture): void {
  test('changes of factors are in the trail, and no secret', async () => {
    const { user, change, confirm } = await newUser(scene());
    const passkey = newPasskey({ name: 'Old' });
    await change({ kind: 'addPasskey', passkey, challenge: newChallenge() });
    await change({ kind: 'renamePasskey', id: passkey.id, name: 'New' });
    await change({ kind: 'removePasskey', id: passkey.id });
    await confirm(newCode(), ['hash']);
    await change({ kind: 'replaceRecoveryCodes', recoveryCodes: ['hash'] });
    await change({ kind: 'removeOneTimeCode' });
    const rows = await fixture().query(
      `SELECT action, actor_name, detail FROM trail WHERE object = '${user.id}' AND action LIKE 'user.%' ORDER BY id`,
    );
    expect(rows.map((row) => Object.values(row as object) as unknown[])).toEqual([
      ['user.passkey_add', user.email, '{"passkey":"Old"}'],
      ['user.passkey_rename', user.email, '{"passkey":"Old","new_name":"New"}'],
      ['user.passkey_remove', user.email, '{"passkey":"New"}'],
      ['user.one_time_code_add', user.email, null],
      ['user.recovery_codes_replace', user.email, null],
      ['user.one_time_code_remove', user.email, null],
    ]);
  });
}
