import type { GetSignal } from '../../base/fair-semaphore.ts';
import type { Account, ApiKey } from '../../model/account.ts';
import type { DeletedDomain, Domain, ZoneName } from '../../model/domain.ts';
import type { DomainRecord } from '../../model/record.ts';
import type { StoredQuota } from '../../writes/check-quotas.ts';
import type { ChangeFilter, ChangePage } from '../change-filter.ts';
import { isCustomersRecord } from '../customers-rows.ts';
import { entryColumns, entryCondition, entryTable, toEntry, type EntryRow } from '../history-list.ts';
import { LongReads, type ReadLane } from '../long-reads.ts';
import { isShort, MAX_SHORT_CHANGES, MAX_SHORT_RECORDS } from '../short-reads.ts';
import type { RecordFilter } from '../record-filter.ts';
import type { FoundRecord, ListedRecord, Page, PageRequest } from '../store.ts';
import * as rows from '../table-rows.ts';
import type { TrailReads } from '../trail-reads.ts';
import { keyText } from './key-text.ts';
import { readChangePage } from './postgres-history.ts';
import { createKeysetList } from './postgres-keyset-list.ts';
import { PostgresSearches } from './postgres-searches.ts';
import { createTrailReads } from './postgres-trail.ts';
import type { PostgresValue } from './postgres-connection.ts';
import type { ReadConnections } from './read-connections.ts';
import type { Change } from '../../writes/change.ts';

/** Reads for the HTTP interface. Each is one statement, and so one snapshot; all reject with StoreUnavailable. */
export class PostgresReads {
  readonly trail: TrailReads;
  private readonly connections: ReadConnections;
  private readonly lists: ReturnType<typeof createLists>;
  private readonly shortLists: CountedLists;
  private readonly laneLists: Readonly<Record<ReadLane, CountedLists>>;
  private readonly longReads = new LongReads();

  constructor(connections: ReadConnections, longConnections: Readonly<Record<ReadLane, ReadConnections>>) {
    this.connections = connections;
    this.lists = createLists(connections);
    this.shortLists = createCountedLists(connections);
    this.laneLists = {
      quick: createCountedLists(longConnections.quick),
      slow: createCountedLists(longConnections.slow),
    };
    this.trail = createTrailReads(connections, (readerId, getSignal, read) =>
      this.longReads.run(readerId, getSignal, (lane) => read(longConnections[lane])),
    );
  }

  async findKeyByHash(hash: string): Promise<ApiKey | undefined> {
    const found = await this.connections.query<rows.KeyRow>(keyByHash, [keyText(hash)]);
    return found.map(rows.toKey).at(0);
  }

  async findAccount(id: string): Promise<Account | undefined> {
    const found = await this.connections.query<rows.AccountRow>(accountById, [keyText(id)]);
    return found.map(rows.toAccount).at(0);
  }

  async findQuota(id: string): Promise<StoredQuota | undefined> {
    const found = await this.connections.query<rows.QuotaRow>(quotaById, [keyText(id)]);
    return found.map(rows.toQuota).at(0);
  }

  async findDomain(accountId: string, name: ZoneName): Promise<Domain | undefined> {
    const found = await this.connections.query<rows.DomainRow>(domainOfAccount, [accountId, name]);
    return found.map(rows.toDomain).at(0);
  }

  async findRecord(domainId: number, recordId: string): Promise<DomainRecord | undefined> {
    const found = await this.connections.query<rows.RecordRow>(recordById, [domainId, keyText(recordId)]);
    return found.map(rows.toRecord).at(0);
  }

  async listAccounts(page: PageRequest): Promise<Page<Account>> {
    return convertPage(await this.lists.accounts.read([], page), rows.toAccount);
  }

  async listKeys(accountId: string | null, page: PageRequest): Promise<Page<ApiKey>> {
    const { keys, keysOfAccount } = this.lists;
    const found = accountId === null ? keys.read([], page) : keysOfAccount.read([keyText(accountId)], page);
    return convertPage(await found, rows.toKey);
  }

  async listDomains(
    accountId: string,
    page: PageRequest,
    search?: string,
    getSignal?: GetSignal,
  ): Promise<Page<Domain>> {
    const found =
      search === undefined
        ? this.lists.domains.read([keyText(accountId)], page)
        : this.runLong(accountId, getSignal, ({ searches }) => searches.domains(accountId, search, page));
    return convertPage(await found, rows.toDomain);
  }

