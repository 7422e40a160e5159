import { expect, test } from 'vitest';
import { scopeRights } from '../../model/scope-rights.ts';
import type { TrailEntry } from '../../model/trail-entry.ts';
import type { Author } from '../../writes/command.ts';
import { TRAIL_OCTETS } from '../trail-columns.ts';
import { authorOfUser, type Invitation, type Session } from '../../model/user.ts';
import { newSigned, newZoneKey } from './signed-scene.test-support.ts';
import {
  newId,
  newKey,
  newName,
  newRecord,
  START_MS,
  START_SECONDS,
  type StoreFixture,
  type StoreScene,
} from './store-scene.test-support.ts';

/** Entries that commands leave in the trail. */
export function trailSuite(scene: () => StoreScene, fixture: () => StoreFixture): void {
  noteSuite(scene, fixture);
  undoneSuite(scene, fixture);
  peopleNoteSuite(scene, fixture);
  unboundUserSuite(scene, fixture);
  domainNoteSuite(scene, fixture);
  uncommittedSuite(scene, fixture);
}

/** The entries of an account, in the order of writing. */
async function trailOf(fixture: StoreFixture, accountId: string): Promise<readonly unknown[][]> {
  const columns = 'action, actor, actor_name, address, object, detail, at, count';
  const rows = await fixture.query(
    `SELECT ${columns} FROM trail WHERE account_id = '${accountId}' ORDER BY id`,
  );
  return rows.map((row) => Object.values(row as object) as unknown[]);
}

function noteSuite(scene: () => StoreScene, fixture: () => StoreFixture): void {
  test('an entry says who did what, when and from where', async () => {
    const { account, key } = await scene().newAccount();
    const maker = { ...newKey(account.id), label: 'the owner’s laptop' };
    await scene().must({ kind: 'createKey', key: maker });
    const author: Author = {
      accountId: account.id,
      keyId: maker.id,
      atMs: START_MS + 7,
      address: '192.0.2.1',
    };
    await scene().must({ kind: 'revokeKey', author, accountId: account.id, keyId: key.id });
    expect(await trailOf(fixture(), account.id)).toEqual([
      [
        'key.revoke' satisfies TrailEntry['action'],
        maker.id,
        maker.label,
        '192.0.2.1',
        key.id,
        JSON.stringify({ label: '', scope: 'full' }),
        START_MS + 7,
        1,
      ],
    ]);
  });

  test('the octets of the trail are counted for each action', async () => {
    const tenant = await scene().newAccount();
    const { account } = tenant;
    const keys = [newKey(account.id), newKey(account.id)];
    await Promise.all(keys.map((key) => scene().must({ kind: 'createKey', author: tenant.author, key })));
    const [usage] = await fixture().query(
      `SELECT octets FROM trail_usage WHERE account_id = '${account.id}' AND action = 'key.create'`,
    );
    const [counted] = await fixture().query(
      `SELECT sum(${TRAIL_OCTETS}) AS octets FROM trail WHERE account_id = '${account.id}'`,
    );
    expect(Number(Object.values(usage as object)[0])).toBe(Number(Object.values(counted as object)[0]));
  });
}

function undoneSuite(scene: () => StoreScene, fixture: () => StoreFixture): void {
  test('a command that is refused or tried leaves nothing', async () => {
    const tenant = await scene().newAccount();
    const { account, author, key } = tenant;
    const about = { author, accountId: account.id };
    await scene().must({ kind: 'revokeKey', ...about, keyId: key.id, dryRun: true });
    await scene().must({ kind: 'createKey', author, key: newKey(account.id), dryRun: true });
    expect(await scene().store.write({ kind: 'revokeKey', ...about, keyId: 'nobody' })).toMatchObject({
      ok: false,
    });
    await scene().must({ kind: 'updateLimits', ...about, overrides: { keys: 1 } });
    const before = await trailOf(fixture(), account.id);
    expect(await scene().store.write({ kind: 'createKey', author, key: newKey(account.id) })).toMatchObject({
      refusal: { code: 'quota_exceeded' },
    });
    expect(await trailOf(fixture(), account.id)).toEqual(before);
    expect(before.map((row) => row[0])).not.toContain('key.create');
  });

  test('a repeat of a request leaves nothing', async () => {
    const tenant = await scene().newAccount();
    const { account, author } = tenant;
    const key = newKey(account.id);
    const repeated = { ...author, idempotency: { key: `once ${key.id}`, hash: 'same' } };
    for (let attempt = 0; attempt < 3; attempt++)
      await scene().must({ kind: 'createKey', author: repeated, key });
    expect(await trailOf(fixture(), account.id)).toHaveLength(1);
  });
}

