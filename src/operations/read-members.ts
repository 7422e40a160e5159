// Reads of the users of an account and of its open invitations.
import type { Caller } from '../model/account.ts';
import { success, type ReadResult } from '../model/result.ts';
import type { Invitation, Member } from '../model/user.ts';
import { findMembersAccount } from './members-account.ts';
import type { OperationContext } from './operation-context.ts';

/**
 * At most `MAX_ACCOUNT_USERS`, in the order in which they were created.
 *
 * @param named the id of an account; undefined: the caller's
 */
export async function listMembers(
  context: OperationContext,
  caller: Caller,
  named: string | undefined,
): Promise<ReadResult<readonly Member[]>> {
  const account = await findMembersAccount(context, caller, named, 'read');
  if (!account.ok) return account;
  const { people } = context.store;
  const memberships = await people.find('memberships', 'accountId', [account.value]);
  const users = await people.find(
    'users',
    'id',
    memberships.map(({ userId }) => userId),
  );
  const byId = new Map(users.map((user) => [user.id, user]));
  return success(
    memberships.flatMap((membership) => {
      const user = byId.get(membership.userId);
      return user === undefined ? [] : [{ user, membership }];
    }),
  );
}

/** At most `MAX_OPEN_INVITATIONS`; those that have expired are left out. */
export async function listInvitations(
  context: OperationContext,
  caller: Caller,
  named: string | undefined,
): Promise<ReadResult<readonly Invitation[]>> {
  const account = await findMembersAccount(context, caller, named, 'read');
  if (!account.ok) return account;
  const invitations = await context.store.people.find('invitations', 'accountId', [account.value]);
  const nowMs = context.clock.nowMs();
  return success(invitations.filter(({ expiresAtSeconds }) => expiresAtSeconds * 1000 > nowMs));
}