  async listDeletedDomains(
    accountId: string,
    page: PageRequest,
    getSignal?: GetSignal,
  ): Promise<Page<DeletedDomain>> {
    const read = ({ deletedDomains }: CountedLists) => deletedDomains.read([keyText(accountId)], page);
    const isFew = await this.isShort(deletedDomainWeight, [keyText(accountId)], MAX_SHORT_CHANGES);
    const found = isFew ? read(this.shortLists) : this.runLong(accountId, getSignal, read);
    return convertPage(await found, rows.toDeletedDomain);
  }

  async findDeletedDomain(
    accountId: string,
    name: ZoneName,
    id?: number,
  ): Promise<DeletedDomain | undefined> {
    const found = await this.connections.query<rows.DeletedDomainRow>(deletedDomainQuery, [
      keyText(accountId),
      name,
      id ?? null,
    ]);
    return found.map(rows.toDeletedDomain).at(0);
  }

  async listRecords(
    { id, accountId }: Domain,
    page: PageRequest,
    filter?: RecordFilter,
    getSignal?: GetSignal,
  ): Promise<Page<ListedRecord>> {
    if (filter === undefined)
      return convertPage(await this.lists.records.read([id], page), rows.toListedRecord);
    const read = ({ searches }: CountedLists) => searches.records(id, filter, page);
    const isFew =
      filter.owner === undefined
        ? await this.isShort(recordWeight, [id], MAX_SHORT_RECORDS)
        : await this.isShort(recordWeightOfOwner, [id, keyText(filter.owner)], MAX_SHORT_RECORDS);
    const found = isFew ? read(this.shortLists) : this.runLong(accountId, getSignal, read);
    return convertPage(await found, rows.toListedRecord);
  }

  async searchRecords(
    accountId: string,
    page: PageRequest,
    filter: RecordFilter,
    getSignal?: GetSignal,
  ): Promise<Page<FoundRecord>> {
    const found = await this.runLong(accountId, getSignal, ({ searches }) =>
      searches.recordsOfAccount(accountId, filter, page),
    );
    return convertPage(found, rows.toFoundRecord);
  }

  async listChanges(
    { id, accountId }: Domain,
    page: PageRequest,
    filter?: ChangeFilter,
    getSignal?: GetSignal,
  ): Promise<ChangePage> {
    const read = async ({ entries, changePage }: CountedLists) =>
      filter === undefined
        ? convertPage(await entries.read([id], page), toEntry)
        : changePage(id, filter, page);
    const isFew = await this.isShort(changeWeight, [id], MAX_SHORT_CHANGES);
    return isFew ? read(this.shortLists) : this.runLong(accountId, getSignal, read);
  }

  async changesAfter(seq: number, limit: number): Promise<readonly Change[]> {
    return (await this.connections.query<rows.ChangeRow>(changesQuery, [seq, limit])).map(rows.toChange);
  }

  async findHistoryStart(domainId: number): Promise<number | undefined> {
    const found = await this.connections.query<[serial: number]>(HISTORY_START, [domainId]);
    return found.at(0)?.[0];
  }

  async lastSeq(): Promise<number> {
    const [[lastSeq]] = await this.connections.query<[number]>('SELECT last_seq FROM counters');
    return lastSeq;
  }

  /** PostgreSQL knows the length of a stored value without reading it. */
  private async isShort(weight: string, values: readonly PostgresValue[], maxRows: number): Promise<boolean> {
    type Weight = [rows: number, octets: number];
    const [[count, octets]] = await this.connections.query<Weight>(weight, [...values, maxRows + 1]);
    return isShort({ rows: count, octets }, maxRows);
  }

  private runLong<T>(
    accountId: string,
    getSignal: GetSignal | undefined,
    read: (lists: CountedLists) => Promise<T>,
  ): Promise<T> {
    return this.longReads.run(accountId, getSignal, (lane) => read(this.laneLists[lane]));
  }
}

const accountById = `SELECT ${rows.ACCOUNT_COLUMNS} FROM accounts WHERE id = $1`;
const quotaById = `SELECT ${rows.QUOTA_COLUMNS} FROM ${rows.QUOTA_TABLES} WHERE accounts.id = $1`;
const keyByHash = `SELECT ${rows.KEY_COLUMNS} FROM keys WHERE hash = $1`;
/** A domain of another account takes as long as none: no row is read. */
const domainOfAccount = `SELECT ${rows.DOMAIN_COLUMNS} FROM domains WHERE account_id = $1 AND name = $2`;
const deletedDomainQuery = `
  SELECT ${rows.DELETED_DOMAIN_COLUMNS} FROM deleted_domains
  WHERE account_id = $1 AND name = $2 AND ($3::bigint IS NULL OR domain_id = $3) AND deleted_at IS NOT NULL
  ORDER BY deleted_at DESC, domain_id DESC LIMIT 1`;
