// The queries of `AccountReads`, for both engines.
import { parseStanding } from '../model/account-standing.ts';
import { SLICE_ROWS, type HeldKind, type Holder } from './account-reads.ts';
import { entryColumns, entryCondition, entryTable } from './history-list.ts';
import { ACCOUNT_COLUMNS, DELETED_DOMAIN_COLUMNS } from './table-rows.ts';

/** Sorts after all that are stored. */
export const LAST_PLACE = Number.MAX_SAFE_INTEGER;

/** @param now and @param limit placeholders */
export function dueAccounts(now: string, limit: string): string {
  return `SELECT ${ACCOUNT_COLUMNS} FROM accounts WHERE due_at <= ${now} ORDER BY due_at, id LIMIT ${limit}`;
}

/** A query for the accounts with a standing. @param ids a list of ids, or a query for them */
export function standingsOf(ids: string): string {
  return `SELECT id, standing FROM accounts WHERE id ${ids} AND standing IS NOT NULL`;
}

/** Returns the ids of those that are deleted. */
export function deletedOf(rows: readonly (readonly [id: string, standing: string])[]): readonly string[] {
  return rows.filter(([, standing]) => parseStanding(standing).deletion !== null).map(([id]) => id);
}

/** The place of the last of the changes of a slice, which are read by it: most may be signatures, which are not shown. */
export function sliceEnd(index: string, domainId: string, before: string): string {
  return `SELECT seq FROM changes ${index} WHERE domain_id = ${domainId} AND seq < ${before}
    ORDER BY seq DESC LIMIT 1 OFFSET ${SLICE_ROWS - 1}`;
}

/** A query whose rows are `EntryRow`. */
export function entriesBetween(index: string, domainId: string, before: string, end: string): string {
  return `SELECT ${entryColumns} FROM ${entryTable(index)}
    WHERE entry.domain_id = ${domainId} AND entry.seq < ${before} AND entry.seq >= ${end} AND ${entryCondition}
    ORDER BY entry.seq DESC`;
}

/** A query whose rows are `DeletedDomainRow`. @param atMs and @param id those of the domain before */
export function deletedBefore(accountId: string, atMs: string, id: string): string {
  return `SELECT ${DELETED_DOMAIN_COLUMNS} FROM deleted_domains
    WHERE account_id = ${accountId} AND deleted_at IS NOT NULL AND (deleted_at, domain_id) < (${atMs}, ${id})
    ORDER BY deleted_at DESC, domain_id DESC LIMIT ${SLICE_ROWS}`;
}

export type HolderRow = [id: string, holder: string | null, former: string | null];

/** Queries whose rows are `HolderRow`. @param sought a table whose column `id` has what is sought @param byName an index */
export function holderQueries(sought: string, byName: string): Readonly<Record<HeldKind, string>> {
  const former = `SELECT account_id FROM deleted_domains ${byName}
    WHERE name = sought.id AND deleted_at IS NOT NULL ORDER BY deleted_at DESC, domain_id DESC LIMIT 1`;
  const query = (holder: string, formerHolder = 'SELECT NULL'): string =>
    `SELECT sought.id, (${holder}), (${formerHolder}) FROM ${sought}`;
  return {
    domain: query('SELECT account_id FROM domains WHERE name = sought.id', former),
    key: query('SELECT account_id FROM keys WHERE keys.id = sought.id'),
    account: query('SELECT accounts.id FROM accounts WHERE accounts.id = sought.id'),
  };
}

export function toHolders(rows: readonly HolderRow[]): readonly Holder[] {
  return rows.flatMap(([id, holder, former]) => {
    const accountId = holder ?? former;
    return accountId === null ? [] : [{ id, accountId, isDeleted: holder === null }];
  });
}
