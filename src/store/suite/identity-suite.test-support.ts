import { expect, test } from 'vitest';
import type { ProvenIdentity } from '../../model/identity.ts';
import { scopeRights } from '../../model/scope-rights.ts';
import type { Invitation } from '../../model/user.ts';
import { join, newSession, owner } from './people-suite.test-support.ts';
import { newId, START_SECONDS, type StoreScene } from './store-scene.test-support.ts';

const ISSUER = 'https://login.example';

function newIdentity(issuer = ISSUER): ProvenIdentity {
  return { issuer, subject: newId() };
}

/** A user with a session, and what it does with identities. */
async function newUser(scene: StoreScene) {
  const tenant = await scene.newAccount();
  const { user, author } = await join(scene, tenant, owner);
  const session = newSession(user.id);
  await scene.must({ kind: 'createSession', session, passwordHash: null });
  const about = { author, userId: user.id };
  return {
    user,
    tenant,
    link: (identity: ProvenIdentity, sessionId = session.id) =>
      scene.store.write({
        kind: 'linkIdentity',
        ...about,
        sessionId,
        identity,
        atSeconds: START_SECONDS,
      }),
    unlink: (issuer = ISSUER) => scene.store.write({ kind: 'unlinkIdentity', ...about, issuer }),
    signIn: (identity: ProvenIdentity) =>
      scene.store.write({
        kind: 'createSession',
        session: newSession(user.id),
        passwordHash: null,
        identity,
      }),
    identities: () => scene.store.people.find('identities', 'userId', [user.id]),
  };
}

function newInvitation(accountId: string, fields: Partial<Invitation> = {}): Invitation {
  const id = newId();
  return {
    id,
    hash: `hash of ${id}`,
    accountId,
    email: `user-${id}@example.net`,
    ...owner,
    isOperator: false,
    recovers: null,
    createdAtSeconds: START_SECONDS,
    expiresAtSeconds: START_SECONDS + 60,
    createdBy: '',
    ...fields,
  };
}

const conflict = { refusal: { code: 'factor_conflict' } };
const invalidLogin = { refusal: { code: 'invalid_login' } };

/** Identities at OpenID Connect providers. */
export function identitySuite(scene: () => StoreScene): void {
  linkSuite(scene);
  acceptSuite(scene);
  endSuite(scene);
  identityTrailSuite(scene);
}

function linkSuite(scene: () => StoreScene): void {
  test('an identity signs in the user that has linked it, and no other', async () => {
    const [one, other] = [await newUser(scene()), await newUser(scene())];
    const identity = newIdentity();
    expect(await one.signIn(identity)).toMatchObject(invalidLogin);
    const linked = { ...identity, userId: one.user.id, createdAtSeconds: START_SECONDS };
    expect(await one.link(identity)).toMatchObject({ ok: true, changed: true, value: linked });
    expect(await one.link(identity)).toMatchObject({ ok: true, changed: false, value: linked });
    expect(await one.signIn(identity)).toMatchObject({ ok: true });
    expect(await other.signIn(identity)).toMatchObject(invalidLogin);
    expect(await other.link(identity)).toMatchObject(conflict);
    expect(await one.signIn({ ...identity, issuer: 'https://other.example' })).toMatchObject(invalidLogin);
    expect(await other.identities()).toEqual([]);
  });

  test('of two users who link an identity at the same time, one gets it', async () => {
    const users = [await newUser(scene()), await newUser(scene())];
    const identity = newIdentity();
    const results = await Promise.all(users.map(({ link }) => link(identity)));
    expect(results.map(({ ok }) => ok).sort()).toEqual([false, true]);
  });

  test('a user has one identity of each provider', async () => {
    const { link, identities } = await newUser(scene());
    expect(await link(newIdentity())).toMatchObject({ ok: true });
    expect(await link(newIdentity())).toMatchObject(conflict);
    expect(await link(newIdentity('https://other.example'))).toMatchObject({ ok: true });
    expect((await identities()).map(({ issuer }) => issuer).sort()).toEqual([
      ISSUER,
      'https://other.example',
    ]);
  });

  test('a session that has ended, or that is of another user, links nothing', async () => {
    const [one, other] = [await newUser(scene()), await newUser(scene())];
    const foreign = newSession(other.user.id);
    await scene().must({ kind: 'createSession', session: foreign, passwordHash: null });
    const unknown = { refusal: { code: 'unknown_session' } };
    for (const sessionId of [newId(), foreign.id])
      expect(await one.link(newIdentity(), sessionId)).toMatchObject(unknown);
    expect(await one.identities()).toEqual([]);
  });
}

