// Suspension and deletion of accounts, as operators and owners ask for them.
import type { Account } from '../model/account.ts';
import { withholdsDomains, type AccountStanding } from '../model/account-standing.ts';
import { refused, success, written, type Refused, type Result, type WriteResult } from '../model/result.ts';
import { refuseUnknownAccount } from '../model/refuse-unknown.ts';
import type { User } from '../model/user.ts';
import type { CommandOf } from './command.ts';
import type { PendingBatch } from './pending-batch.ts';

const active: AccountStanding = { suspension: null, deletion: null, sweep: null };

/** The account keeps the keys and people that it has; only what they change is refused from then on. */
export function decideSuspendAccount(
  { author, accountId, suspension }: CommandOf<'suspendAccount'>,
  batch: PendingBatch,
): WriteResult<Account> {
  if (accountId === author?.accountId)
    return refused('invalid_request', 'An account cannot suspend itself; an operator in another account can');
  const found = findOrdinaryAccount(accountId, 'suspended', batch);
  if (!found.ok) return found;
  const before = found.value.standing?.suspension;
  const isSame = before?.reason === suspension.reason && before.answers === suspension.answers;
  if (isSame) return written(found.value, false);
  const { reason, answers } = suspension;
  batch.trail.note({ accountId, action: 'account.suspend', object: accountId, detail: { reason, answers } });
  return written(changeStanding(found.value, { suspension }, batch));
}

export function decideResumeAccount(
  { accountId }: CommandOf<'resumeAccount'>,
  batch: PendingBatch,
): WriteResult<Account> {
  const account = batch.findAccount(accountId);
  if (account === undefined) return refuseUnknownAccount(accountId);
  if (account.standing === undefined || account.standing.suspension === null) return written(account, false);
  batch.trail.note({ accountId, action: 'account.resume', object: accountId });
  return written(changeStanding(account, { suspension: null }, batch));
}

/** Nothing is removed yet: until its time has passed, the account can be restored with all that it has. */
export function decideDeleteAccount(
  { accountId, typedName, atMs, heldUntilMs }: CommandOf<'deleteAccount'>,
  batch: PendingBatch,
): WriteResult<Account> {
  const found = findOrdinaryAccount(accountId, 'deleted', batch);
  if (!found.ok) return found;
  const account = found.value;
  if (typedName !== null && typedName !== account.name) {
    return refused(
      'invalid_request',
      'name must be the name of the account, to confirm that it is to be deleted',
      'name',
    );
  }
  if (account.standing !== undefined && account.standing.deletion !== null) return written(account, false);
  const deletion = { atMs, heldUntilMs, slices: null, emptiedAtMs: null };
  const until = new Date(heldUntilMs).toISOString();
  batch.trail.note({ accountId, action: 'account.delete', object: accountId, detail: { until } });
  return written(changeStanding(account, { deletion }, batch));
}

/** An account that was suspended when it was deleted is suspended again. */
export function decideRestoreAccount(
  { accountId }: CommandOf<'restoreAccount'>,
  batch: PendingBatch,
): WriteResult<Account> {
  const account = batch.findAccount(accountId);
  if (account === undefined) return refuseUnknownAccount(accountId);
  const deletion = account.standing?.deletion ?? null;
  if (deletion === null) return written(account, false);
  if (deletion.slices !== null)
    return refused('unknown_account', 'Invalid account: the time has passed in which it could be restored');
  batch.trail.note({ accountId, action: 'account.restore', object: accountId });
  return written(changeStanding(account, { deletion: null }, batch));
}

/** Finds an account without administrators: a service without any could not be managed. */
function findOrdinaryAccount(accountId: string, become: string, batch: PendingBatch): Result<Account> {
  const account = batch.findAccount(accountId);
  if (account === undefined) return refuseUnknownAccount(accountId);
  const key = batch.accounts.findKeysOfAccount(accountId, true).at(0);
  if (key !== undefined)
    return refuseAdministrative(become, `revoke its administrative keys first, such as ${key.id}`);
  const operator = findOperator(accountId, batch);
  if (operator !== undefined)
    return refuseAdministrative(
      become,
      `remove the operators among its users first, such as ${operator.email}`,
    );
  return success(account);
}

function refuseAdministrative(become: string, step: string): Refused {
  return refused('administrative_account', `An account that manages others cannot be ${become}: ${step}`);
}

/** Finds a user of the account who is an operator. */
function findOperator(accountId: string, batch: PendingBatch): User | undefined {
  const joined = batch.people.knownMemberships(accountId).map(({ userId }) => userId);
  for (const userId of new Set([...batch.accounts.operatorsOf(accountId), ...joined])) {
    // The user may have left in this batch.
    if (batch.people.findMembership(userId, accountId) === undefined) continue;
    const user = batch.people.findOne('users', 'id', userId);
    if (user?.isOperator === true) return user;
  }
  return undefined;
}

/** The sweep begins again if the domains of the account have to be served otherwise than before. */
export function changeStanding(
  account: Account,
  change: Partial<AccountStanding>,
  batch: PendingBatch,
): Account {
  const before = account.standing ?? active;
  const changed = { ...before, ...change };
  const isTurned = withholdsDomains(before) !== withholdsDomains(changed);
  const total = batch.accounts.domainCountOf(account.id);
  const sweep = isTurned && total > 0 ? { after: '', done: 0, total } : changed.sweep;
  const standing = { ...changed, sweep };
  const isActive = standing.suspension === null && standing.deletion === null && standing.sweep === null;
  const after = { ...account, standing: isActive ? undefined : standing };
  batch.putAccount(after);
  return after;
}
