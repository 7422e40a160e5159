import {
  changesBeforeQuery,
  nameQuery,
  toTypedChange,
  toTypedRecords,
  type NameReads,
  type TypedChangeRow,
  type TypedRecordRow,
} from '../name-reads.ts';
import { answer } from './answer-read.ts';
import { prepareQuery, type SqliteDatabase } from './sqlite-driver.ts';

export function createNameReads(database: SqliteDatabase): NameReads {
  const table = 'records INDEXED BY records_by_owner';
  const records = prepareQuery<TypedRecordRow>(database, nameQuery(table, '?1', '?2', '?3'));
  const changes = prepareQuery<TypedChangeRow>(
    database,
    changesBeforeQuery('changes INDEXED BY changes_by_domain', '?1', '?2', '?3'),
  );
  return {
    changesBefore: ({ id }, before, limit) => answer(() => changes.all(id, before, limit).map(toTypedChange)),
    recordsAt: ({ id }, owner, limit) => answer(() => toTypedRecords(records.all(id, owner, limit))),
  };
}
