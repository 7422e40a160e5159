import type { Account, ApiKey } from '../../model/account.ts';
import type { DeletedDomain, Domain, ZoneName } from '../../model/domain.ts';
import { FIRST_GENERATED_ID } from '../../model/generated-row.ts';
import type { DomainRecord, OwnerKey } from '../../model/record.ts';
import type { StoredQuota } from '../../writes/check-quotas.ts';
import type { ChangeFilter, ChangePage } from '../change-filter.ts';
import { isCustomersRecord } from '../customers-rows.ts';
import { entryColumns, entryCondition, entryTable, toEntry, type EntryRow } from '../history-list.ts';
import type { RecordFilter } from '../record-filter.ts';
import { MAX_SHORT_CHANGES, MAX_SHORT_RECORDS, type ListWeight } from '../short-reads.ts';
import type { FoundRecord, ListedRecord, Page, PageRequest } from '../store.ts';
import { createKeysetList, type KeysetList } from './keyset-list.ts';
import { fallingKey } from './scan-key.ts';
import { createScannedList, type ScannedList, type ScanValues } from './scanned-list.ts';
import { prepareQuery, type SqliteDatabase, type SqliteStatement, type SqlValue } from './sqlite-driver.ts';
import { readChangePage } from './sqlite-history.ts';
import { SqliteSearches } from './sqlite-searches.ts';
import { SqliteTrail } from './sqlite-trail.ts';
import * as rows from '../table-rows.ts';
import type { TrailFilter, TrailPage, TrailPlace, TrailSlice } from '../trail-reads.ts';
import type { Change } from '../../writes/change.ts';

/** Reads for the HTTP interface, on the calling thread and a read-only connection: some µs for a row, 80 µs for a page. */
export class SqliteReads {
  private readonly database: SqliteDatabase;
  private readonly begin: SqliteStatement;
  private readonly commit: SqliteStatement;
  private readonly queries: ReturnType<typeof prepareQueries>;
  private readonly searches: SqliteSearches;
  private readonly trail: SqliteTrail;
  private readonly beforeStep: () => void;

  /** @param beforeStep called before each step of a long read; throws to stop it */
  constructor(database: SqliteDatabase, beforeStep: () => void = () => undefined) {
    this.database = database;
    this.beforeStep = beforeStep;
    this.begin = database.prepare('BEGIN');
    this.commit = database.prepare('COMMIT');
    this.queries = prepareQueries(database);
    this.searches = new SqliteSearches(database);
    this.trail = new SqliteTrail(database);
  }

  findKeyByHash(hash: string): ApiKey | undefined {
    const row = this.queries.keyByHash.get(hash);
    return row && rows.toKey(row);
  }

  findAccount(id: string): Account | undefined {
    const row = this.queries.account.get(id);
    return row && rows.toAccount(row);
  }

  findQuota(accountId: string): StoredQuota | undefined {
    const row = this.queries.quota.get(accountId);
    return row && rows.toQuota(row);
  }

  findDomain(accountId: string, name: ZoneName): Domain | undefined {
    const row = this.queries.domain.get(accountId, name);
    return row && rows.toDomain(row);
  }

  findRecord(domainId: number, recordId: string): DomainRecord | undefined {
    const row = this.queries.record.get(domainId, recordId);
    return row && rows.toRecord(row);
  }

  listAccounts(page: PageRequest): Page<Account> {
    return this.listPage(this.queries.accounts, rows.toAccount, [], page, () =>
      this.queries.accountTotal.get(),
    );
  }

  listKeys(accountId: string | null, page: PageRequest): Page<ApiKey> {
    const { keys, keysOfAccount, keyTotal, keyTotalOfAccount } = this.queries;
    if (accountId === null) return this.listPage(keys, rows.toKey, [], page, () => keyTotal.get());
    return this.listPage(keysOfAccount, rows.toKey, [accountId], page, () =>
      keyTotalOfAccount.get(accountId),
    );
  }

