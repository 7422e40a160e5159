import type { ZoneName } from '../../model/domain.ts';
import type { Command, CommandOf } from '../../writes/command.ts';
import { LARGE_OCTETS, LARGE_ROWS, type TouchedRows } from '../../writes/command-weight.ts';
import { serialStepsSql } from '../table-rows.ts';
import { prepareQuery, type SqliteDatabase } from './sqlite-driver.ts';

/** A few look-ups cost less than weighing them. */
const FEW_RECORDS = 20;

/** Counts the rows that a command touches, without reading them: a few milliseconds at most. */
export function createTouchedRows(database: SqliteDatabase): (command: Command) => TouchedRows {
  const domain = prepareQuery<[id: number, recordCount: number]>(
    database,
    'SELECT id, record_count FROM domains WHERE name = ? AND account_id = ?',
  );
  const deleted = prepareQuery<[recordCount: number]>(
    database,
    `SELECT max(record_count) FROM deleted_domains WHERE account_id = ? AND name = ? AND deleted_at IS NOT NULL`,
  );
  const changes = prepareQuery<[count: number]>(
    database,
    `SELECT count(*) FROM (SELECT 1 FROM changes INDEXED BY changes_by_domain WHERE domain_id = ?1
       AND ${serialStepsSql('?2', 'serial')} BETWEEN 1 AND 2147483647 LIMIT ${LARGE_ROWS + 1})`,
  );
  const record = prepareQuery<[octets: number]>(
    database,
    'SELECT length(data) + length(rdata) FROM records WHERE domain_id = ? AND id = ?',
  );
  const findDomain = (name: ZoneName, accountId: string) => {
    const [id, records] = domain.get(name, accountId) ?? [];
    return id === undefined || records === undefined ? undefined : { id, records };
  };

  const countRevert = ({ domain: name, author, to }: CommandOf<'revertRecords'>): TouchedRows => {
    const found = findDomain(name, author.accountId);
    if (found === undefined) return {};
    return { records: found.records, changes: changes.get(found.id, to)?.[0] ?? 0 };
  };
  const countChanged = ({ domain: name, author, changes }: CommandOf<'changeRecords'>): TouchedRows => {
    const { deletes, updates } = changes;
    const rows = deletes.length + updates.length;
    // With more rows the command is large already.
    if (rows <= FEW_RECORDS || rows > LARGE_ROWS) return {};
    const found = findDomain(name, author.accountId);
    if (found === undefined) return {};
    let octets = 0;
    for (const id of [...deletes, ...updates.map((update) => update.id)]) {
      octets += record.get(found.id, id)?.[0] ?? 0;
      if (octets > LARGE_OCTETS) break;
    }
    return { octets };
  };

  return (command) => {
    switch (command.kind) {
      case 'importZone':
        if (command.mode === 'merge') return {};
        return { records: findDomain(command.domain, command.author.accountId)?.records ?? 0 };
      case 'deleteDomain':
        if (command.dryRun === undefined) return {};
        return { records: findDomain(command.name, command.author.accountId)?.records ?? 0 };
      case 'restoreDomain':
        return { records: deleted.get(command.author.accountId, command.name)?.[0] ?? 0 };
      case 'revertRecords':
        return countRevert(command);
      case 'changeRecords':
        return countChanged(command);
      default:
        return {};
    }
  };
}
