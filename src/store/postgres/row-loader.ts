// Fetches the committed rows that a batch needs, many at a time. Deciding is synchronous, so a missing row aborts its command
// and is noted; when all noted rows are fetched, the batch is decided again.
import { finishSteps, visitInSteps, type Steps } from '../../base/steps.ts';
import type { HashedDomain, ZoneName } from '../../model/domain.ts';
import type { DomainRecord, OwnerKey } from '../../model/record.ts';
import type { Command } from '../../writes/command.ts';
import type { RowReader } from '../../writes/row-reader.ts';
import { formatNameserverSet, parseNameserverSet } from '../claim-reads.ts';
import * as rows from '../table-rows.ts';
import { kindsOfAccounts } from './account-kinds.ts';
import { BatchRows, joinPlace, joinRange } from './batch-rows.ts';
import { kindsOfSigned } from './generated-kinds.ts';
import { keyText } from './key-text.ts';
import type { Statement, StatementResult } from './postgres-connection.ts';
import {
  deletedDomainsQuery,
  deletedOwnersQuery,
  deletedRecordsQuery,
  foreignBelowQuery,
  holdersQuery,
  isChange,
  lastDeletedQuery,
  laterChangesQuery,
  outcomesQuery,
  ownersQuery,
  recordsQuery,
  zonesQuery,
  type LaterChangeRow,
} from './row-queries.ts';
import { visitAll } from '../../writes/signing/visit-all.ts';
import { noteFoundRows, wantSigningRows, type HashName } from './want-signing-rows.ts';
import { belowOf, wantDomain, wantLikelyRows } from './want-likely-rows.ts';

/**
 * Repeat until `isComplete`: run `statements()`, pass their results to `take()`, decide the batch with `reader`. Belongs to
 * one batch in one transaction.
 */
export class RowLoader {
  readonly reader: RowReader;
  private readonly wanted = new BatchRows();
  private readonly domainNames = new Map<number, ZoneName>();
  private readonly locks: boolean;
  private readonly hashName: HashName | undefined;
  /** Those that were fetched, with the owners whose surroundings were requested. */
  private readonly signed = new Map<ZoneName, SignedDomain>();

  /**
   * Notes the rows that the commands are likely to need.
   *
   * @param locks false in a transaction that only reads
   * @param hashName undefined: no domain is signed
   */
  constructor(commands: readonly Command[], locks = true, hashName?: HashName) {
    this.locks = locks;
    this.hashName = hashName;
    for (const command of commands) wantLikelyRows(this.wanted, command);
    this.reader = {
      findAccount: (id) => this.wanted.accounts.get(id),
      findKey: (id) => this.wanted.keys.get(id),
      findKeysOfUser: (userId) => this.wanted.keysOfUser.get(userId) ?? [],
      findKeysOfAccount: (accountId, onlyManaging) =>
        this.wanted.keysOfAccount.get(joinRange(accountId, String(onlyManaging))) ?? [],
      domainNamesAfter: (...range) => this.wanted.domainNamesAfter.get(joinRange(...range)) ?? [],
      findPeople: (...sought) => this.wanted.people.find(...sought),
      operatorsOf: (accountId) => this.wanted.operators.get(accountId) ?? [],
      findQuota: (accountId) => this.wanted.quotas.get(accountId),
      findNameservers: (accountId) => this.wanted.nameservers.get(accountId),
      isNameserverSetTaken: (names, accountId) =>
        this.wanted.takenSets.get(joinRange(formatNameserverSet(names), accountId)) === true,
      findDomain: (name) => this.findDomain(name),
      findRecord: (domainId, recordId) => this.findRecord(domainId, recordId),
      recordsAt: (domainId, owner) => this.recordsAt(domainId, owner),
      recordsAtOwners: (domainId, owners) => this.recordsAtOwners(domainId, owners),
      findRetiredSerial: (name) => this.wanted.serials.get(name),
      ownersAfter: (...place) => this.wanted.ownersAfter.get(joinRange(...place)) ?? [],
      recordsOf: (domainId) => this.wanted.zones.get(String(domainId)) ?? [],
      zoneKeys: (domainId) => this.wanted.zoneKeys.get(String(domainId)) ?? [],
      generatedBefore: (...place) => this.wanted.generatedBefore.get(joinRange(...place)),
      generatedAfter: (...place) => this.wanted.generatedAfter.get(joinRange(...place)),
      generatedBetween: (...range) => this.wanted.generatedBetween.get(joinRange(...range)) ?? [],
      findLastDeleted: (name, accountId) => this.wanted.lastDeleted.get(joinPlace(accountId, name)),
      findDeletedDomain: (id) => this.wanted.deletedDomains.get(String(id)),
      findHolder: (name) => this.wanted.holders.get(name),
      hasForeignBelow: (name, accountId, alsoHeld) =>
        belowOf(this.wanted, alsoHeld).get(joinPlace(accountId, name)) === true,
      changesLater: (domainId, serial) =>
        this.wanted.laterChanges.get(joinPlace(domainId, serial)) ?? { changes: [], reachesBack: false },
      findKeptOutcome: (keyId, key) => this.wanted.outcomes.get(joinPlace(keyId, key)),
    };
  }