  listDomains(accountId: string, page: PageRequest, search?: string): Page<Domain> {
    if (search !== undefined) {
      const { list, values } = this.searches.domains(accountId, search);
      return this.scan(list, rows.toDomain, values, page);
    }
    const { domains, domainTotal } = this.queries;
    return this.listPage(domains, rows.toDomain, [accountId], page, () => domainTotal.get(accountId));
  }

  listDeletedDomains(accountId: string, page: PageRequest): Page<DeletedDomain> {
    return this.scan(this.queries.deletedDomains, rows.toDeletedDomain, inScope(accountId), page);
  }

  findDeletedDomain(accountId: string, name: ZoneName, id?: number): DeletedDomain | undefined {
    const row = this.queries.deletedDomain.get(accountId, name, id ?? null);
    return row && rows.toDeletedDomain(row);
  }

  listChanges({ id }: Domain, page: PageRequest, filter?: ChangeFilter): ChangePage {
    if (filter !== undefined)
      return this.inSnapshot(() => readChangePage(this.database, id, filter, page, this.beforeStep));
    return this.scan(this.queries.entries, toEntry, inScope(id), page);
  }

  searchRecords(accountId: string, page: PageRequest, filter: RecordFilter): Page<FoundRecord> {
    const { list, values } = this.searches.recordsOfAccount(accountId, filter);
    return this.scan(list, rows.toFoundRecord, values, page);
  }

  listRecords(domain: Domain, page: PageRequest, filter?: RecordFilter): Page<ListedRecord> {
    if (filter !== undefined) {
      const { list, values } = this.searches.records(domain.id, filter);
      return this.scan(list, rows.toListedRecord, values, page);
    }
    const { records, recordTotal } = this.queries;
    return this.listPage(records, rows.toListedRecord, [domain.id], page, () => recordTotal.get(domain.id));
  }

  listTrail(filter: TrailFilter, page: PageRequest): TrailPage {
    return this.inSnapshot(() => this.trail.list(filter, page, this.beforeStep));
  }

  sliceTrail(filter: TrailFilter, from: TrailPlace): TrailSlice {
    return this.inSnapshot(() => this.trail.slice(filter, from));
  }

  weighTrail(filter: TrailFilter): ListWeight {
    return this.trail.weigh(filter);
  }

  trailOctets(accountId: string): number {
    return this.trail.octets(accountId);
  }

  /** The weight of all records of a domain, or of one owner. */
  weighRecords(domainId: number, owner?: OwnerKey): ListWeight {
    const { recordWeight, recordWeightOfOwner } = this.queries;
    return toWeight(
      owner === undefined ? recordWeight.get(domainId) : recordWeightOfOwner.get(domainId, owner),
    );
  }

  weighChanges(domainId: number): ListWeight {
    return toWeight(this.queries.changeWeight.get(domainId));
  }

  weighDeletedDomains(accountId: string): ListWeight {
    return toWeight(this.queries.deletedDomainWeight.get(accountId));
  }

  changesAfter(seq: number, limit: number): readonly Change[] {
    return this.queries.changes.all(seq, limit).map(rows.toChange);
  }

  lastSeq(): number {
    return this.queries.lastSeq.get()?.[0] ?? 0;
  }

  findHistoryStart(domainId: number): number | undefined {
    return this.queries.historyStart.get(domainId)?.[0];
  }

  /** The current serial and the time of the last change, null if the history does not reach back so far. */
  findServedState(domainId: number): ServedState | undefined {
    const row = this.queries.servedState.get(domainId);
    return row && { serial: row[0], changedAtMs: row[1], isWithheld: row[2] === 1 };
  }

  private scan<Row, T>(
    list: ScannedList<Row>,
    convert: (row: Row) => T,
    values: ScanValues,
    page: PageRequest,
  ): Page<T> {
    return this.inSnapshot(() => {
      const found = list.read(values, page, this.beforeStep);
      return { ...found, rows: found.rows.map(convert) };
    });
  }

