// Finds whose objects are that a request has asked for and not found. Decides nothing.
import type { Store } from '../store/store.ts';

export type SoughtKind = 'domain' | 'key' | 'account' | 'user' | 'invitation' | 'session';

/** The place of an object that exists. */
export interface Holding {
  /** Those of the user, of users and their sessions, which may be none. */
  readonly accountIds: readonly string[];
  /** It is a domain that was deleted, and can be restored. */
  readonly isDeleted: boolean;
}

type HolderReads = Pick<Store, 'accounts' | 'people'>;

/**
 * Each kind is a read or two of an index. What does not exist is left out.
 *
 * @param ids or names of domains, at most `SLICE_ROWS`
 */
export async function findHoldings(
  store: HolderReads,
  kind: SoughtKind,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Holding>> {
  switch (kind) {
    case 'user': {
      const users = await store.people.find('users', 'id', ids);
      return holdingsOfUsers(store, new Map(users.map(({ id }) => [id, id])));
    }
    case 'session': {
      const sessions = await store.people.find('sessions', 'id', ids);
      return holdingsOfUsers(store, new Map(sessions.map(({ id, userId }) => [id, userId])));
    }
    case 'invitation': {
      const invitations = await store.people.find('invitations', 'id', ids);
      // Only the service makes links that recover users, which belong to no account.
      const ofAccounts = invitations.filter(({ accountId }) => accountId !== '');
      return new Map(ofAccounts.map(({ id, accountId }) => [id, inAccount(accountId)]));
    }
    default: {
      const holders = await store.accounts.holdersOf(kind, ids);
      return new Map(holders.map(({ id, accountId, isDeleted }) => [id, inAccount(accountId, isDeleted)]));
    }
  }
}

function inAccount(accountId: string, isDeleted = false): Holding {
  return { accountIds: [accountId], isDeleted };
}

/** @param userIds by the id of what belongs to a user */
async function holdingsOfUsers(
  { people }: HolderReads,
  userIds: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, Holding>> {
  const members = await people.find('memberships', 'userId', [...userIds.values()]);
  const accountsOf = (userId: string): readonly string[] =>
    members.flatMap((member) => (member.userId === userId ? [member.accountId] : []));
  return new Map(
    Array.from(userIds, ([id, userId]) => [id, { accountIds: accountsOf(userId), isDeleted: false }]),
  );
}
