// The committed rows that a batch needs, fetched many at a time: deciding is synchronous, so a row that is not here yet
// stops its command and is noted; the batch is run again when all that was noted is fetched.
import type { Command } from '../../model/command.ts';
import type { Account, ApiKey } from '../../model/account.ts';
import type { Domain, ZoneName } from '../../model/domain.ts';
import type { DomainRecord, OwnerKey } from '../../model/record.ts';
import { APEX } from '../../model/record-name.ts';
import { assert } from '../../base/assert.ts';
import type { RowReader } from '../row-reader.ts';
import * as rows from '../table-rows.ts';
import { keyText } from './key-text.ts';
import type { Statement, StatementResult } from './postgres-connection.ts';

/** A command asked for a row that is not here yet. One object for all: it is thrown often and never shown. */
export const rowsNeeded = new Error('a row has to be fetched first');

/**
 * Fills itself in turns: `statements()` for what is wanted, `take()` their results, `reader` for the batch; until
 * `isComplete`. Belongs to one batch in one transaction.
 */
export class RowLoader {
  readonly reader: RowReader;
  private readonly accounts = new Wanted<Account>();
  private readonly keys = new Wanted<ApiKey>();
  private readonly domains = new Wanted<Domain>();
  private readonly serials = new Wanted<number>();
  /** By `placeKey` of the domain's name and owner. */
  private readonly owners = new Wanted<DomainRecord[]>();
  /** By `placeKey` of the domain's name and record id. */
  private readonly records = new Wanted<DomainRecord>();
  private readonly domainNames = new Map<number, ZoneName>();

  /** Wants what the commands are most likely to ask for. */
  constructor(commands: readonly Command[]) {
    for (const command of commands) this.guess(command);
    this.reader = {
      findAccount: (id) => this.accounts.get(id),
      findKey: (id) => this.keys.get(id),
      findDomain: (name) => this.findDomain(name),
      findRecord: (domainId, recordId) => this.records.get(this.placeKey(domainId, recordId)),
      recordsAt: (domainId, owner) => this.owners.get(this.placeKey(domainId, owner)) ?? [],
      findRetiredSerial: (name) => this.serials.get(name),
    };
  }

  /** Nothing that was asked for is missing. */
  get isComplete(): boolean {
    return this.kinds().every(({ wanted }) => wanted.open.size === 0);
  }

  /** One for each kind of rows of which some are wanted. */
  statements(): Statement[] {
    return this.kinds()
      .filter(({ wanted }) => wanted.open.size > 0)
      .map(({ text, wanted, values }) => ({ text, values: values([...wanted.open]) }));
  }

  /** @param results of `statements()`, in its order; nothing may have been wanted in between. */
  take(results: readonly StatementResult[]): void {
    const asked = this.kinds().filter(({ wanted }) => wanted.open.size > 0);
    for (const [index, { put, wanted }] of asked.entries()) {
      for (const row of results[index].rows) put(row as never);
      wanted.settle();
    }
  }

  private kinds() {
    return [
      {
        text: `SELECT ${rows.accountColumns} FROM accounts WHERE id = ANY ($1)`,
        wanted: this.accounts,
        values: (ids: string[]) => [ids.map(keyText)],
        put: (row: rows.AccountRow) => this.accounts.put(row[0], rows.toAccount(row)),
      },
      {
        text: `SELECT ${rows.keyColumns} FROM keys WHERE id = ANY ($1)`,
        wanted: this.keys,
        values: (ids: string[]) => [ids.map(keyText)],
        put: (row: rows.KeyRow) => this.keys.put(row[0], rows.toKey(row)),
      },
      {
        text: `SELECT ${rows.domainColumns} FROM domains WHERE name = ANY ($1)`,
        wanted: this.domains,
        values: (names: string[]) => [names],
        put: (row: rows.DomainRow) => this.putDomain(rows.toDomain(row)),
      },
      {
        text: 'SELECT name, serial FROM retired_serials WHERE name = ANY ($1)',
        wanted: this.serials,
        values: (names: string[]) => [names],
        put: ([name, serial]: [ZoneName, number]) => this.serials.put(name, serial),
      },
      {
        text: ownersQuery,
        wanted: this.owners,
        values: splitPlaceKeys,
        put: ([name, ...row]: [ZoneName, ...rows.RecordRow]) => this.putRecord(name, rows.toRecord(row)),
      },
      {
        text: recordsQuery,
        wanted: this.records,
        values: splitPlaceKeys,
        put: ([name, ...row]: [ZoneName, ...rows.RecordRow]) => this.putRecord(name, rows.toRecord(row)),
      },
    ];
  }