  /** Without a total, the account or domain has been deleted and the list is empty. */
  private listPage<Row, T>(
    list: KeysetList<Row>,
    convert: (row: Row) => T,
    scope: readonly SqlValue[],
    page: PageRequest,
    readTotal: () => Total | undefined,
  ): Page<T> {
    return this.inSnapshot(() => {
      const total = readTotal()?.[0];
      if (total === undefined) return { rows: [], hasBefore: false, hasAfter: false, total: 0 };
      const found = list.read(scope, page);
      return { ...found, rows: found.rows.map(convert), total };
    });
  }

  private inSnapshot<T>(read: () => T): T {
    this.begin.run();
    try {
      return read();
    } finally {
      this.commit.run();
    }
  }
}

function inScope(value: SqlValue): ScanValues {
  return { scope: [value], shown: [] };
}

function toWeight([rows, octets]: Weight = [0, 0]): ListWeight {
  return { rows, octets: octets ?? 0 };
}

interface ServedState {
  readonly serial: number;
  readonly changedAtMs: number | null;
  readonly isWithheld: boolean;
}

type Weight = [rows: number, octets: number | null];

type Total = [total: number];

function prepareQueries(database: SqliteDatabase) {
  const {
    ACCOUNT_COLUMNS,
    KEY_COLUMNS,
    DOMAIN_COLUMNS,
    RECORD_COLUMNS,
    LISTED_RECORD_COLUMNS,
    CHANGE_COLUMNS,
  } = rows;
  const total = (sql: string) => prepareQuery<Total>(database, sql);
  return {
    account: prepareQuery<rows.AccountRow>(database, `SELECT ${ACCOUNT_COLUMNS} FROM accounts WHERE id = ?`),
    quota: prepareQuery<rows.QuotaRow>(
      database,
      `SELECT ${rows.QUOTA_COLUMNS} FROM ${rows.QUOTA_TABLES} WHERE accounts.id = ?`,
    ),
    keyByHash: prepareQuery<rows.KeyRow>(database, `SELECT ${KEY_COLUMNS} FROM keys WHERE hash = ?`),
    domain: prepareDomain(database),
    deletedDomain: prepareDeletedDomain(database),
    record: prepareQuery<rows.RecordRow>(
      database,
      `SELECT ${RECORD_COLUMNS} FROM records
       WHERE domain_id = ? AND id = ? AND ${isCustomersRecord()}
         AND EXISTS (SELECT 1 FROM domains WHERE domains.id = domain_id)`,
    ),
    ...prepareAccountLists(database),
    ...prepareHistoryLists(database),
    ...prepareWeights(database),
    domains: createKeysetList<rows.DomainRow>(database, {
      columns: DOMAIN_COLUMNS,
      table: 'domains INDEXED BY domains_by_account',
      where: 'account_id = ?',
      key: 'name',
    }),
    domainTotal: total('SELECT domain_count FROM accounts WHERE id = ?'),
    records: createKeysetList<rows.ListedRecordRow>(database, {
      columns: LISTED_RECORD_COLUMNS,
      table: 'records',
      where: 'domain_id = ?',
      key: 'id',
      endKey: FIRST_GENERATED_ID,
    }),
    recordTotal: total('SELECT record_count FROM domains WHERE id = ?'),
    changes: prepareQuery<rows.ChangeRow>(
      database,
      `SELECT ${CHANGE_COLUMNS} FROM changes WHERE seq > ? ORDER BY seq LIMIT ?`,
    ),
    servedState: prepareQuery<[serial: number, changedAtMs: number | null, isWithheld: number]>(
      database,
      `SELECT serial, (SELECT at FROM changes INDEXED BY changes_by_domain
         WHERE domain_id = domains.id ORDER BY seq DESC LIMIT 1), withheld IS NOT NULL
       FROM domains WHERE id = ?`,
    ),
    historyStart: prepareQuery<[serial: number]>(
      database,
      `SELECT serial FROM changes INDEXED BY changes_by_domain WHERE domain_id = ? ORDER BY seq LIMIT 1`,
    ),
    lastSeq: total('SELECT last_seq FROM counters'),
  };
}