  /** True if no requested row is missing. */
  get isComplete(): boolean {
    return this.kinds().every(({ wanted }) => wanted.open.size === 0);
  }

  /** Returns one statement for each kind of missing rows. */
  statements(): Statement[] {
    return this.kinds()
      .filter(({ wanted }) => wanted.open.size > 0)
      .map(({ text, wanted, values }) => ({ text, values: values([...wanted.open]) }));
  }

  /** @param results results of `statements()`, in order; no rows may have been requested in between */
  *take(results: readonly StatementResult[]): Steps<void> {
    const asked = this.kinds().filter(({ wanted }) => wanted.open.size > 0);
    for (const [index, { put, wanted }] of asked.entries()) {
      yield* visitInSteps(results[index].rows, (row) => put(row as never));
      wanted.settle();
    }
    noteFoundRows(this.wanted);
    this.wantSurroundings();
  }

  /** Changed owners of signed domains are known when their records have been fetched. */
  private wantSurroundings(): void {
    if (this.hashName === undefined || this.signed.size === 0) return;
    const found = new Map<SignedDomain, OwnerKey[]>();
    for (const key of this.wanted.owners.knownKeys()) {
      const [name, owner] = splitPlace(key);
      const signed = this.signed.get(name as ZoneName);
      if (signed === undefined || signed.owners.has(owner)) continue;
      signed.owners.add(owner);
      const owners = found.get(signed);
      if (owners === undefined) found.set(signed, [owner]);
      else owners.push(owner);
    }
    for (const [{ domain }, owners] of found) wantSigningRows(this.wanted, domain, owners, this.hashName);
  }

