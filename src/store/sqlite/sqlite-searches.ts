import {
  domainConditions,
  recordConditions,
  type RecordFilter,
  type TextConditions,
} from '../record-filter.ts';
import * as rows from '../table-rows.ts';
import { createKeysetList, type KeysetList, type ListSource } from './keyset-list.ts';
import {
  prepareQuery,
  type Query,
  type SqliteDatabase,
  type SqlRow,
  type SqlValue,
} from './sqlite-driver.ts';

const inSqlite: TextConditions = {
  mark: (index) => `?${index}`,
  contains: (column, mark) => `instr(${column}, ${mark}) > 0`,
  startsWith: (column, mark) => `substr(${column}, 1, length(${mark})) = ${mark}`,
};

/** A list of which a filter shows a part, ready to be read. */
export interface FilteredList<Row> {
  readonly list: KeysetList<Row>;
  readonly total: Query<[total: number]>;
  readonly scope: readonly SqlValue[];
}

/** Lists by filters; each set of conditions is prepared once. Some 0.3 µs for every row that the filter looks at. */
export class SqliteSearches {
  private readonly database: SqliteDatabase;
  private readonly prepared = new Map<string, Omit<FilteredList<SqlRow>, 'scope'>>();

  constructor(database: SqliteDatabase) {
    this.database = database;
  }

  domains(accountId: string, search: string): FilteredList<rows.DomainRow> {
    const { conditions, values } = domainConditions(search, inSqlite, 2);
    const where = ['account_id = ?1', ...conditions].join(' AND ');
    const table = 'domains INDEXED BY domains_by_account';
    const source = { columns: rows.domainColumns, table, where, key: 'name' };
    return this.prepare<rows.DomainRow>(source, [accountId, ...values]);
  }

  records(domainId: number, filter: RecordFilter): FilteredList<rows.ListedRecordRow> {
    const { conditions, values } = recordConditions(filter, inSqlite, 2);
    const where = ['domain_id = ?1', ...conditions].join(' AND ');
    const table = filter.owner === undefined ? 'records' : 'records INDEXED BY records_by_owner';
    const source = { columns: rows.listedRecordColumns, table, where, key: 'id' };
    return this.prepare<rows.ListedRecordRow>(source, [domainId, ...values]);
  }

  recordsOfAccount(accountId: string, filter: RecordFilter): FilteredList<rows.FoundRecordRow> {
    const { conditions, values } = recordConditions(filter, inSqlite, 2, rows.foundRecordNames);
    const where = ['domains.account_id = ?1', ...conditions].join(' AND ');
    const table =
      'domains INDEXED BY domains_by_account CROSS JOIN records ON records.domain_id = domains.id';
    const source = { columns: rows.foundRecordColumns, table, where, key: rows.foundRecordKey };
    return this.prepare<rows.FoundRecordRow>(source, [accountId, ...values]);
  }

  private prepare<Row extends SqlRow>(source: ListSource, scope: readonly SqlValue[]): FilteredList<Row> {
    const key = `${source.table} ${source.where}`;
    let lists = this.prepared.get(key);
    if (lists === undefined) {
      lists = {
        list: createKeysetList<SqlRow>(this.database, source),
        total: prepareQuery(this.database, `SELECT count(*) FROM ${source.table} WHERE ${source.where}`),
      };
      this.prepared.set(key, lists);
    }
    return { ...lists, scope } as FilteredList<Row>;
  }
}
