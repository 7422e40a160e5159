import { FIRST_GENERATED_ID } from '../../model/generated-row.ts';
import type { OwnerKey } from '../../model/record.ts';
import {
  domainConditions,
  recordConditions,
  type RecordFilter,
  type TextConditions,
} from '../record-filter.ts';
import * as rows from '../table-rows.ts';
import { containsText, defineFindText } from './find-text.ts';
import { foundRecordKey, textKey } from './scan-key.ts';
import { createScannedList, type ScannedList, type ScanSource, type ScanValues } from './scanned-list.ts';
import type { SqliteDatabase, SqlRow, SqlValue } from './sqlite-driver.ts';

export const inSqlite: TextConditions = {
  mark: (index) => `?${index}`,
  contains: containsText,
  startsWith: (column, mark) => `substr(${column}, 1, length(${mark})) = ${mark}`,
  endsWith: (column, mark) => `substr(${column}, -length(${mark})) = ${mark}`,
};

/** A filtered list and the values of its placeholders. */
export interface FilteredList<Row> {
  readonly list: ScannedList<Row>;
  readonly values: ScanValues;
}

/** Filters come in a few shapes, but the limits of each limited key can make another one. */
const MAX_PREPARED = 200;

/** Filtered lists. Each set of conditions is prepared once; scanning a row takes some 0.2 µs. */
export class SqliteSearches {
  private readonly database: SqliteDatabase;
  private readonly prepared = new Map<string, ScannedList<SqlRow>>();

  constructor(database: SqliteDatabase) {
    this.database = database;
    defineFindText(database);
  }

  domains(accountId: string, search: string): FilteredList<rows.DomainRow> {
    const { conditions, values } = domainConditions(search, inSqlite, 2);
    return this.prepare<rows.DomainRow>(
      {
        columns: rows.DOMAIN_COLUMNS,
        table: 'domains INDEXED BY domains_by_account',
        scope: 'account_id = ?1',
        shown: allOf(conditions),
        octets: '0',
        key: textKey('name'),
      },
      { scope: [accountId], shown: values },
    );
  }

  records(domainId: number, { owner, ...filter }: RecordFilter): FilteredList<rows.ListedRecordRow> {
    const { records, scope, values } = recordsOf('domain_id = ?1', domainId, owner);
    const shown = recordConditions(filter, inSqlite, values.length + 1);
    return this.prepare<rows.ListedRecordRow>(
      {
        columns: rows.LISTED_RECORD_COLUMNS,
        table: records,
        scope,
        shown: allOf(shown.conditions),
        octets: 'length(rdata)',
        key: textKey('id', FIRST_GENERATED_ID),
      },
      { scope: values, shown: shown.values },
    );
  }

  recordsOfAccount(accountId: string, { owner, ...filter }: RecordFilter): FilteredList<rows.FoundRecordRow> {
    const { records, scope, values } = recordsOf('domains.account_id = ?1', accountId, owner);
    const shown = recordConditions(filter, inSqlite, values.length + 1, rows.foundRecordNames);
    return this.prepare<rows.FoundRecordRow>(
      {
        columns: rows.FOUND_RECORD_COLUMNS,
        table: `domains INDEXED BY domains_by_account CROSS JOIN ${records} ON records.domain_id = domains.id`,
        scope,
        shown: allOf(shown.conditions),
        octets: 'length(rdata)',
        key: foundRecordKey,
      },
      { scope: values, shown: shown.values },
    );
  }

  private prepare<Row extends SqlRow>(
    source: Omit<ScanSource, 'scopeLength' | 'shownLength'>,
    values: ScanValues,
  ): FilteredList<Row> {
    const conditions = `${source.table} ${source.scope} ${source.shown}`;
    let list = this.prepared.get(conditions);
    if (list === undefined) {
      const lengths = { scopeLength: values.scope.length, shownLength: values.shown.length };
      if (this.prepared.size >= MAX_PREPARED) this.prepared.clear();
      list = createScannedList<SqlRow>(this.database, { ...source, ...lengths });
      this.prepared.set(conditions, list);
    }
    return { list, values } as FilteredList<Row>;
  }
}

/** Selects the records to scan; records of one owner are found by an index. */
function recordsOf(whose: string, id: SqlValue, owner: OwnerKey | undefined) {
  if (owner === undefined) return { records: 'records', scope: whose, values: [id] };
  return {
    records: 'records INDEXED BY records_by_owner',
    scope: `${whose} AND owner = ?2`,
    values: [id, owner],
  };
}

function allOf(conditions: readonly string[]): string {
  return conditions.length === 0 ? 'true' : conditions.join(' AND ');
}
