import { expect, test } from 'vitest';
import { assert } from '../../base/assert.ts';
import type { AccountStanding, Suspension } from '../../model/account-standing.ts';
import type { ZoneName } from '../../model/domain.ts';
import { scopeRights } from '../../model/scope-rights.ts';
import type { Invitation } from '../../model/user.ts';
import { newAccess, newOperator } from './access-suite.test-support.ts';
import { accountReadsSuite } from './account-reads-suite.test-support.ts';
import {
  newId,
  newKey,
  newName,
  newRecord,
  START_MS,
  START_SECONDS,
  type StoreScene,
  type Tenant,
} from './store-scene.test-support.ts';

const suspension: Suspension = { reason: 'Call us', answers: 'stop', atMs: START_MS };

/** Suspension, deletion and removal of accounts. */
export function accountLifeSuite(scene: () => StoreScene): void {
  accountReadsSuite(scene);
  suspensionSuite(scene);
  operatorSuite(scene);
  restoredDomainSuite(scene);
  removalSuite(scene);
  keptNameserversSuite(scene);
}

function operatorSuite(scene: () => StoreScene): void {
  test('an account with an operator among its users is neither suspended nor deleted', async () => {
    const [operator, tenant] = [await scene().newAccount(), await scene().newAccount()];
    const { id: accountId } = tenant.account;
    for (let n = 0; n < 3; n++) await join(scene(), tenant);
    const joining = newInvitation(accountId);
    const invitation = { ...joining, role: 'owner', isOperator: true } as const;
    await scene().must({ kind: 'createInvitation', ...anyRights, invitation });
    const suspend = { kind: 'suspendAccount', author: operator.author, accountId, suspension } as const;
    const remove = { kind: 'deleteAccount', author: operator.author, accountId, ...held } as const;
    // An invitation alone protects nothing.
    expect(await scene().store.write({ ...remove, dryRun: true })).toMatchObject({ ok: true });
    const user = { id: newId(), email: '', name: 'Op', passwordHash: null };
    const atSeconds = START_SECONDS;
    // The operator joins in the batch of the others.
    const [accepted, ...refusals] = await Promise.all([
      scene().store.write({ kind: 'acceptInvitation', hash: joining.hash, user, proven: null, atSeconds }),
      scene().store.write(suspend),
      scene().store.write(remove),
    ]);
    expect(accepted).toMatchObject({ ok: true });
    const refusal = {
      code: 'administrative_account',
      message: expect.stringContaining(joining.email ?? '') as string,
    };
    for (const result of [...refusals, await scene().store.write(suspend), await scene().store.write(remove)])
      expect(result).toMatchObject({ refusal });
    expect((await scene().store.findAccount(accountId))?.standing).toBeUndefined();
    await join(scene(), tenant, operator);
    const second = { ...newInvitation(accountId), role: 'owner' } as const;
    await scene().must({ kind: 'createInvitation', ...anyRights, invitation: second });
    const owner = { ...user, id: newId() };
    await scene().must({ kind: 'acceptInvitation', hash: second.hash, user: owner, proven: null, atSeconds });
    const [left, suspended] = await Promise.all([
      scene().store.write({ kind: 'removeMember', accountId, userId: user.id, ...anyRights }),
      scene().store.write(suspend),
    ]);
    expect([left.ok, suspended.ok]).toEqual([true, true]);
    await scene().must({ kind: 'resumeAccount', author: operator.author, accountId });
  });
}

