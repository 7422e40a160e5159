import { refused, type Refused } from '../model/result.ts';
import { coversRights, type Rights } from '../model/rights.ts';
import { operatorRights, rightsOfMember } from '../model/role-rights.ts';
import type { Author } from './author.ts';
import type { PendingBatch } from './pending-batch.ts';

/** A user or key that gives or takes rights. */
interface Giver {
  readonly author?: Author | undefined;
  /** The rights of a key. Those of a user are read from the store: it may have lost some since the request was admitted. */
  readonly within: Rights;
}

/**
 * Refuses rights in an account that the author does not have there itself. Operators give any, because they make accounts for others;
 * but in an account that has users or domains, only after saying why.
 */
export function findExcess(
  { author, within }: Giver,
  accountId: string,
  wanted: Rights,
  batch: PendingBatch,
): Refused | undefined {
  if (author?.userId === undefined) return coversRights(within, wanted) ? undefined : forbidden;
  const { userId, atMs } = author;
  const isOperator = batch.people.findOne('users', 'id', userId)?.isOperator === true;
  const member = batch.people.findMembership(userId, accountId);
  const own = [
    ...(member === undefined ? [] : rightsOfMember(member)),
    ...(isOperator ? operatorRights : []),
  ];
  if (coversRights(own, wanted)) return undefined;
  if (!isOperator) return forbidden;
  return hasAccess(userId, accountId, atMs, batch) || isUnused(accountId, batch) ? undefined : withoutReason;
}

const forbidden = refused('forbidden', 'Nobody can give or take rights that it does not have itself');

const withoutReason = refused(
  'access_required',
  'Say first why you need access to this account (POST /v2/accounts/{id}/access); its owners see it',
);

/** In any session: the reason has been given. */
function hasAccess(userId: string, accountId: string, atMs: number, batch: PendingBatch): boolean {
  return batch.people
    .findAll('accesses', 'userId', userId)
    .some((access) => access.accountId === accountId && atMs < access.expiresAtSeconds * 1000);
}

/** There is nothing yet to look at, and nobody to tell. */
function isUnused(accountId: string, batch: PendingBatch): boolean {
  return (
    batch.people.findAll('memberships', 'accountId', accountId).length === 0 &&
    batch.accounts.domainCountOf(accountId) === 0
  );
}
