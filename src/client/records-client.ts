import type { FoundRecordJson, RecordJson } from '../contract/response-shapes.ts';
import { getOne } from './get-one.ts';
import { domainPath, listPages } from './list-pages.ts';
import { cutIntoBatches, type NewRecord, type RecordChanges, type RecordPatch } from './record-batches.ts';
import type { Endpoint } from './send-request.ts';
import { readChanged, readCreated, readWritten, sendWrite, type RecordsChanged } from './send-write.ts';
import type { Created, Real, WriteOptions, WriteResult, Written } from './write-options.ts';

/** All that are given must hold. */
export interface RecordFilter {
  readonly type?: string | undefined;
  readonly name?: string | undefined;
  readonly data?: string | undefined;
  /** How `data` is compared; `exact` unless said. */
  readonly data_match?: 'exact' | 'prefix' | 'contains' | undefined;
  /** A part of the name or the data. */
  readonly search?: string | undefined;
}

export interface RecordsClient {
  /** In the order of creation. */
  list(domain: string, filter?: RecordFilter): AsyncIterable<RecordJson>;
  /** In all domains of the account. A text: part of the name or the data. */
  search(filter: string | RecordFilter): AsyncIterable<FoundRecordJson>;
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
  /** All or nothing, one serial step: up to 10,000 changes, deletes first, creates last. */
  change<O extends WriteOptions = Real<WriteOptions>>(
    domain: string,
    changes: RecordChanges,
    options?: O,
  ): Promise<WriteResult<RecordsChanged, O>>;
  /** Any number of changes in pieces of 10,000, each all or nothing; yields what each piece changed. */
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
    search: (filter) =>
      listPages<FoundRecordJson>(
        endpoint,
        '/records',
        'records',
        typeof filter === 'string' ? { search: filter } : { ...filter },
      ),
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
