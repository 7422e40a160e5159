import type { ZoneName } from '../../model/domain.ts';
import type { Command, CommandOf } from '../../writes/command.ts';
import {
  LARGE_OCTETS,
  LARGE_ROWS,
  LARGE_SIGNED_ROWS,
  mayResign,
  type TouchedRows,
} from '../../writes/command-weight.ts';
import { domainOf } from '../../writes/run-batch.ts';
import { ROW_COST, serialStepsSql } from '../table-rows.ts';
import { prepareQuery, type SqliteDatabase } from './sqlite-driver.ts';

/** A few look-ups cost less than weighing them. */
const FEW_RECORDS = 20;

/** Counts the rows that a command touches, without reading them: a few milliseconds at most. */
export function createTouchedRows(database: SqliteDatabase): (command: Command) => TouchedRows {
  const findDomain = createDomainRows(database);
  const countDeleted = createDeletedCount(database);
  const countLater = createLaterCount(database);
  const record = prepareQuery<[octets: number]>(
    database,
    'SELECT length(data) + length(rdata) FROM records WHERE domain_id = ? AND id = ?',
  );
  const countRecords = (name: ZoneName, accountId: string): TouchedRows =>
    findDomain(name, accountId)?.rows ?? {};
  // A command without an author is the service's own.
  const countResigned = (name: ZoneName, accountId: string | null = null): TouchedRows =>
    findDomain(name, accountId)?.rows ?? {};

  const countMerged = ({ domain: name, author, records }: CommandOf<'importZone'>): TouchedRows => {
    if (records.length <= LARGE_SIGNED_ROWS) return {};
    const rowCost = findDomain(name, author.accountId)?.rows.rowCost;
    return rowCost === undefined ? {} : { rowCost };
  };
  const countRevert = ({ domain: name, author, to }: CommandOf<'revertRecords'>): TouchedRows => {
    const found = findDomain(name, author.accountId);
    if (found === undefined) return {};
    const { records, rowCost } = found.rows;
    return { records, rowCost, ...countLater(found.id, to, found.rows.octets) };
  };
  const countChanged = ({ domain: name, author, changes }: CommandOf<'changeRecords'>): TouchedRows => {
    const { deletes, updates, creates } = changes;
    const rows = deletes.length + updates.length;
    // With more rows the command is large already.
    if (rows > LARGE_ROWS || (rows <= FEW_RECORDS && rows + creates.length <= LARGE_SIGNED_ROWS)) return {};
    const found = findDomain(name, author.accountId);
    if (found === undefined) return {};
    const { rowCost } = found.rows;
    let octets = 0;
    for (const id of [...deletes, ...updates.map((update) => update.id)]) {
      octets += record.get(found.id, id)?.[0] ?? 0;
      if (octets > LARGE_OCTETS) break;
    }
    return { octets, rowCost };
  };

  return (command) => {
    const name = domainOf(command);
    if (name !== undefined && mayResign(command)) return countResigned(name, command.author?.accountId);
    switch (command.kind) {
      case 'importZone':
        if (command.mode === 'merge') return countMerged(command);
        return countRecords(command.domain, command.author.accountId);
      case 'deleteDomain':
        if (command.dryRun === undefined) return {};
        return countRecords(command.name, command.author.accountId);
      case 'restoreDomain':
        return command.dryRun === undefined ? {} : countDeleted(command);
      case 'revertRecords':
        return countRevert(command);
      case 'changeRecords':
        return countChanged(command);
      default:
        return {};
    }
  };
}

function createDomainRows(database: SqliteDatabase) {
  const domain = prepareQuery<[id: number, recordCount: number, octets: number, rowCost: number]>(
    database,
    `SELECT id, record_count, octets, ${ROW_COST} FROM domains WHERE name = ? AND account_id = coalesce(?, account_id)`,
  );
  return (name: ZoneName, accountId: string | null) => {
    const row = domain.get(name, accountId);
    if (row === undefined) return undefined;
    return { id: row[0], rows: { records: row[1], octets: row[2], rowCost: row[3] } };
  };
}

/** Which of several deleted domains of a name is restored is decided later: the largest one counts. */
function createDeletedCount(database: SqliteDatabase) {
  const deleted = prepareQuery<[recordCount: number | null, octets: number | null]>(
    database,
    `SELECT max(record_count), max(octets) FROM deleted_domains
     WHERE account_id = ? AND name = ? AND deleted_at IS NOT NULL`,
  );
  return ({ name, author }: CommandOf<'restoreDomain'>): TouchedRows => {
    const [records, octets] = deleted.get(author.accountId, name) ?? [];
    return { records: records ?? 0, octets: octets ?? 0 };
  };
}

/** @returns what the changes of a domain after a serial add to `octets`, and how many they are, as far as they are counted */
function createLaterCount(database: SqliteDatabase) {
  const lastChanges = prepareQuery<[isLater: number, octets: number]>(
    database,
    `SELECT ${serialStepsSql('?2', 'serial')} BETWEEN 1 AND 2147483647, coalesce(octets, 0)
     FROM changes INDEXED BY changes_by_domain WHERE domain_id = ?1 ORDER BY seq DESC LIMIT ${LARGE_ROWS + 1}`,
  );
  return (domainId: number, serial: number, octetsBefore: number) => {
    let octets = octetsBefore;
    let changes = 0;
    // The octets of a change are behind its texts: with more of them, reading on is expensive.
    for (const [isLater, more] of lastChanges.iterate(domainId, serial)) {
      if (isLater === 0) break;
      changes++;
      octets += more;
      if (octets > LARGE_OCTETS) break;
    }
    return { octets, changes };
  };
}
