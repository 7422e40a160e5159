// Changes of the users of an account. Who may give or take which rights is decided by `writes`.
import { parseMemberRole, type MemberRoleInput } from '../model/parse-member-role.ts';
import { written, type WriteResult } from '../model/result.ts';
import type { Member } from '../model/user.ts';
import { forgetUser } from './authenticate-session.ts';
import { commitWrite } from './commit-write.ts';
import { findMembersAccount } from './members-account.ts';
import type { OperationContext } from './operation-context.ts';
import { accountTermsOf, type Requester } from './requester.ts';

/** A user of an account; the caller's account if none is named. */
export interface MemberPlace {
  readonly userId: string;
  readonly account: string | undefined;
}

export async function updateMember(
  context: OperationContext,
  caller: Requester,
  { userId, account: named }: MemberPlace,
  input: MemberRoleInput,
): Promise<WriteResult<Member>> {
  const account = await findMembersAccount(context, caller, named, 'write');
  if (!account.ok) return account;
  const role = parseMemberRole(input);
  if (!role.ok) return role;
  const terms = accountTermsOf(context, caller);
  const about = { accountId: account.value, userId, ...role.value, within: caller.rights };
  const result = await commitWrite(context, { kind: 'updateMember', ...terms, ...about });
  if (result.ok && terms.dryRun !== true) forgetUser(context, userId);
  return result;
}

/**
 * Its sessions and the keys that it made in the account are refused as soon as this is answered. A user may leave an account by
 * itself, whatever its role.
 */
export async function removeMember(
  context: OperationContext,
  caller: Requester,
  { userId, account: named }: MemberPlace,
): Promise<WriteResult<Member>> {
  const isLeaving = userId === caller.signedIn?.user.id && (named ?? caller.accountId) === caller.accountId;
  const account = isLeaving
    ? ({ ok: true, value: caller.accountId } as const)
    : await findMembersAccount(context, caller, named, 'write');
  if (!account.ok) return account;
  const terms = accountTermsOf(context, caller);
  const about = { accountId: account.value, userId, within: caller.rights };
  const result = await commitWrite(context, { kind: 'removeMember', ...terms, ...about });
  if (!result.ok) return result;
  const { member, keyIds } = result.value;
  if (terms.dryRun !== true) {
    const revoked = new Set(keyIds);
    forgetUser(context, userId);
    context.callers.forget(({ keyId }) => revoked.has(keyId));
  }
  return written(member);
}
