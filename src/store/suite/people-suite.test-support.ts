import { expect, test } from 'vitest';
import { scopeRights } from '../../model/scope-rights.ts';
import { MAX_USER_SESSIONS, type Invitation, type MemberRole, type Session } from '../../model/user.ts';
import type { Author, CommandOf } from '../../writes/command.ts';
import { newId, newKey, START_SECONDS, type StoreScene, type Tenant } from './store-scene.test-support.ts';

const everything = scopeRights.admin;
export const owner: MemberRole = { role: 'owner', grants: null };
const editor: MemberRole = { role: 'editor', grants: null };

/** Users, memberships, invitations and sessions. */
export function peopleSuite(scene: () => StoreScene): void {
  invitationSuite(scene);
  acceptSuite(scene);
  memberSuite(scene);
  rightsSuite(scene);
  proofSuite(scene);
  sessionSuite(scene);
}

export function newInvitation(
  accountId: string,
  role: MemberRole,
  fields: Partial<Invitation> = {},
): Invitation {
  const id = newId();
  return {
    id,
    hash: `hash of ${id}`,
    accountId,
    email: `user-${id}@example.net`,
    ...role,
    isOperator: false,
    recovers: null,
    createdAtSeconds: START_SECONDS,
    expiresAtSeconds: START_SECONDS + 60,
    createdBy: '',
    ...fields,
  };
}

function accept(
  { hash }: Invitation,
  fields: Partial<CommandOf<'acceptInvitation'>> = {},
): CommandOf<'acceptInvitation'> {
  const user = { id: newId(), email: '', name: 'New', passwordHash: 'a password' };
  return { kind: 'acceptInvitation', hash, user, proven: null, atSeconds: START_SECONDS, ...fields };
}

function invite(invitation: Invitation): CommandOf<'createInvitation'> {
  return { kind: 'createInvitation', invitation, within: everything };
}

/** Adds a user to the account. */
export async function join(
  scene: StoreScene,
  { account }: Tenant,
  role: MemberRole,
  fields: Partial<Invitation> = {},
) {
  const invitation = newInvitation(account.id, role, fields);
  await scene.must(invite(invitation));
  const { user } = await scene.must(accept(invitation));
  const author: Author = {
    accountId: account.id,
    keyId: `user:${user.id}`,
    userId: user.id,
    atMs: START_SECONDS * 1000,
  };
  return { user, author };
}

function invitationSuite(scene: () => StoreScene): void {
  test('of two requests that accept an invitation, one makes a user', async () => {
    const { account } = await scene().newAccount();
    const invitation = newInvitation(account.id, owner);
    await scene().must(invite(invitation));
    const results = await Promise.all([
      scene().store.write(accept(invitation)),
      scene().store.write(accept(invitation)),
    ]);
    expect(results.map(({ ok }) => ok).sort()).toEqual([false, true]);
    expect(results.find(({ ok }) => !ok)).toMatchObject({ refusal: { code: 'unknown_invitation' } });
    const { people } = scene().store;
    const [user] = await people.find('users', 'email', [invitation.email ?? '']);
    expect(user).toMatchObject({ name: 'New', isOperator: false, factors: null });
    expect(await people.find('memberships', 'accountId', [account.id])).toEqual([
      { userId: user.id, accountId: account.id, ...owner, createdAtSeconds: START_SECONDS },
    ]);
    expect(await people.find('invitations', 'accountId', [account.id])).toEqual([]);
  });

  test('an invitation that has expired or was revoked is refused', async () => {
    const { account } = await scene().newAccount();
    const [late, revoked] = [newInvitation(account.id, owner), newInvitation(account.id, owner)];
    for (const invitation of [late, revoked]) await scene().must(invite(invitation));
    const atSeconds = late.expiresAtSeconds;
    const unknown = { refusal: { code: 'unknown_invitation' } };
    expect(await scene().store.write(accept(late, { atSeconds }))).toMatchObject(unknown);
    const revoke = { kind: 'revokeInvitation', id: revoked.id } as const;
    expect(await scene().store.write({ ...revoke, accountId: newId() })).toMatchObject(unknown);
    await scene().must({ ...revoke, accountId: account.id });
    expect(await scene().store.write(accept(revoked))).toMatchObject(unknown);
  });

  test('a recovery sets a password, and ends second factors and sessions', async () => {
    const { user } = await join(scene(), await scene().newAccount(), owner);
    await scene().must({ kind: 'createSession', session: newSession(user.id), passwordHash: null });
    const invitation = newInvitation('', editor, { recovers: user.id });
    await scene().must(invite(invitation));
    const sent = { id: newId(), email: '', name: '', passwordHash: 'another' };
    const recovered = await scene().must(accept(invitation, { user: sent }));
    expect(recovered.user).toEqual({ ...user, passwordHash: 'another' });
    expect(await scene().store.people.find('sessions', 'userId', [user.id])).toEqual([]);
  });
}

