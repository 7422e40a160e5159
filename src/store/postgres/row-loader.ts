// The committed rows that a batch needs, fetched many at a time: deciding waits for nothing, so a row that is not here yet
// stops its command and is noted; the batch is run again when all that was noted is fetched.
import { visitInSteps, type Steps } from '../../base/steps.ts';
import type { Command, CommandOf } from '../../writes/command.ts';
import type { Account, ApiKey } from '../../model/account.ts';
import type { DeletedDomain, Domain, ZoneName } from '../../model/domain.ts';
import type { DomainRecord, OwnerKey } from '../../model/record.ts';
import { APEX, parseRecordName } from '../../model/record-name.ts';
import type { PastChange } from '../../writes/rewind-records.ts';
import { assert } from '../../base/assert.ts';
import type { KeptOutcome } from '../../writes/kept-outcome.ts';
import type { RowReader } from '../../writes/row-reader.ts';
import * as rows from '../table-rows.ts';
import { keyText } from './key-text.ts';
import type { Statement, StatementResult } from './postgres-connection.ts';
import {
  deletedDomainsQuery,
  isChange,
  lastDeletedQuery,
  laterChangesQuery,
  outcomesQuery,
  ownersQuery,
  recordsQuery,
  zonesQuery,
  type LaterChangeRow,
} from './row-queries.ts';
import { WantedRows } from './wanted-rows.ts';

/**
 * Fills itself in turns: `statements()` for what is wanted, `take()` their results, `reader` for the batch; until
 * `isComplete`. Belongs to one batch in one transaction.
 */
export class RowLoader {
  readonly reader: RowReader;
  private readonly accounts = new WantedRows<Account>();
  private readonly keys = new WantedRows<ApiKey>();
  private readonly domains = new WantedRows<Domain>();
  private readonly serials = new WantedRows<number>();
  /** By `placeKey` of the domain's name and owner. */
  private readonly owners = new WantedRows<DomainRecord[]>();
  /** By `placeKey` of the domain's name and record id. */
  private readonly records = new WantedRows<DomainRecord>();
  /** All records, by domain id. */
  private readonly zones = new WantedRows<DomainRecord[]>();
  /** Of each account id and name the one deleted last. */
  private readonly lastDeleted = new WantedRows<DeletedDomain>();
  /** By former id. */
  private readonly deletedDomains = new WantedRows<DeletedDomain>();
  /** By domain id and serial. */
  private readonly laterChanges = new WantedRows<{ changes: PastChange[]; reachesBack: boolean }>();
  /** By API key's id and idempotency key. */
  private readonly outcomes = new WantedRows<KeptOutcome>();
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
      recordsOf: (domainId) => this.zones.get(String(domainId)) ?? [],
      findLastDeleted: (name, accountId) => this.lastDeleted.get(joinPlace(accountId, name)),
      findDeletedDomain: (id) => this.deletedDomains.get(String(id)),
      changesLater: (domainId, serial) =>
        this.laterChanges.get(joinPlace(domainId, serial)) ?? { changes: [], reachesBack: false },
      findKeptOutcome: (keyId, key) => this.outcomes.get(joinPlace(keyId, key)),
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
  *take(results: readonly StatementResult[]): Steps<void> {
    const asked = this.kinds().filter(({ wanted }) => wanted.open.size > 0);
    for (const [index, { put, wanted }] of asked.entries()) {
      yield* visitInSteps(results[index].rows, (row) => put(row as never));
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
      ...this.rareKinds(),
    ];
  }

