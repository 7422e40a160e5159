import type { FoundRecordJson, RecordJson } from '../contract/response-shapes.ts';
import { getOne } from './get-one.ts';
import { domainPath, getPage, listPages, type Page, type PageOptions, type Query } from './list-pages.ts';
import { notOurs } from './read-answer.ts';
import { readJsonLines } from './read-json-lines.ts';
import { cutIntoBatches, type NewRecord, type RecordChanges, type RecordPatch } from './record-batches.ts';
import { sendRequest, type Endpoint } from './send-request.ts';
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

/** All records of a domain, which are still to come. */
export interface ExportedRecords {
  /** The revision of the domain that the records show. */
  readonly etag: string | undefined;
  /** Its serial: the history continues from it. */
  readonly serial: number | undefined;
  /** Some at a time, once. Throws UnreachableError if the connection ends before they are complete. */
  readonly slices: AsyncIterable<readonly RecordJson[]>;
}

export interface RecordsClient {
  /** Lists records in creation order. */
  list(domain: string, filter?: RecordFilter): AsyncIterable<RecordJson>;
  /**
   * Reads all records with one request, by owner and as of one moment.
   *
   * @param options.signal gives the request up, and its waits; once records arrive, leave the loop instead
   */
  export(domain: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<ExportedRecords>;
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

/** As long as exports of others may take. */
const EXPORT_SECONDS = 60;

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
    export: async (domain, options) => {
      const request = { ...options, waitSeconds: EXPORT_SECONDS, wantsStream: true };
      const answer = await sendRequest(endpoint, 'GET', `${listPath(domain)}/export`, request);
      if (!(answer.body instanceof ReadableStream)) throw notOurs(answer.url, answer.status);
      const slices = readJsonLines<RecordJson>(endpoint.url, answer.body as ReadableStream<Uint8Array>);
      return { etag: answer.etag, serial: answer.zoneSerial, slices };
    },
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