/** Lengths of stored values are read without the values. */
function prepareWeights(database: SqliteDatabase) {
  const weight = (octets: string, from: string, maxRows: number) =>
    prepareQuery<Weight>(
      database,
      `SELECT count(*), sum(octets) FROM (SELECT ${octets} AS octets FROM ${from} LIMIT ${maxRows + 1})`,
    );
  return {
    recordWeight: weight(
      'length(rdata)',
      `records WHERE domain_id = ? AND ${isCustomersRecord()}`,
      MAX_SHORT_RECORDS,
    ),
    recordWeightOfOwner: weight(
      'length(rdata)',
      `records INDEXED BY records_by_owner WHERE domain_id = ? AND owner = ? AND ${isCustomersRecord()}`,
      MAX_SHORT_RECORDS,
    ),
    changeWeight: weight(
      'length(rdata)',
      'changes INDEXED BY changes_by_domain WHERE domain_id = ?',
      MAX_SHORT_CHANGES,
    ),
    deletedDomainWeight: weight(
      '0',
      'deleted_domains INDEXED BY deleted_domains_by_account WHERE account_id = ?',
      MAX_SHORT_CHANGES,
    ),
  };
}

function prepareHistoryLists(database: SqliteDatabase) {
  const lengths = { scopeLength: 1, shownLength: 0 };
  return {
    deletedDomains: createScannedList<rows.DeletedDomainRow>(database, {
      columns: rows.DELETED_DOMAIN_COLUMNS,
      table: 'deleted_domains',
      scope: 'account_id = ?1',
      shown: 'deleted_at IS NOT NULL',
      octets: '0',
      key: fallingKey('deleted_at', 'domain_id'),
      ...lengths,
    }),
    entries: createScannedList<EntryRow>(database, {
      columns: entryColumns,
      table: entryTable('INDEXED BY changes_by_domain'),
      scope: 'entry.domain_id = ?1',
      shown: entryCondition,
      octets: 'length(entry.rdata)',
      key: fallingKey('entry.seq'),
      ...lengths,
    }),
  };
}

function prepareAccountLists(database: SqliteDatabase) {
  const total = (sql: string) => prepareQuery<Total>(database, sql);
  const { ACCOUNT_COLUMNS, KEY_COLUMNS } = rows;
  return {
    accounts: createKeysetList<rows.AccountRow>(database, {
      columns: ACCOUNT_COLUMNS,
      table: 'accounts',
      where: '',
      key: 'id',
    }),
    accountTotal: total('SELECT account_count FROM counters'),
    keys: createKeysetList<rows.KeyRow>(database, {
      columns: KEY_COLUMNS,
      table: 'keys',
      where: '',
      key: 'id',
    }),
    keyTotal: total('SELECT key_count FROM counters'),
    keysOfAccount: createKeysetList<rows.KeyRow>(database, {
      columns: KEY_COLUMNS,
      table: 'keys INDEXED BY keys_by_account',
      where: 'account_id = ?',
      key: 'id',
    }),
    keyTotalOfAccount: total('SELECT key_count FROM accounts WHERE id = ?'),
  };
}

/** For account and name. By this index, a domain of another account takes as long as none. */
function prepareDomain(database: SqliteDatabase) {
  return prepareQuery<rows.DomainRow>(
    database,
    `SELECT ${rows.DOMAIN_COLUMNS} FROM domains INDEXED BY domains_by_account WHERE account_id = ? AND name = ?`,
  );
}

/** For account, name, and the id or null for the one deleted last. */
function prepareDeletedDomain(database: SqliteDatabase) {
  return prepareQuery<rows.DeletedDomainRow>(
    database,
    `SELECT ${rows.DELETED_DOMAIN_COLUMNS} FROM deleted_domains
     WHERE account_id = ?1 AND name = ?2 AND (?3 IS NULL OR domain_id = ?3) AND deleted_at IS NOT NULL
     ORDER BY deleted_at DESC, domain_id DESC LIMIT 1`,
  );
}
