// The tables of people: their rows, keys and the columns by which rows are found. Both engines and the batch derive from it.
import type { Identity } from '../model/identity.ts';
import type { Access, Invitation, Membership, Session, User } from '../model/user.ts';

export interface PeopleRows {
  readonly users: User;
  readonly memberships: Membership;
  readonly invitations: Invitation;
  readonly sessions: Session;
  readonly accesses: Access;
  readonly identities: Identity;
}

export type PeopleTable = keyof PeopleRows;

/** How a row is identified, and the members whose value finds rows. Every such list is short: the model has its limit. */
interface PeopleKeys<Row> {
  readonly keyOf: (row: Row) => string;
  readonly lookUps: readonly (keyof Row & string)[];
}

export const peopleKeys = {
  users: { keyOf: ({ id }) => id, lookUps: ['id', 'email'] },
  memberships: {
    keyOf: ({ userId, accountId }) => `${userId} ${accountId}`,
    lookUps: ['userId', 'accountId'],
  },
  invitations: { keyOf: ({ id }) => id, lookUps: ['id', 'hash', 'accountId'] },
  sessions: { keyOf: ({ id }) => id, lookUps: ['id', 'hash', 'userId'] },
  accesses: { keyOf: ({ id }) => id, lookUps: ['userId', 'accountId'] },
  identities: {
    keyOf: ({ subject, issuer }) => `${subject} ${issuer}`,
    lookUps: ['subject', 'userId'],
  },
} as const satisfies { readonly [T in PeopleTable]: PeopleKeys<PeopleRows[T]> };

export const peopleTables = Object.keys(peopleKeys) as readonly PeopleTable[];

export type PeopleLookUp<T extends PeopleTable> = (typeof peopleKeys)[T]['lookUps'][number];

/** Finds all rows of a table that have a value. */
export type FindPeople = <T extends PeopleTable>(
  table: T,
  lookUp: PeopleLookUp<T>,
  value: string,
) => readonly PeopleRows[T][];

/** The rows of a table that a batch writes. */
export interface WrittenRows<Row> {
  /** New ones and changed ones. */
  readonly put: readonly Row[];
  /** As they were before. */
  readonly deleted: readonly Row[];
}

export type PeopleWrites = { readonly [T in PeopleTable]: WrittenRows<PeopleRows[T]> };

export const noPeopleWrites: PeopleWrites = {
  users: { put: [], deleted: [] },
  memberships: { put: [], deleted: [] },
  invitations: { put: [], deleted: [] },
  sessions: { put: [], deleted: [] },
  accesses: { put: [], deleted: [] },
  identities: { put: [], deleted: [] },
};
