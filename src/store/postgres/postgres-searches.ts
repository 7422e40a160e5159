import {
  domainConditions,
  recordConditions,
  type RecordFilter,
  type TextConditions,
} from '../record-filter.ts';
import { isCustomersRecord } from '../customers-rows.ts';
import * as rows from '../table-rows.ts';
import { createKeysetList, type ListSource } from './postgres-keyset-list.ts';
import type { Page, PageRequest } from '../store.ts';
import type { ReadConnections } from './read-connections.ts';

export const inPostgres: TextConditions = {
  mark: (index) => `$${index}`,
  contains: (column, mark) => `position(${mark} IN ${column}) > 0`,
  startsWith: (column, mark) => `starts_with(${column}, ${mark})`,
  endsWith: (column, mark) => `right(${column}, length(${mark})) = ${mark}`,
};

/** Filtered lists. */
export class PostgresSearches {
  private readonly connections: ReadConnections;

  constructor(connections: ReadConnections) {
    this.connections = connections;
  }

  domains(accountId: string, search: string, page: PageRequest): Promise<Page<rows.DomainRow>> {
    const { conditions, values } = domainConditions(search, inPostgres, 2);
    const where = ['account_id = $1', ...conditions].join(' AND ');
    const source = { columns: rows.DOMAIN_COLUMNS, table: 'domains', where, key: 'name' };
    return this.read<rows.DomainRow>(source, [accountId, ...values], page);
  }

  records(domainId: number, filter: RecordFilter, page: PageRequest): Promise<Page<rows.ListedRecordRow>> {
    const { conditions, values } = recordConditions(filter, inPostgres, 2);
    const where = ['domain_id = $1', isCustomersRecord(), ...conditions].join(' AND ');
    const source = { columns: rows.LISTED_RECORD_COLUMNS, table: 'records', where, key: 'id' };
    return this.read<rows.ListedRecordRow>(source, [domainId, ...values], page);
  }

  recordsOfAccount(
    accountId: string,
    filter: RecordFilter,
    page: PageRequest,
  ): Promise<Page<rows.FoundRecordRow>> {
    const { conditions, values } = recordConditions(filter, inPostgres, 2, rows.foundRecordNames);
    const where = ['domains.account_id = $1', isCustomersRecord('records.id'), ...conditions].join(' AND ');
    const table = 'domains JOIN records ON records.domain_id = domains.id';
    const source = { columns: rows.FOUND_RECORD_COLUMNS, table, where, key: rows.FOUND_RECORD_KEY };
    return this.read<rows.FoundRecordRow>(source, [accountId, ...values], page);
  }

  private read<Row extends readonly unknown[]>(
    source: Omit<ListSource, 'total' | 'scopeLength'>,
    scope: readonly (string | number)[],
    page: PageRequest,
  ): Promise<Page<Row>> {
    const total = `SELECT count(*) FROM ${source.table} WHERE ${source.where}`;
    const list = createKeysetList<Row>(this.connections, { ...source, total, scopeLength: scope.length });
    return list.read(scope, page);
  }
}
