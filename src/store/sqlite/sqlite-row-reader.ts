import type { ZoneName } from '../../model/domain.ts';
import type { RowReader } from '../row-reader.ts';
import { prepareQuery, type SqliteDatabase } from './sqlite-driver.ts';
import * as rows from '../table-rows.ts';

/** The rows a batch asks for, from the writing connection: inside its transaction. */
export function createRowReader(database: SqliteDatabase): RowReader {
  const account = prepareQuery<rows.AccountRow>(
    database,
    `SELECT ${rows.accountColumns} FROM accounts WHERE id = ?`,
  );
  const key = prepareQuery<rows.KeyRow>(database, `SELECT ${rows.keyColumns} FROM keys WHERE id = ?`);
  const domain = prepareQuery<rows.DomainRow>(
    database,
    `SELECT ${rows.domainColumns} FROM domains WHERE name = ?`,
  );
  const record = prepareQuery<rows.RecordRow>(
    database,
    `SELECT ${rows.recordColumns} FROM records WHERE domain_id = ? AND id = ?`,
  );
  const owner = prepareQuery<rows.RecordRow>(
    database,
    `SELECT ${rows.recordColumns} FROM records INDEXED BY records_by_owner WHERE domain_id = ? AND owner = ?`,
  );
  const retiredSerial = prepareQuery<[serial: number]>(
    database,
    'SELECT serial FROM retired_serials WHERE name = ?',
  );
  return {
    findAccount: (id) => optional(account.get(id), rows.toAccount),
    findKey: (id) => optional(key.get(id), rows.toKey),
    findDomain: (name) => optional(domain.get(name), rows.toDomain),
    findRecord: (domainId, recordId) => optional(record.get(domainId, recordId), rows.toRecord),
    recordsAt: (domainId, ownerKey) => owner.all(domainId, ownerKey).map(rows.toRecord),
    findRetiredSerial: (name: ZoneName) => retiredSerial.get(name)?.[0],
  };
}

function optional<Row, T>(row: Row | undefined, convert: (row: Row) => T): T | undefined {
  return row === undefined ? undefined : convert(row);
}