function acceptSuite(scene: () => StoreScene): void {
  test('a user joins another account only with a proof of who it is', async () => {
    const [one, other] = [await scene().newAccount(), await scene().newAccount()];
    const { user } = await join(scene(), one, owner);
    const invitation = newInvitation(other.account.id, editor, { email: user.email });
    await scene().must(invite(invitation));
    expect(await scene().store.write(accept(invitation))).toMatchObject({
      refusal: { code: 'invalid_login' },
    });
    const proven = await scene().must(
      accept(invitation, { proven: { userId: user.id, passwordHash: null } }),
    );
    expect(proven).toEqual({ user, accountId: other.account.id });
    const again = newInvitation(other.account.id, owner, { email: user.email });
    await scene().must(invite(again));
    expect(
      await scene().store.write(accept(again, { proven: { userId: user.id, passwordHash: null } })),
    ).toMatchObject({
      refusal: { code: 'user_exists' },
    });
  });

  test('who joins with a proof opens a session with it, unless the user has changed since it was shown', async () => {
    const { user } = await join(scene(), await scene().newAccount(), owner);
    const { account } = await scene().newAccount();
    const invitation = newInvitation(account.id, editor, { email: user.email });
    await scene().must(invite(invitation));
    const session = newSession(user.id);
    const prove = (passwordHash: string) =>
      scene().store.write(accept(invitation, { proven: { userId: user.id, passwordHash }, session }));
    const { people } = scene().store;
    expect(await prove('a former password')).toMatchObject({ refusal: { code: 'invalid_login' } });
    expect(await people.find('memberships', 'accountId', [account.id])).toEqual([]);
    expect(await people.find('sessions', 'userId', [user.id])).toEqual([]);
    expect(await prove('a password')).toMatchObject({ ok: true });
    expect(await people.find('sessions', 'userId', [user.id])).toEqual([session]);
  });

  test('a user who was removed after it proved who it is does not come back as another one', async () => {
    const { account } = await scene().newAccount();
    const invitation = newInvitation(account.id, owner);
    await scene().must(invite(invitation));
    const proven = { userId: newId(), passwordHash: null };
    expect(await scene().store.write(accept(invitation, { proven }))).toMatchObject({
      refusal: { code: 'invalid_login' },
    });
    expect(await scene().store.people.find('users', 'email', [invitation.email ?? ''])).toEqual([]);
  });
}

function memberSuite(scene: () => StoreScene): void {
  test('an account keeps its last owner', async () => {
    const tenant = await scene().newAccount();
    const { user, author } = await join(scene(), tenant, owner);
    const about = { accountId: tenant.account.id, userId: user.id, within: everything };
    const lastOwner = { refusal: { code: 'last_owner' } };
    expect(await scene().store.write({ kind: 'removeMember', ...about })).toMatchObject(lastOwner);
    const demote = { kind: 'updateMember', ...about, ...editor } as const;
    expect(await scene().store.write(demote)).toMatchObject(lastOwner);
    const second = await join(scene(), tenant, owner);
    // Both want to leave at the same time.
    const removals = [author, second.author].map((leaving) =>
      scene().store.write({
        kind: 'removeMember',
        ...about,
        author: leaving,
        userId: leaving.userId ?? '',
      }),
    );
    expect((await Promise.all(removals)).map(({ ok }) => ok)).toEqual([true, false]);
  });

  test('a member who is removed loses its sessions, and the keys that it made there', async () => {
    const tenant = await scene().newAccount();
    const { account, author: byKey, key } = tenant;
    await join(scene(), tenant, owner);
    const { user, author } = await join(scene(), tenant, owner);
    const own = newKey(account.id);
    await scene().must({ kind: 'createKey', author, key: own });
    const derived = newKey(account.id);
    await scene().must({ kind: 'createKey', author: { ...byKey, keyId: own.id }, key: derived });
    await scene().must({ kind: 'createSession', session: newSession(user.id), passwordHash: null });
    const removed = await scene().must({
      kind: 'removeMember',
      accountId: account.id,
      userId: user.id,
      within: everything,
    });
    expect([...removed.keyIds].sort()).toEqual([own.id, derived.id].sort());
    const { store } = scene();
    const keys = await store.listKeys(account.id, { direction: 'after', key: null, limit: 9 });
    expect(keys.rows.map(({ id }) => id)).toEqual([key.id]);
    expect(await store.people.find('sessions', 'userId', [user.id])).toEqual([]);
    expect(await store.people.find('users', 'id', [user.id])).toEqual([]);
    // A request that was admitted before the removal.
    const late = await store.write({ kind: 'createKey', author, key: newKey(account.id) });
    expect(late).toMatchObject({ refusal: { code: 'forbidden' } });
  });
}

