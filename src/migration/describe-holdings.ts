import type { StoreContent } from './store-content.ts';
import {
  accountsTable,
  changesTable,
  columnIndex,
  countersTable,
  domainsTable,
  recordsTable,
  storeTables,
} from './store-tables.ts';

const shown = [
  [accountsTable, 'account', 'accounts'],
  [domainsTable, 'domain', 'domains'],
  [recordsTable, 'record', 'records'],
  [changesTable, 'feed entry', 'feed entries'],
] as const;

/** Returns `1 account, 3 domains, 27 records and 40 feed entries`; undefined if nothing was ever written to the store. */
export async function describeHoldings(store: StoreContent): Promise<string | undefined> {
  if (await isEmpty(store)) return undefined;
  const parts: string[] = [];
  for (const [table, one, several] of shown) {
    const count = await store.rowCount(table);
    parts.push(`${count} ${count === 1 ? one : several}`);
  }
  return `${parts.slice(0, -1).join(', ')} and ${parts[parts.length - 1]}`;
}

async function isEmpty(store: StoreContent): Promise<boolean> {
  for (const table of storeTables) {
    // Upkeep writes to a store that was only started.
    if (table !== countersTable && table.name !== 'upkeep_time' && (await store.rowCount(table)) > 0)
      return false;
  }
  const lastSeq = columnIndex(countersTable, 'last_seq');
  for await (const [row] of store.slices(countersTable)) return row[lastSeq] === 0;
  return true;
}
