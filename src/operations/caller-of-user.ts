import type { Caller } from '../model/account.ts';
import { quoteText } from '../model/quote-text.ts';
import type { Refusal } from '../model/refusal.ts';
import type { Rights } from '../model/rights.ts';
import { operatorRights, rightsOfMember } from '../model/role-rights.ts';
import { authorOfUser, type Membership } from '../model/user.ts';
import type { UserSession } from './operation-context.ts';

/**
 * A user acts in one account at a time.
 *
 * @param accountId the account that the request names; undefined: the only one that the user belongs to
 */
export function callerOfUser(session: UserSession, accountId: string | undefined): Caller {
  const { user, memberships } = session;
  const member = findMembership(memberships, accountId);
  const own = user.isOperator ? operatorRights : [];
  const keyId = authorOfUser(user.id);
  if ('code' in member)
    return { accountId: '', keyId, rights: own, signedIn: { ...session, accountRefusal: member } };
  const rights: Rights = [...rightsOfMember(member), ...own];
  return { accountId: member.accountId, keyId, rights, limits: limitsOf(member, rights), signedIn: session };
}

/** The writes of members with roles in single domains are decided record by record. */
function limitsOf({ role }: Membership, rights: Rights): Caller['limits'] {
  return role === null ? { rights, networks: null, expiresAtSeconds: null } : undefined;
}

function findMembership(
  memberships: readonly Membership[],
  accountId: string | undefined,
): Membership | Refusal {
  if (accountId === undefined && memberships.length === 1) return memberships[0];
  const member = memberships.find((one) => one.accountId === accountId);
  if (member !== undefined) return member;
  if (accountId !== undefined)
    return { code: 'unknown_account', message: `You do not belong to an account ${quoteText(accountId)}` };
  return memberships.length === 0
    ? { code: 'account_required', message: 'You do not belong to an account' }
    : { code: 'account_required', message: 'You belong to several accounts; name one in Zonewright-Account' };
}
