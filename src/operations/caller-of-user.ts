import type { Caller, UserSession } from '../model/account.ts';
import { deletedAccount } from '../model/account-standing.ts';
import { quoteText } from '../model/quote-text.ts';
import type { Refusal } from '../model/refusal.ts';
import type { Rights } from '../model/rights.ts';
import { operatorRights, rightsOfMember, roleRights } from '../model/role-rights.ts';
import { authorOfUser, type Membership } from '../model/user.ts';

/** The account in which a user acts, and its rights there. */
interface Place {
  readonly accountId: string;
  readonly rights: Rights;
  /** The rights are about single domains. */
  readonly isNarrow: boolean;
}

/**
 * A user acts in one account at a time.
 *
 * @param accountId the account that the request names; undefined: the only one that the user belongs to
 */
export function callerOfUser(
  session: UserSession,
  accountId: string | undefined,
  nowSeconds: number,
): Caller {
  const { user } = session;
  const place = findPlace(session, accountId, nowSeconds);
  const own = user.isOperator ? operatorRights : [];
  const keyId = authorOfUser(user.id);
  if ('code' in place) {
    const signedIn = { ...session, accountRefusal: place, namedAccountId: accountId };
    return { accountId: '', keyId, rights: own, signedIn };
  }
  const rights: Rights = [...place.rights, ...own];
  // The writes of members with roles in single domains are decided record by record.
  const limits = place.isNarrow ? { rights, networks: null, expiresAtSeconds: null } : undefined;
  return { accountId: place.accountId, keyId, rights, limits, signedIn: session };
}

/** An operator who has said why sees an account as its viewers do. */
function findPlace(session: UserSession, accountId: string | undefined, nowSeconds: number): Place | Refusal {
  const { user, accesses } = session;
  const member = findMembership(session, accountId);
  const hasAccess =
    user.isOperator &&
    accesses.some((access) => access.accountId === accountId && nowSeconds < access.expiresAtSeconds);
  if (accountId !== undefined && hasAccess) {
    const rights = [...('code' in member ? [] : rightsOfMember(member)), ...roleRights.viewer];
    return { accountId, rights, isNarrow: !('code' in member) && member.role === null };
  }
  if ('code' in member) return member;
  return { accountId: member.accountId, rights: rightsOfMember(member), isNarrow: member.role === null };
}

function findMembership(
  { memberships, deletedAccountIds }: UserSession,
  accountId: string | undefined,
): Membership | Refusal {
  if (accountId === undefined && memberships.length === 1) return memberships[0];
  const member = memberships.find((one) => one.accountId === accountId);
  if (member !== undefined) return member;
  const isDeleted =
    accountId === undefined ? memberships.length === 0 : deletedAccountIds.includes(accountId);
  if (isDeleted && deletedAccountIds.length > 0) return deletedAccount;
  if (accountId !== undefined)
    return { code: 'unknown_account', message: `You do not belong to an account ${quoteText(accountId)}` };
  return memberships.length === 0
    ? { code: 'account_required', message: 'You do not belong to an account' }
    : { code: 'account_required', message: 'You belong to several accounts; name one in Zonewright-Account' };
}