function suspensionSuite(scene: () => StoreScene): void {
  test('a suspended account keeps what it has and changes nothing, until it is resumed', async () => {
    const [operator, tenant] = [await scene().newAccount(), await scene().newAccount()];
    const { id: accountId } = tenant.account;
    const { name } = await tenant.createDomain();
    const terms = { author: operator.author, accountId };
    await scene().must({ kind: 'suspendAccount', ...terms, suspension: { ...suspension, answers: 'go_on' } });
    expect((await scene().store.findAccount(accountId))?.standing).toMatchObject({
      suspension: { reason: 'Call us' },
    });
    expect((await scene().store.findQuota(accountId))?.standing).toMatchObject({
      suspension: { reason: 'Call us' },
    });
    const refused = { refusal: { code: 'account_suspended' } };
    expect(await tenant.create(name, newRecord('www'))).toMatchObject(refused);
    const create = { kind: 'createKey', author: tenant.author, key: newKey(accountId) } as const;
    expect(await scene().store.write(create)).toMatchObject(refused);
    expect((await operator.createDomain()).accountId).toBe(operator.account.id);
    await scene().must({ kind: 'resumeAccount', ...terms });
    expect((await scene().store.findAccount(accountId))?.standing).toBeUndefined();
    expect(await tenant.create(name, newRecord('www'))).toMatchObject({ ok: true });
  });

  test('an account with an administrative key is not suspended, however many other keys it has', async () => {
    const [operator, tenant] = [await scene().newAccount(), await scene().newAccount()];
    const { id: accountId } = tenant.account;
    for (let n = 0; n < 5; n++) await scene().must({ kind: 'createKey', key: newKey(accountId) });
    const key = { ...newKey(accountId), scope: 'admin' as const };
    await scene().must({ kind: 'createKey', key });
    const suspend = { kind: 'suspendAccount', author: operator.author, accountId, suspension } as const;
    expect(await scene().store.write(suspend)).toMatchObject({ refusal: { code: 'administrative_account' } });
    await scene().must({ kind: 'revokeKey', accountId, keyId: key.id });
    expect(await scene().store.write({ ...suspend, dryRun: true })).toMatchObject({ ok: true });
    expect((await scene().store.findAccount(accountId))?.standing).toBeUndefined();
  });

  test('domains are withheld in slices, and served again in slices', async () => {
    const [operator, tenant] = [await scene().newAccount(), await scene().newAccount()];
    const { id: accountId } = tenant.account;
    const names = Array.from({ length: 230 }, () => newName()).sort();
    await Promise.all(names.map((name) => tenant.createDomain(name)));
    const other = await operator.createDomain();
    const terms = { author: operator.author, accountId };
    await scene().must({ kind: 'suspendAccount', ...terms, suspension });
    expect(await progressOf(scene(), accountId)).toEqual({ after: '', done: 0, total: 230 });
    expect(await workUntilDone(scene(), accountId)).toBe(3);
    for (const name of names) expect(isServed(scene(), name), name).toBe(false);
    expect(isServed(scene(), other.name)).toBe(true);
    await scene().must({ kind: 'resumeAccount', ...terms });
    const seen = await standingOf(scene(), accountId);
    const slice = { kind: 'sweepDomains', accountId, atMs: START_MS } as const;
    const [one, same] = await Promise.all([
      scene().must({ ...slice, seen }),
      scene().must({ ...slice, seen }),
    ]);
    expect([one.moved, same.moved].sort()).toEqual([false, true]);
    expect(await progressOf(scene(), accountId)).toMatchObject({ done: 100 });
    expect(await workUntilDone(scene(), accountId)).toBe(2);
    for (const name of names) expect(isServed(scene(), name), name).toBe(true);
    expect((await scene().store.findAccount(accountId))?.standing).toBeUndefined();
  });
}

function restoredDomainSuite(scene: () => StoreScene): void {
  test('a domain that is deleted before it is served again after a suspension is served when it is restored', async () => {
    const [operator, tenant] = await threeAccounts(scene());
    const { id: accountId } = tenant.account;
    const { name } = await tenant.createDomain();
    const terms = { author: operator.author, accountId };
    await scene().must({ kind: 'suspendAccount', ...terms, suspension });
    await workUntilDone(scene(), accountId);
    await scene().must({ kind: 'resumeAccount', ...terms });
    await tenant.deleteDomain(name);
    await workUntilDone(scene(), accountId);
    const restored = await scene().must({ kind: 'restoreDomain', author: tenant.author, name });
    expect(restored.withheld).toEqual([]);
    expect(isServed(scene(), name)).toBe(true);
  });
}

