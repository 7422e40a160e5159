import { refused, type Refused } from '../model/result.ts';
import { coversRights, type Rights } from '../model/rights.ts';
import { rightsOfMember } from '../model/role-rights.ts';
import type { Author } from './author.ts';
import type { PendingBatch } from './pending-batch.ts';

/** A user or key that gives or takes rights. */
interface Giver {
  readonly author?: Author | undefined;
  /** The rights of a key. Those of a user are read from the store: it may have lost some since the request was admitted. */
  readonly within: Rights;
}

/** Refuses rights in an account that the author does not have there itself. Operators give any, because they make accounts for others. */
export function findExcess(
  { author, within }: Giver,
  accountId: string,
  wanted: Rights,
  batch: PendingBatch,
): Refused | undefined {
  const own = author?.userId === undefined ? within : rightsOfUser(author.userId, accountId, batch);
  if (own === 'all' || coversRights(own, wanted)) return undefined;
  return refused('forbidden', 'Nobody can give or take rights that it does not have itself');
}

function rightsOfUser(userId: string, accountId: string, batch: PendingBatch): Rights | 'all' {
  if (batch.people.findOne('users', 'id', userId)?.isOperator === true) return 'all';
  const member = batch.people.findMembership(userId, accountId);
  return member === undefined ? [] : rightsOfMember(member);
}