const recordById = `
  SELECT ${rows.RECORD_COLUMNS} FROM records
  WHERE domain_id = $1 AND id = $2 AND ${isCustomersRecord()}
    AND EXISTS (SELECT FROM domains WHERE domains.id = domain_id)`;
const weigh = (octets: string, from: string, limit: string): string => `
  SELECT count(*), coalesce(sum(octets), 0)::float8
  FROM (SELECT ${octets} AS octets FROM ${from} LIMIT ${limit}::bigint) list`;
const recordWeight = weigh(
  'octet_length(rdata)',
  `records WHERE domain_id = $1 AND ${isCustomersRecord()}`,
  '$2',
);
const recordWeightOfOwner = weigh(
  'octet_length(rdata)',
  `records WHERE domain_id = $1 AND owner = $2 AND ${isCustomersRecord()}`,
  '$3',
);
const changeWeight = weigh('octet_length(rdata)', 'changes WHERE domain_id = $1', '$2');
const deletedDomainWeight = weigh('0', 'deleted_domains WHERE account_id = $1', '$2');
const HISTORY_START = 'SELECT serial FROM changes WHERE domain_id = $1 ORDER BY seq LIMIT 1';
const changesQuery = `SELECT ${rows.CHANGE_COLUMNS} FROM changes WHERE seq > $1 ORDER BY seq LIMIT $2`;

function createLists(connections: ReadConnections) {
  return {
    accounts: createKeysetList<rows.AccountRow>(connections, {
      columns: rows.ACCOUNT_COLUMNS,
      table: 'accounts',
      where: '',
      key: 'id',
      total: 'SELECT account_count FROM counters',
    }),
    keys: createKeysetList<rows.KeyRow>(connections, {
      columns: rows.KEY_COLUMNS,
      table: 'keys',
      where: '',
      key: 'id',
      total: 'SELECT key_count FROM counters',
    }),
    keysOfAccount: createKeysetList<rows.KeyRow>(connections, {
      columns: rows.KEY_COLUMNS,
      table: 'keys',
      where: 'account_id = $1',
      key: 'id',
      total: 'SELECT key_count FROM accounts WHERE id = $1',
    }),
    domains: createKeysetList<rows.DomainRow>(connections, {
      columns: rows.DOMAIN_COLUMNS,
      table: 'domains',
      where: 'account_id = $1',
      key: 'name',
      total: 'SELECT domain_count FROM accounts WHERE id = $1',
    }),
    records: createKeysetList<rows.ListedRecordRow>(connections, {
      columns: rows.LISTED_RECORD_COLUMNS,
      table: 'records',
      where: `domain_id = $1 AND ${isCustomersRecord()}`,
      key: 'id',
      total: 'SELECT record_count FROM domains WHERE id = $1',
    }),
  };
}

type CountedLists = ReturnType<typeof createCountedLists>;

/** Lists whose totals are counted. */
function createCountedLists(connections: ReadConnections) {
  const entriesOfDomain = `entry.domain_id = $1 AND ${entryCondition}`;
  return {
    searches: new PostgresSearches(connections),
    changePage: (domainId: number, filter: ChangeFilter, page: PageRequest) =>
      readChangePage(connections, domainId, filter, page),
    deletedDomains: createKeysetList<rows.DeletedDomainRow>(connections, {
      columns: rows.DELETED_DOMAIN_COLUMNS,
      table: 'deleted_domains',
      where: 'account_id = $1 AND deleted_at IS NOT NULL',
      key: { falling: ['deleted_at', 'domain_id'] },
      total: 'SELECT count(*) FROM deleted_domains WHERE account_id = $1 AND deleted_at IS NOT NULL',
    }),
    entries: createKeysetList<EntryRow>(connections, {
      columns: entryColumns,
      table: entryTable(''),
      where: entriesOfDomain,
      key: { falling: ['entry.seq'] },
      total: `SELECT count(*) FROM ${entryTable('')} WHERE ${entriesOfDomain}`,
    }),
  };
}

function convertPage<Row, T>(page: Page<Row>, convert: (row: Row) => T): Page<T> {
  return { ...page, rows: page.rows.map(convert) };
}
