import type { TransferSource } from './migration-ends.ts';
import {
  accountsTable,
  changesTable,
  columnIndex,
  countersTable,
  domainsTable,
  recordsTable,
  transferTables,
} from './migration-tables.ts';

const shown = [
  [accountsTable, 'account', 'accounts'],
  [domainsTable, 'domain', 'domains'],
  [recordsTable, 'record', 'records'],
  [changesTable, 'entry of the feed', 'entries of the feed'],
] as const;

/** `1 account, 3 domains, 27 records and 40 entries of the feed`; undefined when nothing was ever written to it. */
export async function describeHoldings(store: TransferSource): Promise<string | undefined> {
  if (await isEmpty(store)) return undefined;
  const parts: string[] = [];
  for (const [table, one, several] of shown) {
    const count = await store.rowCount(table);
    parts.push(`${count} ${count === 1 ? one : several}`);
  }
  return `${parts.slice(0, -1).join(', ')} and ${parts[parts.length - 1]}`;
}

async function isEmpty(store: TransferSource): Promise<boolean> {
  for (const table of transferTables) {
    if (table !== countersTable && (await store.rowCount(table)) > 0) return false;
  }
  const lastSeq = columnIndex(countersTable, 'last_seq');
  for await (const [row] of store.slices(countersTable)) return row[lastSeq] === 0;
  return true;
}
