import {
  noPeopleWrites,
  peopleKeys,
  type FindPeople,
  type PeopleLookUp,
  type PeopleRows,
  type PeopleTable,
  type PeopleWrites,
  type WrittenRows,
} from './people-rows.ts';
import type { UndoLog } from './undo-log.ts';

/** Users, memberships, invitations and sessions in a batch: committed rows, found on first use, with the batch's writes on top. */
export class PendingPeople {
  private readonly find: FindPeople;
  private readonly undoLog: UndoLog;
  private tables: { readonly [T in PeopleTable]: PendingTable<PeopleRows[T]> } | undefined;

  constructor(find: FindPeople, undoLog: UndoLog) {
    this.find = find;
    this.undoLog = undoLog;
  }

  findAll<T extends PeopleTable>(table: T, lookUp: PeopleLookUp<T>, value: string): readonly PeopleRows[T][] {
    const find = (): readonly PeopleRows[T][] => this.find(table, lookUp, value);
    return this.table(table).findAll(lookUp as never, value, find);
  }

  findOne<T extends PeopleTable>(
    table: T,
    lookUp: PeopleLookUp<T>,
    value: string,
  ): PeopleRows[T] | undefined {
    return this.findAll(table, lookUp, value).at(0);
  }

  findMembership(userId: string, accountId: string): PeopleRows['memberships'] | undefined {
    return this.findAll('memberships', 'userId', userId).find((member) => member.accountId === accountId);
  }

  /** Returns the memberships of an account that the batch has found or written so far, without reading any. */
  knownMemberships(accountId: string): readonly PeopleRows['memberships'][] {
    return this.table('memberships').known('accountId', accountId);
  }

  /** Adds a row, or replaces the one with the same key, which must have been found in this batch before. */
  put<T extends PeopleTable>(table: T, row: PeopleRows[T]): void {
    this.table(table).set(row, row);
  }

  delete<T extends PeopleTable>(table: T, row: PeopleRows[T]): void {
    this.table(table).set(row, null);
  }

  writes(): PeopleWrites {
    const { tables } = this;
    if (tables === undefined) return noPeopleWrites;
    const { users, memberships, invitations, sessions, identities, accesses } = tables;
    return {
      users: users.writes(),
      memberships: memberships.writes(),
      invitations: invitations.writes(),
      sessions: sessions.writes(),
      accesses: accesses.writes(),
      identities: identities.writes(),
    };
  }

  /** Most batches write nothing about people, and pay nothing. */
  private table<T extends PeopleTable>(name: T): PendingTable<PeopleRows[T]> {
    const { undoLog } = this;
    this.tables ??= {
      users: new PendingTable(peopleKeys.users.keyOf, undoLog),
      memberships: new PendingTable(peopleKeys.memberships.keyOf, undoLog),
      invitations: new PendingTable(peopleKeys.invitations.keyOf, undoLog),
      sessions: new PendingTable(peopleKeys.sessions.keyOf, undoLog),
      accesses: new PendingTable(peopleKeys.accesses.keyOf, undoLog),
      identities: new PendingTable(peopleKeys.identities.keyOf, undoLog),
    };
    return this.tables[name];
  }
}

/** A row as committed, and as the batch leaves it; null if it does not exist. */
interface PendingRow<Row> {
  readonly committed: Row | null;
  readonly current: Row | null;
}

class PendingTable<Row extends object> {
  private readonly keyOf: (row: Row) => string;
  private readonly undoLog: UndoLog;
  private readonly rows = new Map<string, PendingRow<Row>>();
  private readonly found = new Set<string>();

  constructor(keyOf: (row: Row) => string, undoLog: UndoLog) {
    this.keyOf = keyOf;
    this.undoLog = undoLog;
  }

  findAll(lookUp: keyof Row & string, value: string, load: () => readonly Row[]): readonly Row[] {
    const place = `${lookUp} ${value}`;
    if (!this.found.has(place)) {
      for (const row of load()) {
        const key = this.keyOf(row);
        if (!this.rows.has(key)) this.rows.set(key, { committed: row, current: row });
      }
      this.found.add(place);
    }
    return this.known(lookUp, value);
  }

  known(lookUp: keyof Row & string, value: string): readonly Row[] {
    const current = Array.from(this.rows.values(), (row) => row.current);
    return current.filter((row): row is Row => row !== null && row[lookUp] === value);
  }

  set(row: Row, current: Row | null): void {
    const key = this.keyOf(row);
    const committed = this.rows.get(key)?.committed ?? null;
    this.undoLog.setEntry(this.rows, key, { committed, current });
  }

  writes(): WrittenRows<Row> {
    const rows = [...this.rows.values()];
    return {
      put: rows.flatMap(({ committed, current }) =>
        current !== null && current !== committed ? [current] : [],
      ),
      deleted: rows.flatMap(({ committed, current }) =>
        committed !== null && current === null ? [committed] : [],
      ),
    };
  }
}