/** Action, name of the actor, object and detail. */
async function toldBy(fixture: StoreFixture, accountId: string): Promise<readonly unknown[][]> {
  const rows = await trailOf(fixture, accountId);
  return rows.map(([action, , name, , object, detail]) => [
    action,
    name,
    object,
    detail === null ? {} : (JSON.parse(detail as string) as unknown),
  ]);
}

function peopleNoteSuite(scene: () => StoreScene, fixture: () => StoreFixture): void {
  test('the life of a member is in the trail of the account', async () => {
    const { account, author: byKey } = await scene().newAccount();
    const { id: accountId } = account;
    const invitation = newInvitation(accountId);
    const email = String(invitation.email);
    await scene().must({ kind: 'createInvitation', author: byKey, invitation, within: scopeRights.admin });
    const sent = { id: newId(), email: '', name: 'New', passwordHash: 'a password' };
    const author: Author = {
      accountId,
      keyId: authorOfUser(sent.id),
      userId: sent.id,
      atMs: START_MS,
      address: '2001:db8::1',
    };
    const accept = {
      kind: 'acceptInvitation',
      hash: invitation.hash,
      user: sent,
      proven: null,
    } as const;
    await scene().must({ ...accept, author, atSeconds: START_SECONDS });
    const session = newSession(sent.id);
    const about = { author, userId: sent.id };
    await scene().must({ kind: 'createSession', author, session, passwordHash: null });
    const confirm = { sessionId: session.id, freshUntilSeconds: START_SECONDS + 1, passwordHash: null };
    await scene().must({ kind: 'confirmSession', ...about, ...confirm });
    await scene().must({
      kind: 'updateUser',
      ...about,
      newName: 'Zoë',
      passwordHash: 'other',
      sessionId: null,
    });
    const key = newKey(accountId);
    await scene().must({ kind: 'createKey', author, key });
    await scene().must({ kind: 'createSession', author, session, passwordHash: null });
    await scene().must({ kind: 'endSessions', ...about, sessionId: session.id });
    const member = { author: byKey, accountId, userId: sent.id, within: scopeRights.admin };
    await scene().must({ kind: 'updateMember', ...member, role: 'viewer', grants: null });
    await scene().must({ kind: 'removeMember', ...member });
    expect(await toldBy(fixture(), accountId)).toEqual([
      ['invitation.create', '', invitation.id, { email, role: 'editor' }],
      ['invitation.accept', email, sent.id, { invitation: invitation.id, email, role: 'editor' }],
      ['session.create', email, session.id, { agent: 'a browser' }],
      ['session.confirm', email, session.id, {}],
      ['user.update', email, sent.id, { name: 'Zoë', password: 'changed' }],
      ['key.create', email, key.id, { label: '', scope: 'full' }],
      ['session.create', email, session.id, { agent: 'a browser' }],
      ['session.end', email, session.id, {}],
      ['member.update', '', sent.id, { email, role: 'viewer', before: 'editor' }],
      ['member.remove', '', sent.id, { email, role: 'viewer' }],
      ['key.revoke', '', key.id, { label: '', scope: 'full' }],
    ]);
    const addresses = (await trailOf(fixture(), accountId)).map(([, actor, , address]) => [actor, address]);
    expect(addresses[1]).toEqual([author.keyId, author.address]);
  });
}

function unboundUserSuite(scene: () => StoreScene, fixture: () => StoreFixture): void {
  test('a user who belongs to no account leaves a trail for operators', async () => {
    const session = newSession(newId());
    const author = {
      accountId: '',
      keyId: authorOfUser(session.userId),
      userId: session.userId,
      atMs: START_MS,
    };
    await scene().must({ kind: 'endSessions', author, userId: session.userId, sessionId: null });
    expect(await toldBy(fixture(), '')).toContainEqual([
      'session.end',
      '',
      session.userId,
      { sessions: 'all' },
    ]);
  });
}

