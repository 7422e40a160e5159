import type { FoundRecordJson, RecordJson } from '../contract/response-shapes.ts';
import { getOne } from './get-one.ts';
import { domainPath, getPage, listPages, type Page, type PageOptions, type Query } from './list-pages.ts';
import { cutIntoBatches, type NewRecord, type RecordChanges, type RecordPatch } from './record-batches.ts';
import type { Endpoint } from './send-request.ts';
import { readChanged, readCreated, readWritten, sendWrite, type RecordsChanged } from './send-write.ts';
import type { Created, Real, WriteOptions, WriteResult, Written } from './write-options.ts';

/** A record must match all given members. */
export interface RecordFilter {
  readonly type?: string | undefined;
  readonly name?: string | undefined;
  readonly data?: string | undefined;
  /** How `data` is compared; `exact` by default. */
  readonly data_match?: 'exact' | 'prefix' | 'contains' | undefined;
  /** Part of the name or the data. */
  readonly search?: string | undefined;
}

export interface RecordsClient {
  /** Lists records in creation order. */
  list(domain: string, filter?: RecordFilter): AsyncIterable<RecordJson>;
  /** Finds records in all domains of the account. A string is searched for in names and data. */
  search(filter: string | RecordFilter): AsyncIterable<FoundRecordJson>;
  /** Finds a page of them, for programs that show the first ones only. */
  searchPage(filter: string | RecordFilter, page?: PageOptions): Promise<Page<FoundRecordJson>>;
  get(domain: string, id: string): Promise<RecordJson>;
  create<O extends WriteOptions = Real<WriteOptions>>(
    domain: string,
    record: NewRecord,
    options?: O,
  ): Promise<WriteResult<Created<RecordJson>, O>>;
  update<O extends WriteOptions = Real<WriteOptions>>(
    domain: string,
    id: string,
    patch: RecordPatch,
    options?: O,
  ): Promise<WriteResult<Written, O>>;
  delete<O extends WriteOptions = Real<WriteOptions>>(
    domain: string,
    id: string,
    options?: O,
  ): Promise<WriteResult<Written, O>>;
  /** Makes up to 10,000 changes, all or none, in one step of the serial: deletions first, creations last. */
  change<O extends WriteOptions = Real<WriteOptions>>(
    domain: string,
    changes: RecordChanges,
    options?: O,
  ): Promise<WriteResult<RecordsChanged, O>>;
  /** Makes any number of changes in batches of 10,000, each all or none; yields the changes of each batch. */
  changeMany(
    domain: string,
    changes: RecordChanges,
    options?: Pick<WriteOptions, 'note'>,
  ): AsyncIterable<RecordsChanged>;
}

export function createRecordsClient(endpoint: Endpoint): RecordsClient {
  const listPath = (domain: string): string => `${domainPath(domain)}/records`;
  const path = (domain: string, id: string): string => `${listPath(domain)}/${encodeURIComponent(id)}`;
  const change: RecordsClient['change'] = (domain, changes, options) => {
    const body = {
      delete: [...(changes.delete ?? [])],
      update: [...(changes.update ?? [])],
      create: [...(changes.create ?? [])],
    };
    return sendWrite(endpoint, 'POST', `${domainPath(domain)}/batch`, { body }, options, readChanged);
  };
  return {
    list: (domain, filter = {}) =>
      listPages<RecordJson>(endpoint, listPath(domain), 'records', { ...filter }),
    search: (filter) => listPages<FoundRecordJson>(endpoint, '/records', 'records', asFilter(filter)),
    searchPage: (filter, page) =>
      getPage<FoundRecordJson>(endpoint, '/records', 'records', asFilter(filter), page),
    get: (domain, id) => getOne(endpoint, path(domain, id), 'record'),
    create: (domain, body, options) =>
      sendWrite(endpoint, 'POST', listPath(domain), { body }, options, readCreated<RecordJson>('record')),
    update: (domain, id, body, options) =>
      sendWrite(endpoint, 'PATCH', path(domain, id), { body }, options, readWritten),
    delete: (domain, id, options) =>
      sendWrite(endpoint, 'DELETE', path(domain, id), {}, options, readWritten),
    change,
    async *changeMany(domain, changes, options = {}) {
      for (const batch of cutIntoBatches(changes)) yield await change(domain, batch, options);
    },
  };
}

function asFilter(filter: string | RecordFilter): RecordFilter & Query {
  return typeof filter === 'string' ? { search: filter } : { ...filter };
}