  private guess(command: Command): void {
    switch (command.kind) {
      case 'createAccount':
        this.accounts.want(command.account.id);
        this.keys.want(command.key.id);
        return;
      case 'createKey':
        this.accounts.want(command.key.accountId);
        this.keys.want(command.key.id);
        return;
      case 'revokeKey':
        this.keys.want(command.keyId);
        return;
      case 'createDomain':
        this.wantDomain(command.name);
        this.serials.want(command.name);
        if (command.address !== null) this.owners.want(joinPlace(command.name, APEX));
        return;
      case 'updateDomain':
      case 'deleteDomain':
        this.domains.want(command.name);
        return;
      case 'createRecord':
        this.domains.want(command.domain);
        this.owners.want(joinPlace(command.domain, command.record.owner));
        return;
      case 'updateRecord':
      case 'deleteRecord':
        this.domains.want(command.domain);
        this.records.want(joinPlace(command.domain, command.recordId));
        return;
      default:
        // What is not guessed is asked for, and costs a turn.
        return;
    }
  }

  /** With those that enclose it: whether one is another account's is asked next. */
  private wantDomain(name: ZoneName): void {
    this.domains.want(name);
    for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) {
      this.domains.want(name.slice(dot + 1));
    }
  }

  private findDomain(name: ZoneName): Domain | undefined {
    if (!this.domains.knows(name)) this.wantDomain(name);
    return this.domains.get(name);
  }

  private putDomain(domain: Domain): void {
    this.domains.put(domain.name, domain);
    this.domainNames.set(domain.id, domain.name);
  }

  /** Comes with all others at its owner, perhaps twice. */
  private putRecord(name: ZoneName, record: DomainRecord): void {
    this.records.put(joinPlace(name, record.id), record);
    const place = joinPlace(name, record.owner);
    const others = this.owners.peek(place);
    if (others === undefined) this.owners.put(place, [record]);
    else if (!others.some(({ id }) => id === record.id)) others.push(record);
  }

  private placeKey(domainId: number, place: string): string {
    const name = this.domainNames.get(domainId);
    assert(name !== undefined, `domain ${domainId} was found in this batch`);
    return joinPlace(name, place);
  }
}

/** Rows of one kind by key: known (also as not there), or wanted. */
class Wanted<T> {
  readonly open = new Set<string>();
  private readonly known = new Map<string, T | undefined>();

  want(key: string): void {
    if (!this.known.has(key)) this.open.add(key);
  }

  knows(key: string): boolean {
    return this.known.has(key);
  }

  /** @throws rowsNeeded */
  get(key: string): T | undefined {
    if (this.known.has(key)) return this.known.get(key);
    this.open.add(key);
    throw rowsNeeded;
  }

  peek(key: string): T | undefined {
    return this.known.get(key);
  }

  put(key: string, row: T): void {
    this.known.set(key, row);
  }

  /** What was fetched and not found is not there. */
  settle(): void {
    for (const key of this.open) if (!this.known.has(key)) this.known.set(key, undefined);
    this.open.clear();
  }
}

const recordColumns = rows.recordColumns.replaceAll(/(\w+)/g, 'records.$1');

/**
 * OFFSET 0 keeps the look-up by owner whole: joined flat, a planner without statistics reads all of the domain's records
 * for each owner and filters (1 ms an owner in a domain of 10,000 records).
 */
export const ownersQuery = `
  SELECT domains.name, ${recordColumns}
  FROM unnest($1::text[], $2::text[]) AS wanted (domain, owner)
  JOIN domains ON domains.name = wanted.domain
  CROSS JOIN LATERAL (
    SELECT * FROM records WHERE domain_id = domains.id AND owner = wanted.owner OFFSET 0
  ) AS records`;

/** With everything at the record's owner: what replaces or removes it asks for that next. */
export const recordsQuery = `
  SELECT domains.name, ${recordColumns}
  FROM unnest($1::text[], $2::text[]) AS wanted (domain, id)
  JOIN domains ON domains.name = wanted.domain
  CROSS JOIN LATERAL (
    SELECT owner FROM records WHERE domain_id = domains.id AND id = wanted.id OFFSET 0
  ) AS asked
  CROSS JOIN LATERAL (
    SELECT * FROM records WHERE domain_id = domains.id AND owner = asked.owner OFFSET 0
  ) AS records`;

/** A zone name has no space. */
function joinPlace(name: string, place: OwnerKey | string): string {
  return `${name} ${place}`;
}

function splitPlaceKeys(keys: readonly string[]): string[][] {
  const spaces = keys.map((key) => key.indexOf(' '));
  const names = keys.map((key, index) => key.slice(0, spaces[index]));
  return [names, keys.map((key, index) => keyText(key.slice(spaces[index] + 1)))];
}
