import { nameQuery, toTypedRecords, type NameReads, type TypedRecordRow } from '../name-reads.ts';
import { answer } from './answer-read.ts';
import { prepareQuery, type SqliteDatabase } from './sqlite-driver.ts';

export function createNameReads(database: SqliteDatabase): NameReads {
  const table = 'records INDEXED BY records_by_owner';
  const records = prepareQuery<TypedRecordRow>(database, nameQuery(table, '?1', '?2', '?3'));
  return {
    recordsAt: ({ id }, owner, limit) => answer(() => toTypedRecords(records.all(id, owner, limit))),
  };
}
