import { expect, test } from 'vitest';
import { ACCESS_SECONDS, MAX_USER_ACCESSES, type Access } from '../../model/user.ts';
import { join, newSession, owner } from './people-suite.test-support.ts';
import {
  newId,
  newKey,
  START_SECONDS,
  type StoreFixture,
  type StoreScene,
} from './store-scene.test-support.ts';

/** Operators who look into accounts of others. */
export function accessSuite(scene: () => StoreScene, fixture: () => StoreFixture): void {
  test('an access ends with its session, or when it is asked for again', async () => {
    const { account } = await scene().newAccount();
    const { user, author, session } = await newOperator(scene());
    const first = newAccess(user.id, session.id, account.id);
    await scene().must({ kind: 'createAccess', author, access: first });
    const second = newAccess(user.id, session.id, account.id);
    await scene().must({ kind: 'createAccess', author, access: second });
    const { people } = scene().store;
    expect(await people.find('accesses', 'accountId', [account.id])).toEqual([second]);
    await scene().must({ kind: 'endSessions', author, userId: user.id, sessionId: session.id });
    expect(await people.find('accesses', 'userId', [user.id])).toEqual([]);
    const late = { kind: 'createAccess', author, access: first } as const;
    expect(await scene().store.write(late)).toMatchObject({ refusal: { code: 'unknown_session' } });
    const entries = await fixture().query(
      `SELECT actor, detail FROM trail WHERE account_id = '${account.id}' AND action = 'account.access'`,
    );
    const entry = [author.keyId, JSON.stringify({ reason: 'a question' })];
    expect(entries.map((row) => Object.values(row as object) as unknown[])).toEqual([entry, entry]);
  });

  test('an operator looks into few accounts at a time; those that are over do not count', async () => {
    const { user, author, session } = await newOperator(scene());
    const tenants = await Promise.all(
      Array.from({ length: MAX_USER_ACCESSES + 1 }, () => scene().newAccount()),
    );
    const ask = (accountId: string, createdAtSeconds = START_SECONDS) => {
      const access = newAccess(user.id, session.id, accountId, createdAtSeconds);
      return scene().store.write({ kind: 'createAccess', author, access });
    };
    const [last, ...others] = tenants;
    for (const { account } of others) expect(await ask(account.id)).toMatchObject({ ok: true });
    expect(await ask(last.account.id)).toMatchObject({ refusal: { code: 'quota_exceeded' } });
    expect(await ask(last.account.id, START_SECONDS + ACCESS_SECONDS)).toMatchObject({ ok: true });
    expect(await scene().store.people.find('accesses', 'userId', [user.id])).toHaveLength(1);
  });

  test('only operators get access, and without it they make no keys of accounts that are in use', async () => {
    const tenant = await scene().newAccount();
    const customer = await join(scene(), tenant, owner);
    const { user, author, session } = await newOperator(scene());
    const accountId = tenant.account.id;
    const own = newAccess(customer.user.id, session.id, accountId);
    const forbidden = await scene().store.write({
      kind: 'createAccess',
      author: customer.author,
      access: own,
    });
    expect(forbidden).toMatchObject({ refusal: { code: 'forbidden' } });
    const make = (atSeconds: number) =>
      scene().store.write({
        kind: 'createKey',
        author: { ...author, atMs: atSeconds * 1000 },
        key: newKey(accountId),
      });
    const required = { refusal: { code: 'access_required' } };
    expect(await make(START_SECONDS)).toMatchObject(required);
    await scene().must({ kind: 'createAccess', author, access: newAccess(user.id, session.id, accountId) });
    expect(await make(START_SECONDS)).toMatchObject({ ok: true });
    expect(await make(START_SECONDS + ACCESS_SECONDS)).toMatchObject(required);
  });
}

export function newAccess(
  userId: string,
  sessionId: string,
  accountId: string,
  createdAtSeconds = START_SECONDS,
): Access {
  const expiresAtSeconds = createdAtSeconds + ACCESS_SECONDS;
  return {
    id: newId(),
    sessionId,
    userId,
    accountId,
    reason: 'a question',
    createdAtSeconds,
    expiresAtSeconds,
  };
}

export async function newOperator(scene: StoreScene) {
  const { user, author } = await join(scene, await scene.newAccount(), owner, { isOperator: true });
  const session = newSession(user.id);
  await scene.must({ kind: 'createSession', session, passwordHash: null });
  return { user, author, session };
}
