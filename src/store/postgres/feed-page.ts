// One page of the feed: whole batches after a position. Record entries of a domain that one batch changes in very many places
// can be left out, because followers read such a zone again as a whole.
import type { ZoneName } from '../../model/domain.ts';
import type { Change } from '../../writes/change.ts';
import { CHANGE_COLUMNS, toChange, type ChangeRow } from '../table-rows.ts';
import { DATABASE_CLOCK } from './database-state.ts';
import type { FeedPosition } from './feed-snapshot.ts';
import type { PostgresConnection } from './postgres-connection.ts';

export interface FeedChange extends Change {
  /** The account of the domain, with domainPut and domainRestore; empty if it is not known. */
  readonly accountId: string;
}

/** The record entries of a domain in one batch, which were not read. */
export interface SkippedRun {
  readonly domainId: number;
  readonly domain: ZoneName;
  /** The last of them. */
  readonly seq: number;
}

export interface FeedBatch {
  readonly position: FeedPosition;
  readonly changes: readonly FeedChange[];
  /** Domains whose record entries are missing in `changes`. */
  readonly skipped: readonly SkippedRun[];
  /** The digest of all domains after it (see directory-digest.ts); null: not known. */
  readonly digest: string | null;
}

export interface PageLimits {
  /** The page has at most so many changes, or one batch. */
  readonly maxChanges: number;
  /** Record entries of a domain that are more than so many in one batch are left out. */
  readonly maxRun: number;
}

export interface ReadPage {
  readonly lastSeq: number;
  /** The digest at the position that was asked for; null: not known. */
  readonly digest: string | null;
  /** Undefined if changes are missing, or the feed does not have the position. */
  readonly batches: readonly FeedBatch[] | undefined;
  readonly hasPosition: boolean;
}