function removalSuite(scene: () => StoreScene): void {
  test('a deleted account is held, and then removed with all that it has, and nothing else', async () => {
    const { store } = scene();
    const [operator, tenant, neighbour] = await threeAccounts(scene());
    const { id: accountId } = tenant.account;
    const theirs = await neighbour.createDomain();
    const names = await fill(scene(), tenant);
    const [shared, only] = [await join(scene(), tenant, neighbour), await join(scene(), tenant)];
    const { total } = await store.listAccounts(firstRow);
    await scene().must({ kind: 'deleteAccount', author: operator.author, accountId, ...held });
    await workUntilDone(scene(), accountId);
    await expectHeld(scene(), operator, accountId);
    await removeWhole(scene(), accountId);

    expect(await store.findAccount(accountId)).toBeUndefined();
    expect(await store.findQuota(accountId)).toBeUndefined();
    expect(await store.findKeyByHash(tenant.key.hash)).toBeUndefined();
    for (const name of names) expect(await store.signing.findAnyDomain(name)).toBeUndefined();
    expect(await store.people.find('memberships', 'accountId', [accountId])).toEqual([]);
    expect(await store.people.find('invitations', 'accountId', [accountId])).toEqual([]);
    expect(await store.people.find('accesses', 'accountId', [accountId])).toEqual([]);
    expect((await store.people.find('users', 'id', [only, shared])).map(({ id }) => id)).toEqual([shared]);
    expect(await store.people.find('memberships', 'userId', [shared])).toMatchObject([
      { accountId: neighbour.account.id },
    ]);
    expect((await store.listAccounts(firstRow)).total).toBe(total - 1);
    expect(await store.findDomain(neighbour.account.id, theirs.name)).toEqual(theirs);
  });

  test('a deleted account that is restored has all that it had, and its domains are served', async () => {
    const [operator, tenant] = await threeAccounts(scene());
    const { id: accountId } = tenant.account;
    const { name } = await tenant.createDomain();
    const { author } = operator;
    await scene().must({ kind: 'deleteAccount', author, accountId, ...held });
    await workUntilDone(scene(), accountId);
    expect(isServed(scene(), name)).toBe(false);
    const asked = [author.accountId, accountId, 'nobody'];
    expect(await scene().store.accounts.deletedAmong(asked)).toEqual([accountId]);
    const take = { kind: 'createDomain', author, name, address: null, nameservers: [] } as const;
    expect(await scene().store.write(take)).toMatchObject({ refusal: { code: 'domain_taken' } });
    const key = { kind: 'createKey', author, key: newKey(accountId) } as const;
    expect(await scene().store.write(key)).toMatchObject({ refusal: { code: 'account_suspended' } });
    await scene().must({ kind: 'restoreAccount', author, accountId });
    expect(await scene().store.accounts.deletedAmong(asked)).toEqual([]);
    await workUntilDone(scene(), accountId);
    expect(isServed(scene(), name)).toBe(true);
    expect(await tenant.create(name, newRecord('www'))).toMatchObject({ ok: true });
  });
}

function keptNameserversSuite(scene: () => StoreScene): void {
  test('the nameservers of a removed account are given to nobody else, because delegations to them may be left', async () => {
    const { store } = scene();
    const [operator, tenant, neighbour] = await threeAccounts(scene());
    const { id: accountId } = tenant.account;
    const names = [`ns1.${newName()}`, `ns2.${newName()}`].sort();
    await scene().must({ kind: 'assignNameservers', accountId, names, former: null, ...alone });
    await scene().must({ kind: 'deleteAccount', author: operator.author, accountId, ...held });
    await workUntilDone(scene(), accountId);
    await removeWhole(scene(), accountId);
    expect(await store.findAccount(accountId)).toBeUndefined();
    expect(await store.claims.findFreeNameserverSet([names])).toBeUndefined();
    expect(await store.claims.isNameserverSetShared(names, neighbour.account.id)).toBe(true);
  });
}

const alone = { formerId: null, mayShare: false } as const;

const held = { typedName: null, atMs: START_MS, heldUntilMs: START_MS + 86_400_000 };

const firstRow = { direction: 'after', key: null, limit: 1 } as const;

async function threeAccounts(scene: StoreScene): Promise<[Tenant, Tenant, Tenant]> {
  return [await scene.newAccount(), await scene.newAccount(), await scene.newAccount()];
}