function newInvitation(accountId: string): Invitation {
  const id = newId();
  return {
    id,
    hash: `hash of ${id}`,
    accountId,
    email: `user-${id}@example.net`,
    role: 'editor',
    grants: null,
    isOperator: false,
    recovers: null,
    createdAtSeconds: START_SECONDS,
    expiresAtSeconds: START_SECONDS + 60,
    createdBy: '',
  };
}

function newSession(userId: string): Session {
  const id = newId();
  const times = { createdAtSeconds: START_SECONDS, seenAtSeconds: START_SECONDS };
  const ends = { freshUntilSeconds: START_SECONDS, endsAtSeconds: START_SECONDS + 1000 };
  return { id, hash: `hash of ${id}`, userId, ...times, ...ends, address: null, agent: 'a browser' };
}

function domainNoteSuite(scene: () => StoreScene, fixture: () => StoreFixture): void {
  test('reverts and restores are in the trail, if they change something', async () => {
    const tenant = await scene().newAccount();
    const { author, account } = tenant;
    const { name, id, serial } = await tenant.createDomain(newName());
    await scene().must({ kind: 'revertRecords', author, domain: name, to: serial });
    await tenant.create(name, newRecord('a'));
    await scene().must({ kind: 'revertRecords', author, domain: name, to: serial });
    await tenant.deleteDomain(name);
    await scene().must({ kind: 'restoreDomain', author, name });
    expect(await toldBy(fixture(), account.id)).toEqual([
      ['domain.revert', '', name, { serial }],
      ['domain.restore', '', name, { id }],
    ]);
  });

  test('the trail has what an owner does to the signing of a domain, and nothing of the service', async () => {
    const { tenant, name } = await newSigned(scene(), 'nsec3');
    const { author, account } = tenant;
    const [id, key] = [newId(), newZoneKey()];
    const about = { author, domain: name };
    await scene().must({ kind: 'changeDenial', ...about, denial: 'nsec' });
    await scene().must({ kind: 'changeDenial', ...about, denial: 'nsec' });
    await scene().must({ kind: 'startRollover', ...about, id, key });
    await scene().must({ kind: 'holdRollover', ...about, isHeld: true });
    await scene().must({ kind: 'renewSignatures', domain: name });
    await scene().must({ kind: 'cancelRollover', ...about, id });
    const dnsSec = { wanted: 'disabled', force: true, id: newId() } as const;
    await scene().must({ kind: 'updateDomain', author, name, dnsSec });
    expect(await toldBy(fixture(), account.id)).toEqual([
      ['signing.enable', '', name, { denial: 'nsec3' }],
      ['signing.change', '', name, { denial: 'nsec' }],
      ['rollover.start', '', name, { rollover: id, key_tag: key.tag }],
      ['rollover.hold', '', name, { held: true }],
      ['rollover.cancel', '', name, { rollover: id }],
      ['signing.disable', '', name, { forced: true }],
    ]);
  });
}

function uncommittedSuite(scene: () => StoreScene, fixture: () => StoreFixture): void {
  test('what happened without a commit is noted with the names that its actors have', async () => {
    const { account } = await scene().newAccount();
    const key = { ...newKey(account.id), label: 'backup' };
    await scene().must({ kind: 'createKey', key });
    const entry = (actor: string) =>
      ({
        accountId: account.id,
        action: 'request.refuse',
        actor,
        address: '192.0.2.1',
        object: 'example.com',
        detail: '{"request":"createRecord"}',
        count: 7,
        sinceMs: START_MS - 7,
        atMs: START_MS,
      }) as const;
    const entries = [key.id, 'gone', authorOfUser('gone'), ''].map(entry);
    await scene().must({ kind: 'noteTrail', entries });
    const rows = await trailOf(fixture(), account.id);
    const rest = ['192.0.2.1', 'example.com', '{"request":"createRecord"}', START_MS, 7];
    expect(rows).toEqual([
      ['request.refuse', key.id, 'backup', ...rest],
      ['request.refuse', 'gone', '', ...rest],
      ['request.refuse', authorOfUser('gone'), '', ...rest],
      ['request.refuse', '', '', ...rest],
    ]);
  });
}
