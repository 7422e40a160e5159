// The columns of the tables of people, for both engines. JavaScript has booleans and lists where the tables have integers and JSON.
import type { Identity } from '../model/identity.ts';
import type { Access, DomainRole, Invitation, Membership, Session, User } from '../model/user.ts';
import type { PeopleLookUp, PeopleRows, PeopleTable } from '../writes/people-rows.ts';

export type PeopleCell = string | number | null;

interface PeopleColumn<Row> {
  readonly name: string;
  readonly kind: 'text' | 'integer';
  /** The value of the column. */
  readonly cellOf: (row: Row) => PeopleCell;
}

export interface PeopleColumns<Row> {
  /** The first ones are the primary key. */
  readonly columns: readonly PeopleColumn<Row>[];
  readonly keyLength: number;
  /** @param cells in the order of the columns */
  readonly toRow: (cells: readonly PeopleCell[]) => Row;
  /** The column of each member that finds rows. */
  readonly lookUps: Readonly<Record<string, string>>;
}

function text<Row>(name: string, cellOf: (row: Row) => string | null): PeopleColumn<Row> {
  return { name, kind: 'text', cellOf };
}

function integer<Row>(name: string, cellOf: (row: Row) => number): PeopleColumn<Row> {
  return { name, kind: 'integer', cellOf };
}

function grantsText({ grants }: { readonly grants: readonly DomainRole[] | null }): string | null {
  return grants === null ? null : JSON.stringify(grants);
}

function readGrants(cell: string | null): readonly DomainRole[] | null {
  return cell === null ? null : (JSON.parse(cell) as readonly DomainRole[]);
}

const users: PeopleColumns<User> = {
  keyLength: 1,
  lookUps: { id: 'id', email: 'email' },
  columns: [
    text('id', (row) => row.id),
    text('email', (row) => row.email),
    text('name', (row) => row.name),
    text('password_hash', (row) => row.passwordHash),
    integer('created_at', (row) => row.createdAtSeconds),
    integer('is_operator', (row) => Number(row.isOperator)),
    text('factors', (row) => row.factors),
  ],
  toRow: (cells) => {
    const [id, email, name, passwordHash, createdAtSeconds, isOperator, factors] = cells as UserCells;
    return { id, email, name, passwordHash, createdAtSeconds, isOperator: isOperator === 1, factors };
  },
};

type UserCells = [string, string, string, string | null, number, number, string | null];

const memberships: PeopleColumns<Membership> = {
  keyLength: 2,
  lookUps: { userId: 'user_id', accountId: 'account_id' },
  columns: [
    text('user_id', (row) => row.userId),
    text('account_id', (row) => row.accountId),
    text('role', (row) => row.role),
    text('grants', grantsText),
    integer('created_at', (row) => row.createdAtSeconds),
  ],
  toRow: (cells) => {
    const [userId, accountId, role, grants, createdAtSeconds] = cells as MembershipCells;
    return { userId, accountId, role, grants: readGrants(grants), createdAtSeconds };
  },
};

type MembershipCells = [string, string, Membership['role'], string | null, number];

const invitations: PeopleColumns<Invitation> = {
  keyLength: 1,
  lookUps: { id: 'id', hash: 'hash', accountId: 'account_id' },
  columns: [
    text('id', (row) => row.id),
    text('hash', (row) => row.hash),
    text('account_id', (row) => row.accountId),
    text('email', (row) => row.email),
    text('role', (row) => row.role),
    text('grants', grantsText),
    integer('is_operator', (row) => Number(row.isOperator)),
    text('recovers', (row) => row.recovers),
    integer('created_at', (row) => row.createdAtSeconds),
    integer('expires_at', (row) => row.expiresAtSeconds),
    text('created_by', (row) => row.createdBy),
  ],
  toRow: (cells) => {
    const [id, hash, accountId, email, role, grants, isOperator, ...rest] = cells as InvitationCells;
    const [recovers, createdAtSeconds, expiresAtSeconds, createdBy] = rest;
    const about = { id, hash, accountId, email, role, grants: readGrants(grants) };
    return {
      ...about,
      isOperator: isOperator === 1,
      recovers,
      createdAtSeconds,
      expiresAtSeconds,
      createdBy,
    };
  },
};

type InvitationCells = [
  ...about: [string, string, string, string | null, Invitation['role'], string | null, number],
  ...rest: [string | null, number, number, string],
];

const sessions: PeopleColumns<Session> = {
  keyLength: 1,
  lookUps: { id: 'id', hash: 'hash', userId: 'user_id' },
  columns: [
    text('id', (row) => row.id),
    text('hash', (row) => row.hash),
    text('user_id', (row) => row.userId),
    integer('created_at', (row) => row.createdAtSeconds),
    integer('seen_at', (row) => row.seenAtSeconds),
    integer('fresh_until', (row) => row.freshUntilSeconds),
    integer('ends_at', (row) => row.endsAtSeconds),
    text('address', (row) => row.address),
    text('agent', (row) => row.agent),
  ],
  toRow: (cells) => {
    const [id, hash, userId, createdAtSeconds, seenAtSeconds, ...rest] = cells as SessionCells;
    const [freshUntilSeconds, endsAtSeconds, address, agent] = rest;
    const times = { createdAtSeconds, seenAtSeconds, freshUntilSeconds, endsAtSeconds };
    return { id, hash, userId, ...times, address, agent };
  },
};

type SessionCells = [string, string, string, number, number, number, number, string | null, string | null];

const identities: PeopleColumns<Identity> = {
  keyLength: 2,
  lookUps: { subject: 'subject', userId: 'user_id' },
  columns: [
    text('subject', (row) => row.subject),
    text('issuer', (row) => row.issuer),
    text('user_id', (row) => row.userId),
    integer('created_at', (row) => row.createdAtSeconds),
  ],
  toRow: (cells) => {
    const [subject, issuer, userId, createdAtSeconds] = cells as IdentityCells;
    return { subject, issuer, userId, createdAtSeconds };
  },
};

type IdentityCells = [string, string, string, number];

const accesses: PeopleColumns<Access> = {
  keyLength: 1,
  lookUps: { userId: 'user_id', accountId: 'account_id' },
  columns: [
    text('id', (row) => row.id),
    text('session_id', (row) => row.sessionId),
    text('user_id', (row) => row.userId),
    text('account_id', (row) => row.accountId),
    text('reason', (row) => row.reason),
    integer('created_at', (row) => row.createdAtSeconds),
    integer('expires_at', (row) => row.expiresAtSeconds),
  ],
  toRow: (cells) => {
    const [id, sessionId, userId, accountId, reason, ...times] = cells as AccessCells;
    const [createdAtSeconds, expiresAtSeconds] = times;
    return { id, sessionId, userId, accountId, reason, createdAtSeconds, expiresAtSeconds };
  },
};

type AccessCells = [string, string, string, string, string, number, number];

export const peopleColumns: { readonly [T in PeopleTable]: PeopleColumns<PeopleRows[T]> } = {
  users,
  memberships,
  invitations,
  sessions,
  identities,
  accesses,
};

/** The columns in order, as SQL. */
export function columnList({ columns }: { readonly columns: readonly { readonly name: string }[] }): string {
  return columns.map(({ name }) => name).join(', ');
}

/** Reads of people, for use cases. They use an index and read few rows; they reject with StoreUnavailable. */
export interface PeopleReads {
  /** All rows that have one of the values, in the order of their keys. */
  find<T extends PeopleTable>(
    table: T,
    lookUp: PeopleLookUp<T>,
    values: readonly string[],
  ): Promise<readonly PeopleRows[T][]>;
}