function rightsSuite(scene: () => StoreScene): void {
  test('nobody gives or takes rights that it does not have', async () => {
    const tenant = await scene().newAccount();
    const accountId = tenant.account.id;
    const { user } = await join(scene(), tenant, owner);
    const { author } = await join(scene(), tenant, editor);
    const forbidden = { refusal: { code: 'forbidden' } };
    const { store } = scene();
    expect(await store.write({ ...invite(newInvitation(accountId, owner)), author })).toMatchObject(
      forbidden,
    );
    const about = { author, accountId, userId: user.id, within: everything };
    expect(await store.write({ kind: 'removeMember', ...about })).toMatchObject(forbidden);
    expect(await store.write({ kind: 'updateMember', ...about, ...editor })).toMatchObject(forbidden);
    const byKey = { ...invite(newInvitation(accountId, editor)), within: scopeRights.read };
    expect(await store.write(byKey)).toMatchObject(forbidden);
  });
}

export function newSession(userId: string, fields: Partial<Session> = {}): Session {
  const id = newId();
  return {
    id,
    hash: `hash of ${id}`,
    userId,
    createdAtSeconds: START_SECONDS,
    seenAtSeconds: START_SECONDS,
    freshUntilSeconds: START_SECONDS,
    endsAtSeconds: START_SECONDS + 1_000_000,
    address: null,
    agent: 'Lynx',
    ...fields,
  };
}

function proofSuite(scene: () => StoreScene): void {
  test('a session needs the password that the user has when it is made', async () => {
    const { user } = await join(scene(), await scene().newAccount(), owner);
    const session = newSession(user.id);
    const make = (passwordHash: string) =>
      scene().store.write({ kind: 'createSession', session, passwordHash });
    const results = await Promise.all([
      scene().store.write({
        kind: 'updateUser',
        userId: user.id,
        passwordHash: 'changed',
        sessionId: null,
      }),
      make('a password'),
      make('changed'),
    ]);
    expect(results.map(({ ok }) => ok)).toEqual([true, false, true]);
    expect(await scene().store.people.find('sessions', 'hash', [session.hash])).toEqual([session]);
  });

  test('a new password ends all sessions but one', async () => {
    const { user } = await join(scene(), await scene().newAccount(), owner);
    const [kept, other] = [newSession(user.id), newSession(user.id)];
    for (const session of [kept, other])
      await scene().must({ kind: 'createSession', session, passwordHash: null });
    await scene().must({ kind: 'updateUser', userId: user.id, passwordHash: 'new', sessionId: kept.id });
    expect(await scene().store.people.find('sessions', 'userId', [user.id])).toEqual([kept]);
  });
}

function sessionSuite(scene: () => StoreScene): void {
  test('the sessions of a user are few: those that are over go first, then the one that was used least lately', async () => {
    const { user } = await join(scene(), await scene().newAccount(), owner);
    const over = newSession(user.id, { endsAtSeconds: START_SECONDS });
    const make = (session: Session) => scene().must({ kind: 'createSession', session, passwordHash: null });
    await make(over);
    const all = Array.from({ length: MAX_USER_SESSIONS + 1 }, (_, at) =>
      newSession(user.id, { seenAtSeconds: START_SECONDS - 100 + at }),
    );
    for (const session of all) await make(session);
    const left = await scene().store.people.find('sessions', 'userId', [user.id]);
    expect(left.map(({ id }) => id)).toEqual(all.slice(1).map(({ id }) => id));
  });

  test('uses are noted, and users end only their own sessions', async () => {
    const [one, other] = await Promise.all(
      [1, 2].map(async () => join(scene(), await scene().newAccount(), owner)),
    );
    const session = newSession(one.user.id);
    await scene().must({ kind: 'createSession', session, passwordHash: null });
    const atSeconds = START_SECONDS + 700;
    await scene().must({
      kind: 'noteSessionUses',
      uses: [
        { sessionId: session.id, atSeconds },
        { sessionId: newId(), atSeconds },
      ],
    });
    const { people } = scene().store;
    expect(await people.find('sessions', 'id', [session.id])).toEqual([
      { ...session, seenAtSeconds: atSeconds },
    ]);
    const end = { kind: 'endSessions', sessionId: session.id } as const;
    expect(await scene().store.write({ ...end, userId: other.user.id })).toMatchObject({
      refusal: { code: 'unknown_session' },
    });
    await scene().must({ ...end, userId: one.user.id });
    expect(await people.find('sessions', 'userId', [one.user.id])).toEqual([]);
  });
}