  private rareKinds() {
    return [
      {
        text: zonesQuery,
        wanted: this.zones,
        values: (ids: string[]) => [ids],
        put: ([id, ...row]: [number, ...rows.RecordRow]) => this.zones.add(String(id), rows.toRecord(row)),
      },
      {
        text: lastDeletedQuery,
        wanted: this.lastDeleted,
        values: splitPlaceKeys,
        put: (row: rows.DeletedDomainRow) => {
          const deleted = rows.toDeletedDomain(row);
          this.lastDeleted.put(joinPlace(deleted.accountId, deleted.name), deleted);
        },
      },
      {
        text: deletedDomainsQuery,
        wanted: this.deletedDomains,
        values: (ids: string[]) => [ids],
        put: (row: rows.DeletedDomainRow) =>
          this.deletedDomains.put(String(row[0]), rows.toDeletedDomain(row)),
      },
      {
        text: laterChangesQuery,
        wanted: this.laterChanges,
        values: splitPlaceKeys,
        put: (row: LaterChangeRow) => this.putLaterChange(row),
      },
      {
        text: outcomesQuery,
        wanted: this.outcomes,
        values: splitPlaceKeys,
        put: (row: rows.OutcomeRow) => {
          const kept = rows.toKeptOutcome(row);
          this.outcomes.put(joinPlace(kept.keyId, kept.key), kept);
        },
      },
    ];
  }

  private guess(command: Command): void {
    const { author } = command;
    if (author?.idempotency !== undefined) {
      this.outcomes.want(joinPlace(author.keyId, author.idempotency.key));
    }
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
      case 'changeRecords':
        this.domains.want(command.domain);
        this.guessChanges(command);
        return;
      case 'importZone':
        if (command.nameservers === undefined) this.domains.want(command.domain);
        else {
          this.wantDomain(command.domain);
          this.serials.want(command.domain);
        }
        // What replaces a domain asks for all of it, by an id that is not known yet.
        if (command.mode === 'merge') this.wantOwners(command.domain, command.records);
        return;
      case 'restoreDomain':
        this.wantDomain(command.name);
        this.serials.want(command.name);
        if (command.id === undefined)
          this.lastDeleted.want(joinPlace(command.author.accountId, command.name));
        else this.deletedDomains.want(String(command.id));
        return;
      default:
        // What is not guessed is asked for, and costs a turn.
        return;
    }
  }

  private guessChanges({ domain, changes }: CommandOf<'changeRecords'>): void {
    for (const id of changes.deletes) this.records.want(joinPlace(domain, id));
    for (const { id, patch } of changes.updates) {
      this.records.want(joinPlace(domain, id));
      const name = patch.name === undefined ? undefined : parseRecordName(patch.name, domain);
      if (name?.ok === true) this.owners.want(joinPlace(domain, name.value.owner));
    }
    this.wantOwners(domain, changes.creates);
  }

  private wantOwners(domain: ZoneName, records: readonly DomainRecord[]): void {
    for (const { owner } of records) this.owners.want(joinPlace(domain, owner));
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

  /** Comes with all others at its owner, perhaps several times. */
  private putRecord(name: ZoneName, record: DomainRecord): void {
    const place = joinPlace(name, record.id);
    if (this.records.peek(place) !== undefined) return;
    this.records.put(place, record);
    this.owners.add(joinPlace(name, record.owner), record);
  }

  private putLaterChange([domainId, serial, reachesBack, ...change]: LaterChangeRow): void {
    const key = joinPlace(domainId, serial);
    const later = this.laterChanges.peek(key) ?? { changes: [], reachesBack };
    if (isChange(change)) later.changes.push(rows.toHistoryChange(change));
    this.laterChanges.put(key, later);
  }

  private placeKey(domainId: number, place: string): string {
    const name = this.domainNames.get(domainId);
    assert(name !== undefined, `domain ${domainId} was found in this batch`);
    return joinPlace(name, place);
  }
}

/** What comes first has no space in it. */
function joinPlace(name: string | number, place: OwnerKey | string | number): string {
  return `${name} ${place}`;
}

function splitPlaceKeys(keys: readonly string[]): string[][] {
  const spaces = keys.map((key) => key.indexOf(' '));
  const names = keys.map((key, index) => key.slice(0, spaces[index]));
  return [names, keys.map((key, index) => keyText(key.slice(spaces[index] + 1)))];
}