/** Gives an account more than one slice of domains, and of everything else something; returns its domains. */
async function fill(scene: StoreScene, tenant: Tenant): Promise<readonly ZoneName[]> {
  const names = Array.from({ length: 130 }, () => newName());
  await Promise.all(names.map((name) => tenant.createDomain(name, [newRecord('')])));
  for (let n = 0; n < 3; n++) await scene.must({ kind: 'createKey', key: newKey(tenant.account.id) });
  await scene.must({ kind: 'createInvitation', ...anyRights, invitation: newInvitation(tenant.account.id) });
  const { user, author, session } = await newOperator(scene);
  const access = newAccess(user.id, session.id, tenant.account.id);
  await scene.must({ kind: 'createAccess', author, access });
  return names;
}

/** Until the time has passed, nothing is due; from the first slice on, the account cannot be restored. */
async function expectHeld(scene: StoreScene, operator: Tenant, accountId: string): Promise<void> {
  const { heldUntilMs } = held;
  const isDue = async (nowMs: number): Promise<boolean> =>
    (await scene.store.accounts.due(nowMs, 10_000)).some(({ id }) => id === accountId);
  expect([await isDue(heldUntilMs - 1), await isDue(heldUntilMs)]).toEqual([false, true]);
  expect((await remove(scene, accountId, heldUntilMs - 1)).moved).toBe(false);
  const restore = { kind: 'restoreAccount', author: operator.author, accountId, dryRun: true } as const;
  expect(await scene.store.write(restore)).toMatchObject({ ok: true });
  expect((await remove(scene, accountId, heldUntilMs)).moved).toBe(true);
  expect(await scene.store.write(restore)).toMatchObject({ refusal: { code: 'unknown_account' } });
}

/** The row stays for a minute after everything else is gone. */
async function removeWhole(scene: StoreScene, accountId: string): Promise<void> {
  const { heldUntilMs } = held;
  while ((await standingOf(scene, accountId)).deletion?.emptiedAtMs === null)
    expect((await remove(scene, accountId, heldUntilMs)).moved).toBe(true);
  expect((await remove(scene, accountId, heldUntilMs + 59_999)).moved).toBe(false);
  expect(await remove(scene, accountId, heldUntilMs + 60_000)).toEqual({ moved: true, account: null });
  const at = scene.accounts.findIndex(({ id }) => id === accountId);
  scene.accounts.splice(at, 1);
}

async function remove(scene: StoreScene, accountId: string, atMs: number) {
  const seen = await standingOf(scene, accountId);
  return scene.must({ kind: 'removeAccount', accountId, seen, atMs });
}

function isServed({ store }: StoreScene, name: ZoneName): boolean {
  return store.readZone(name) !== undefined;
}

async function standingOf({ store }: StoreScene, accountId: string): Promise<AccountStanding> {
  const standing = (await store.findAccount(accountId))?.standing;
  assert(standing !== undefined, 'something is decided about the account');
  return standing;
}

async function progressOf(scene: StoreScene, accountId: string) {
  return (await standingOf(scene, accountId)).sweep;
}

/** Takes slices until no domain is left to be withheld or served; returns how many. */
async function workUntilDone(scene: StoreScene, accountId: string): Promise<number> {
  for (let slices = 0; ; slices++) {
    const seen = (await scene.store.findAccount(accountId))?.standing;
    if (seen === undefined || seen.sweep === null) return slices;
    await scene.must({ kind: 'sweepDomains', accountId, seen, atMs: START_MS });
  }
}

const anyRights = { within: scopeRights.admin } as const;

function newInvitation(accountId: string, email?: string): Invitation {
  const id = newId();
  return {
    ...{ id, hash: id, accountId, email: email ?? `${id}@example.net`, role: 'viewer', grants: null },
    ...{ isOperator: false, recovers: null, createdBy: '' },
    ...{ createdAtSeconds: START_SECONDS, expiresAtSeconds: START_SECONDS + 60 },
  };
}

/** Adds a new user to the accounts; returns its id. */
async function join(scene: StoreScene, ...tenants: readonly Tenant[]): Promise<string> {
  const user = { id: newId(), email: '', name: 'New', passwordHash: null };
  for (const [at, { account }] of tenants.entries()) {
    const invitation = newInvitation(account.id, `${user.id}@example.net`);
    await scene.must({ kind: 'createInvitation', ...anyRights, invitation });
    const proven = at === 0 ? null : { userId: user.id, passwordHash: null };
    const proof = { proven, atSeconds: START_SECONDS };
    await scene.must({ kind: 'acceptInvitation', hash: invitation.hash, user, ...proof });
  }
  return user.id;
}