  private kinds() {
    return [
      {
        text: `SELECT ${rows.ACCOUNT_COLUMNS} FROM accounts WHERE id = ANY ($1)`,
        wanted: this.wanted.accounts,
        values: (ids: string[]) => [ids.map(keyText)],
        put: (row: rows.AccountRow) => this.wanted.accounts.put(row[0], rows.toAccount(row)),
      },
      {
        text: `SELECT ${rows.QUOTA_COLUMNS} FROM ${rows.QUOTA_TABLES} WHERE accounts.id = ANY ($1)`,
        wanted: this.wanted.quotas,
        values: (ids: string[]) => [ids.map(keyText)],
        put: (row: rows.QuotaRow) => this.wanted.quotas.put(row[0], rows.toQuota(row)),
      },
      {
        text: `SELECT ${rows.KEY_COLUMNS} FROM keys WHERE id = ANY ($1)`,
        wanted: this.wanted.keys,
        values: (ids: string[]) => [ids.map(keyText)],
        put: (row: rows.KeyRow) => this.wanted.keys.put(row[0], rows.toKey(row)),
      },
      {
        text: `SELECT ${rows.HASHED_DOMAIN_COLUMNS} FROM domains WHERE name = ANY ($1)`,
        wanted: this.wanted.domains,
        values: (names: string[]) => [names],
        put: (row: rows.HashedDomainRow) => this.putDomain(rows.toHashedDomain(row)),
      },
      {
        text: 'SELECT name, serial FROM retired_serials WHERE name = ANY ($1)',
        wanted: this.wanted.serials,
        values: (names: string[]) => [names],
        put: ([name, serial]: [ZoneName, number]) => this.wanted.serials.put(name, serial),
      },
      {
        text: ownersQuery,
        wanted: this.wanted.owners,
        values: splitPlaceKeys,
        put: ([name, ...row]: [ZoneName, ...rows.RecordRow]) => this.putRecord(name, rows.toRecord(row)),
      },
      {
        text: recordsQuery,
        wanted: this.wanted.records,
        values: splitPlaceKeys,
        put: ([name, ...row]: [ZoneName, ...rows.RecordRow]) => this.putRecord(name, rows.toRecord(row)),
      },
      ...kindsOfSigned(this.wanted),
      ...this.rareKinds(),
    ];
  }

  private rareKinds() {
    return [
      ...this.wanted.people.kinds(),
      {
        text: `SELECT ${rows.KEY_COLUMNS} FROM keys WHERE user_id = ANY ($1)`,
        wanted: this.wanted.keysOfUser,
        values: (ids: string[]) => [ids],
        put: (row: rows.KeyRow) => this.wanted.keysOfUser.add(String(row[8]), rows.toKey(row)),
      },
      {
        text: 'SELECT account_id, names FROM account_nameservers WHERE account_id = ANY ($1)',
        wanted: this.wanted.nameservers,
        values: (ids: string[]) => [ids],
        put: ([id, names]: [string, string]) => this.wanted.nameservers.put(id, parseNameserverSet(names)),
      },
      ...kindsOfAccounts(this.wanted),
      ...this.kindsOfDeleted(),
      {
        text: zonesQuery,
        wanted: this.wanted.zones,
        values: (ids: string[]) => [ids],
        put: ([id, ...row]: [number, ...rows.RecordRow]) =>
          this.wanted.zones.add(String(id), rows.toRecord(row)),
      },
      {
        text: holdersQuery,
        wanted: this.wanted.holders,
        values: (names: string[]) => [names],
        put: ([name, accountId]: [ZoneName, string]) => this.wanted.holders.put(name, accountId),
      },
      ...[false, true].map((alsoHeld) => ({
        text: foreignBelowQuery(alsoHeld),
        wanted: belowOf(this.wanted, alsoHeld),
        values: splitPlaceKeys,
        put: ([accountId, name]: [string, ZoneName]) =>
          belowOf(this.wanted, alsoHeld).put(joinPlace(accountId, name), true),
      })),
      {
        text: laterChangesQuery,
        wanted: this.wanted.laterChanges,
        values: splitPlaceKeys,
        put: (row: LaterChangeRow) => this.putLaterChange(row),
      },
      {
        text: outcomesQuery,
        wanted: this.wanted.outcomes,
        values: splitPlaceKeys,
        put: (row: rows.OutcomeRow) => {
          const kept = rows.toKeptOutcome(row);
          this.wanted.outcomes.put(joinPlace(kept.keyId, kept.key), kept);
        },
      },
    ];
  }