function acceptSuite(scene: () => StoreScene): void {
  test('an invitation makes a user who signs in with an identity alone', async () => {
    const { account } = await scene().newAccount();
    const identity = newIdentity();
    const accept = async (invitation: Invitation) => {
      await scene().must({ kind: 'createInvitation', invitation, within: scopeRights.admin });
      const user = { id: newId(), email: '', name: 'New', passwordHash: null };
      const { hash } = invitation;
      return scene().store.write({
        kind: 'acceptInvitation',
        hash,
        user,
        proven: null,
        identity,
        atSeconds: START_SECONDS,
      });
    };
    const accepted = await accept(newInvitation(account.id));
    expect(accepted).toMatchObject({ ok: true, value: { user: { passwordHash: null } } });
    const [linked] = await scene().store.people.find('identities', 'subject', [identity.subject]);
    expect(accepted).toMatchObject({ value: { user: { id: linked.userId } } });
    expect(await accept(newInvitation(account.id))).toMatchObject(conflict);
    const { author } = await join(scene(), await scene().newAccount(), owner);
    const { userId } = linked;
    const unlink = { kind: 'unlinkIdentity', author, userId, issuer: ISSUER } as const;
    expect(await scene().store.write(unlink)).toMatchObject(conflict);
    expect(await scene().store.people.find('identities', 'userId', [userId])).toEqual([linked]);
  });
}

function endSuite(scene: () => StoreScene): void {
  test('an identity that is unlinked signs nobody in, and can be linked by another user', async () => {
    const [one, other] = [await newUser(scene()), await newUser(scene())];
    const identity = newIdentity();
    await one.link(identity);
    expect(await one.unlink('https://other.example')).toMatchObject({ refusal: { code: 'unknown_factor' } });
    expect(await one.unlink()).toMatchObject({ ok: true });
    expect(await one.signIn(identity)).toMatchObject(invalidLogin);
    expect(await other.link(identity)).toMatchObject({ ok: true });
  });

  test('the identities of a user end with a recovery, and with the user', async () => {
    const [recovering, leaving] = [await newUser(scene()), await newUser(scene())];
    const { account } = leaving.tenant;
    await join(scene(), leaving.tenant, owner);
    for (const { link } of [recovering, leaving]) await link(newIdentity());
    const invitation = newInvitation('', { recovers: recovering.user.id });
    await scene().must({ kind: 'createInvitation', invitation, within: scopeRights.admin });
    await scene().must({
      kind: 'acceptInvitation',
      hash: invitation.hash,
      user: { id: newId(), email: '', name: '', passwordHash: 'another' },
      proven: null,
      atSeconds: START_SECONDS,
    });
    const { id: userId } = leaving.user;
    await scene().must({ kind: 'removeMember', accountId: account.id, userId, within: scopeRights.admin });
    expect(await recovering.identities()).toEqual([]);
    expect(await leaving.identities()).toEqual([]);
  });
}

function identityTrailSuite(scene: () => StoreScene): void {
  test('the accounts of a user see what happens to its identities, to the end', async () => {
    const leaving = await newUser(scene());
    const { user, tenant } = leaving;
    const accountId = tenant.account.id;
    const { author } = await join(scene(), tenant, owner);
    const identity = newIdentity();
    await leaving.link(identity);
    await scene().must({
      kind: 'removeMember',
      author,
      accountId,
      userId: user.id,
      within: scopeRights.admin,
    });
    const whole = { direction: 'after', key: null, limit: 100 } as const;
    const filter = { object: user.id, action: 'user.' };
    const { rows } = await scene().store.trail.list('reader', filter, whole);
    const detail = JSON.stringify(identity);
    expect(rows.map((entry) => [entry.accountId, entry.action, entry.detail])).toEqual([
      [accountId, 'user.unlink', detail],
      [accountId, 'user.link', detail],
    ]);
  });
}
