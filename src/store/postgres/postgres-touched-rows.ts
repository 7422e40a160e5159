import type { Command, CommandOf } from '../../writes/command.ts';
import {
  LARGE_OCTETS,
  LARGE_ROWS,
  LARGE_SIGNED_ROWS,
  mayResign,
  weighCommand,
  type CommandWeight,
  type TouchedRows,
} from '../../writes/command-weight.ts';
import { domainOf } from '../../writes/run-batch.ts';
import { StoreUnavailable } from '../../writes/store-errors.ts';
import { ROW_COST, serialStepsSql } from '../table-rows.ts';
import { keyText } from './key-text.ts';
import type { ReadConnections } from './read-connections.ts';

/** A few look-ups cost less than weighing them. */
const FEW_RECORDS = 20;

/** True if the rows that a command touches are not known from the command itself. */
export function touchesMore(command: Command): boolean {
  switch (command.kind) {
    case 'importZone':
      return command.mode === 'replace' || command.records.length > LARGE_SIGNED_ROWS;
    case 'deleteDomain':
    case 'restoreDomain':
      return command.dryRun !== undefined;
    case 'changeRecords': {
      const { deletes, updates, creates } = command.changes;
      const rows = deletes.length + updates.length;
      // With more rows the command is large already.
      return rows <= LARGE_ROWS && (rows > FEW_RECORDS || rows + creates.length > LARGE_SIGNED_ROWS);
    }
    default:
      return command.kind === 'revertRecords' || mayResign(command);
  }
}

const RECORD_COUNT = `
  SELECT record_count, octets, ${ROW_COST} FROM domains
  WHERE name = $1 AND account_id = coalesce($2, account_id)`;

const DELETED_COUNT = `
  SELECT coalesce(max(record_count), 0), coalesce(max(octets), 0), 1 FROM deleted_domains
  WHERE name = $1 AND account_id = $2 AND deleted_at IS NOT NULL`;

const revertCounts = `
  SELECT record_count, domains.octets + later.octets, later.count, ${ROW_COST} FROM domains, LATERAL (
    SELECT count(*), coalesce(sum(octets), 0)::bigint AS octets FROM (
      SELECT serial, octets FROM changes WHERE domain_id = domains.id ORDER BY seq DESC LIMIT ${LARGE_ROWS + 1}
    ) AS last WHERE ${serialStepsSql('$3', 'last.serial')} BETWEEN 1 AND 2147483647
  ) AS later WHERE name = $1 AND account_id = $2`;

const recordOctets = `
  SELECT coalesce(sum(octet_length(data) + octet_length(rdata)), 0)::bigint,
    coalesce((SELECT ${ROW_COST} FROM domains WHERE name = $1 AND account_id = $2), 1)
  FROM records WHERE domain_id = (SELECT id FROM domains WHERE name = $1 AND account_id = $2)
    AND id = ANY ($3::text[])`;

/** Weighs a command with the rows that it touches. While the database is away, it counts as what it carries. */
export async function weighTouched(connections: ReadConnections, command: Command): Promise<CommandWeight> {
  try {
    return weighCommand(command, await countTouchedRows(connections, command));
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    return weighCommand(command);
  }
}

/** Counts the rows, without reading them. @throws StoreUnavailable */
async function countTouchedRows(connections: ReadConnections, command: Command): Promise<TouchedRows> {
  const name = domainOf(command);
  if (name !== undefined && mayResign(command)) {
    return await countRecords(connections, RECORD_COUNT, name, command);
  }
  switch (command.kind) {
    case 'importZone': {
      const counted = await countRecords(connections, RECORD_COUNT, command.domain, command);
      const { rowCost = 1 } = counted;
      return command.mode === 'merge' ? { rowCost } : counted;
    }
    case 'deleteDomain':
      return await countRecords(connections, RECORD_COUNT, command.name, command);
    case 'restoreDomain':
      return await countRecords(connections, DELETED_COUNT, command.name, command);
    case 'revertRecords':
      return await countRevert(connections, command);
    case 'changeRecords':
      return await countChanged(connections, command);
    default:
      return {};
  }
}

async function countRecords(
  connections: ReadConnections,
  query: string,
  name: string,
  { author }: Pick<Command, 'author'>,
): Promise<TouchedRows> {
  const rows = await connections.query<[records: number, octets: number, rowCost: number]>(query, [
    name,
    // A command without an author is the service's own.
    author?.accountId ?? null,
  ]);
  const [records, octets, rowCost] = rows.at(0) ?? [0, 0, 1];
  return { records, octets, rowCost };
}

async function countRevert(
  connections: ReadConnections,
  { domain, author, to }: CommandOf<'revertRecords'>,
): Promise<TouchedRows> {
  const values = [domain, author.accountId, to];
  type Counts = [records: number, octets: number, changes: number, rowCost: number];
  const rows = await connections.query<Counts>(revertCounts, values);
  const [records, octets, changes, rowCost] = rows.at(0) ?? [0, 0, 0, 1];
  return { records, octets, changes, rowCost };
}

async function countChanged(
  connections: ReadConnections,
  { domain, author, changes }: CommandOf<'changeRecords'>,
): Promise<TouchedRows> {
  const ids = [...changes.deletes, ...changes.updates.map(({ id }) => id)].map(keyText);
  const values = [domain, author.accountId, ids];
  const rows = await connections.query<[octets: number, rowCost: number]>(recordOctets, values);
  const [octets, rowCost] = rows.at(0) ?? [0, 1];
  return { octets: Math.min(octets, LARGE_OCTETS + 1), rowCost };
}