/** @param onAnswer is called with the time of the database, when its first answer is there */
export async function readFeedPage(
  connection: PostgresConnection,
  { seq, batch }: FeedPosition,
  { maxChanges, maxRun }: PageLimits,
  onAnswer: (databaseMs: number) => void,
): Promise<ReadPage> {
  const longest = Math.max(maxChanges, Math.min(maxRun, Number.MAX_SAFE_INTEGER - seq));
  const [, found, ends, changes] = await connection.pipeline([
    { text: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' },
    { text: POSITION_QUERY, values: [batch, seq] },
    { text: BATCHES_QUERY, values: [seq, maxChanges] },
    { text: changesQuery, values: [seq, maxChanges, longest] },
    { text: 'COMMIT' },
  ]);
  const [lastSeq, isKnown, databaseMs, digest] = found.rows[0] as PositionRow;
  onAnswer(databaseMs);
  const about = { lastSeq, digest, hasPosition: isKnown };
  if (!isKnown) return { ...about, batches: undefined };
  const batchEnds = ends.rows as BatchEnd[];
  const first = batchEnds.at(0);
  if (first !== undefined && first[1] - seq > longest) {
    const long = await readLongBatch(connection, seq, first, maxRun);
    return { ...about, batches: long && [long] };
  }
  const read = (changes.rows as unknown as FeedRow[]).map(toFeedChange);
  return { ...about, batches: splitIntoBatches(seq, batchEnds, read) };
}

/**
 * Entries are numbered without gaps, and never change: the two queries need no common snapshot. Returns undefined if an
 * entry is missing.
 */
async function readLongBatch(
  connection: PostgresConnection,
  startSeq: number,
  [batch, endSeq, digest]: BatchEnd,
  maxRun: number,
): Promise<FeedBatch | undefined> {
  const found = await connection.query<RunRow>(RUNS_QUERY, [startSeq, endSeq, maxRun]);
  const runs = found.rows.map(toRun);
  const parts = partsBetween(startSeq, endSeq, runs);
  const firsts = parts.map(([first]) => first);
  const lasts = parts.map(([, last]) => last);
  const ids = runs.map(({ domainId }) => domainId);
  const rest = await connection.query<FeedRow>(restQuery, [firsts, lasts, ids]);
  const skippedCount = runs.reduce((sum, { count }) => sum + count, 0);
  if (rest.rows.length + skippedCount !== endSeq - startSeq) return undefined;
  const skipped = runs.map(({ domainId, domain, last }) => ({ domainId, domain, seq: last }));
  const position = { seq: endSeq, batch };
  return { position, changes: rest.rows.map(toFeedChange), skipped, digest };
}

interface Run {
  readonly domainId: number;
  readonly domain: ZoneName;
  readonly first: number;
  readonly last: number;
  readonly count: number;
}

type RunRow = [domainId: number, domain: ZoneName, first: number, last: number, count: number];

function toRun([domainId, domain, first, last, count]: RunRow): Run {
  return { domainId, domain, first, last, count };
}

/** The ranges of the batch without the runs that no other entry interrupts, so that these are not even looked at. */
function partsBetween(startSeq: number, endSeq: number, runs: readonly Run[]): [number, number][] {
  const whole = runs.filter(({ first, last, count }) => last - first + 1 === count);
  const parts: [number, number][] = [];
  let next = startSeq + 1;
  for (const { first, last } of whole.toSorted((a, b) => a.first - b.first)) {
    if (first > next) parts.push([next, first - 1]);
    next = last + 1;
  }
  if (next <= endSeq) parts.push([next, endSeq]);
  return parts;
}

type PositionRow = [lastSeq: number, isKnown: boolean, databaseMs: number, digest: string | null];
type BatchEnd = [id: string, lastSeq: number, digest: string | null];

const POSITION_QUERY = `
  SELECT last_seq, EXISTS (SELECT FROM batches WHERE id = $1 AND batches.last_seq = $2), ${DATABASE_CLOCK},
    (SELECT digest FROM batches WHERE id = $1)
  FROM counters`;

/** Takes as many batches as fit, at least one. */
const BATCHES_QUERY = `
  SELECT id, last_seq, digest FROM batches
  WHERE has_changes AND last_seq > $1
    AND last_seq <= greatest($1 + $2::bigint,
      (SELECT last_seq FROM batches WHERE has_changes AND last_seq > $1 ORDER BY last_seq LIMIT 1))
  ORDER BY last_seq`;

type FeedRow = [...change: ChangeRow, accountId: string];

function toFeedChange(row: FeedRow): FeedChange {
  return { ...toChange(row.slice(0, -1) as unknown as ChangeRow), accountId: row[row.length - 1] as string };
}

/** A process of an earlier version writes no account with a change; a domain that it has deleted since has none. */
const ACCOUNT_COLUMN = `
  CASE WHEN kind IN ('domainPut', 'domainRestore')
    THEN coalesce(changes.account_id, (SELECT domains.account_id FROM domains WHERE id = changes.domain_id), '')
    ELSE '' END`;

/** Returns no rows if the first batch is longer than $3. */
const changesQuery = `
  SELECT ${CHANGE_COLUMNS}, ${ACCOUNT_COLUMN} FROM changes
  WHERE seq > $1
    AND seq <= (
      SELECT CASE WHEN last_seq > $1 + $3::bigint THEN $1 ELSE greatest($1 + $2::bigint, last_seq) END
      FROM batches WHERE has_changes AND last_seq > $1 ORDER BY last_seq LIMIT 1)
  ORDER BY seq`;

const RECORD_ENTRIES = "kind IN ('recordPut', 'recordDelete')";

/** Counts in the database: 400,000 entries take it a tenth of a second, and reading them several. */
const RUNS_QUERY = `
  SELECT domain_id, max(domain), min(seq), max(seq), count(*) FROM changes
  WHERE seq > $1 AND seq <= $2 AND ${RECORD_ENTRIES}
  GROUP BY domain_id HAVING count(*) > $3
  ORDER BY min(seq)`;

const restQuery = `
  SELECT rest.* FROM unnest($1::bigint[], $2::bigint[]) AS part (first_seq, last_seq)
  CROSS JOIN LATERAL (
    SELECT ${CHANGE_COLUMNS}, ${ACCOUNT_COLUMN} FROM changes
    WHERE seq >= part.first_seq AND seq <= part.last_seq
      AND NOT (${RECORD_ENTRIES} AND domain_id = ANY ($3::bigint[]))) rest
  ORDER BY seq`;

/** Changes after the last end belong to a batch of the next page. Returns undefined if a change is missing. */
function splitIntoBatches(
  startSeq: number,
  ends: readonly BatchEnd[],
  changes: readonly FeedChange[],
): FeedBatch[] | undefined {
  let beforeSeq = startSeq;
  const batches: FeedBatch[] = [];
  for (const [batch, seq, digest] of ends) {
    const own = changes.slice(beforeSeq - startSeq, seq - startSeq);
    if (own.length !== seq - beforeSeq || own.at(-1)?.seq !== seq) return undefined;
    batches.push({ position: { seq, batch }, changes: own, skipped: [], digest });
    beforeSeq = seq;
  }
  return batches;
}