  /** Domains that are deleted before the batch, and their records. */
  private kindsOfDeleted() {
    return [
      {
        text: deletedOwnersQuery,
        wanted: this.wanted.deletedOwners,
        values: splitPlaceKeys,
        put: ([id, ...row]: [number, ...rows.RecordRow]) => {
          const record = rows.toRecord(row);
          this.wanted.deletedOwners.add(joinPlace(id, record.owner), record);
        },
      },
      {
        text: deletedRecordsQuery,
        wanted: this.wanted.deletedRecords,
        values: splitPlaceKeys,
        put: ([id, ...row]: [number, ...rows.RecordRow]) =>
          this.wanted.deletedRecords.put(joinPlace(id, row[0]), rows.toRecord(row)),
      },
      {
        text: lastDeletedQuery(this.locks),
        wanted: this.wanted.lastDeleted,
        values: splitPlaceKeys,
        put: (row: rows.DeletedDomainRow) => {
          const deleted = rows.toDeletedDomain(row);
          this.wanted.lastDeleted.put(joinPlace(deleted.accountId, deleted.name), deleted);
        },
      },
      {
        text: deletedDomainsQuery(this.locks),
        wanted: this.wanted.deletedDomains,
        values: (ids: string[]) => [ids],
        put: (row: rows.DeletedDomainRow) =>
          this.wanted.deletedDomains.put(String(row[0]), rows.toDeletedDomain(row)),
      },
    ];
  }

  private findDomain(name: ZoneName): HashedDomain | undefined {
    if (!this.wanted.domains.knows(name)) wantDomain(this.wanted, name);
    return this.wanted.domains.get(name);
  }

  private putDomain(domain: HashedDomain): void {
    this.wanted.domains.put(domain.name, domain);
    this.domainNames.set(domain.id, domain.name);
    if (domain.denial !== null || domain.signingWork !== null)
      this.signed.set(domain.name, { domain, owners: new Set() });
  }

  /** A record is fetched with all others of its owner, possibly several times. */
  private putRecord(name: ZoneName, record: DomainRecord): void {
    const place = joinPlace(name, record.id);
    if (this.wanted.records.peek(place) !== undefined) return;
    this.wanted.records.put(place, record);
    this.wanted.owners.add(joinPlace(name, record.owner), record);
  }

  private putLaterChange([domainId, serial, reachesBack, isTooLong, ...change]: LaterChangeRow): void {
    const key = joinPlace(domainId, serial);
    const later = this.wanted.laterChanges.peek(key) ?? {
      changes: [],
      reachesBack,
      ...(isTooLong && { isTooLong }),
    };
    if (isChange(change)) later.changes.push(rows.toPastChange(change));
    this.wanted.laterChanges.put(key, later);
  }

  /** A domain that the batch restores has no name yet in the database. */
  private findRecord(domainId: number, recordId: string): DomainRecord | undefined {
    const name = this.domainNames.get(domainId);
    if (name === undefined) return this.wanted.deletedRecords.get(joinPlace(domainId, recordId));
    return this.wanted.records.get(joinPlace(name, recordId));
  }

  private recordsAt(domainId: number, owner: OwnerKey): readonly DomainRecord[] {
    const name = this.domainNames.get(domainId);
    const found =
      name === undefined
        ? this.wanted.deletedOwners.get(joinPlace(domainId, owner))
        : this.wanted.owners.get(joinPlace(name, owner));
    return found ?? [];
  }

  /** Notes all owners that are missing, which are then fetched together. */
  private recordsAtOwners(domainId: number, owners: readonly OwnerKey[]): readonly DomainRecord[] {
    const found: DomainRecord[] = [];
    finishSteps(visitAll(owners, (owner) => found.push(...this.recordsAt(domainId, owner))));
    return found;
  }
}

interface SignedDomain {
  readonly domain: HashedDomain;
  readonly owners: Set<OwnerKey>;
}

function splitPlace(key: string): [name: string, owner: OwnerKey] {
  const space = key.indexOf(' ');
  return [key.slice(0, space), key.slice(space + 1) as OwnerKey];
}

function splitPlaceKeys(keys: readonly string[]): string[][] {
  const spaces = keys.map((key) => key.indexOf(' '));
  const names = keys.map((key, index) => key.slice(0, spaces[index]));
  return [names, keys.map((key, index) => keyText(key.slice(spaces[index] + 1)))];
}
