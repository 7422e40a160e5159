import type { ZoneName } from '../../model/domain.ts';
import type { DomainRecord, OwnerKey } from '../../model/record.ts';
import type { ZoneHead } from '../../model/zone-update.ts';
import { connectToTables } from './migrate.ts';
import type { PostgresAddress } from './postgres-address.ts';
import type { PostgresConnection, PostgresValue, SessionLimits } from './postgres-connection.ts';
import { toStoreError } from './postgres-errors.ts';

/** The last seq of a whole batch, and the id of the batch. */
export interface FeedPosition {
  readonly seq: number;
  readonly batch: string;
}

/** All domains and records at `position`. */
export interface FeedSnapshot {
  /** Null if nothing was ever written. */
  readonly position: FeedPosition | null;
  /** Sorted by name, byte by byte. */
  domainsAfter(name: string, limit: number): Promise<readonly SnapshotHead[]>;
  /** Those of the names that exist. */
  domainsNamed(names: readonly string[]): Promise<readonly SnapshotHead[]>;
  /** Sorted by domain id, then record id. */
  recordsOf(
    domainIds: readonly number[],
    after: { readonly domainId: number; readonly recordId: string } | null,
    limit: number,
  ): Promise<readonly SnapshotRecord[]>;
}

export interface SnapshotHead extends ZoneHead {
  /** The sum of the hashes of its records; null: not known. */
  readonly contentHash: string | null;
  readonly accountId: string;
  /** It is not served. */
  readonly isWithheld: boolean;
}

export interface SnapshotRecord {
  readonly domainId: number;
  readonly record: Pick<DomainRecord, 'id' | 'owner' | 'type' | 'ttl' | 'rdata'>;
}

/** A page may have to wait for a cold disk, and a follower needs time for its own disk between two pages. */
const snapshotLimits: SessionLimits = { statementMs: 30_000, lockMs: 1000, idleInTransactionMs: 60_000 };

/**
 * Runs `use` inside one REPEATABLE READ transaction on a connection of its own.
 *
 * @param open holds the connection meanwhile, so that it can be interrupted
 * @throws StoreUnavailable, and what `use` throws
 */
export async function readSnapshot<T>(
  address: PostgresAddress,
  open: Set<PostgresConnection>,
  use: (snapshot: FeedSnapshot) => Promise<T>,
): Promise<T> {
  const connection = await connectToTables(address, snapshotLimits);
  open.add(connection);
  try {
    return await use(await beginSnapshot(connection));
  } finally {
    open.delete(connection);
    await connection.close();
  }
}

async function beginSnapshot(connection: PostgresConnection): Promise<FeedSnapshot> {
  const read = async <Row>(text: string, values: readonly PostgresValue[] = []): Promise<Row[]> => {
    try {
      return (await connection.query<Row>(text, values)).rows;
    } catch (error) {
      throw toStoreError(error);
    }
  };
  await read('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  await read(PAGES_IN_ORDER);
  const last = (await read<[batch: string, seq: number]>(LAST_BATCH_QUERY)).at(0);
  const position: FeedPosition | null = last === undefined ? null : { batch: last[0], seq: last[1] };
  return {
    position,
    domainsAfter: async (name, limit) => (await read<HeadRow>(HEADS_QUERY, [name, limit])).map(toHead),
    domainsNamed: async (names) => (await read<HeadRow>(NAMED_QUERY, [names])).map(toHead),
    async recordsOf(domainIds, after, limit) {
      const ids = domainIds.filter((id) => after === null || id >= after.domainId).sort((a, b) => a - b);
      const starts = ids.map((id) => (id === after?.domainId ? after.recordId : ''));
      return (await read<RecordRow>(RECORDS_QUERY, [ids, starts, limit])).map(toSnapshotRecord);
    },
  };
}

/**
 * Pages follow the index. After a large import, the statistics of the table are old for a minute, and the server would
 * otherwise read and sort all the rest of a domain for each page: 200,000 records took half a minute.
 */
const PAGES_IN_ORDER = `
  SELECT set_config(name, 'off', true) FROM unnest(ARRAY['enable_bitmapscan', 'enable_seqscan', 'enable_sort']) AS name`;

/** Prefers a batch with changes, because the others are removed when the feed is pruned. */
const LAST_BATCH_QUERY = 'SELECT id, last_seq FROM batches ORDER BY last_seq DESC, has_changes DESC LIMIT 1';

const HEAD_COLUMNS =
  'id, name, serial, soa_primary, soa_email, CASE WHEN hashed_serial = serial THEN content_hash END, account_id, withheld IS NOT NULL';
const HEADS_QUERY = `SELECT ${HEAD_COLUMNS} FROM domains WHERE name > $1 ORDER BY name LIMIT $2`;
const NAMED_QUERY = `SELECT ${HEAD_COLUMNS} FROM domains WHERE name = ANY ($1::text[])`;
type HeadRow = [
  id: number,
  name: ZoneName,
  serial: number,
  soaPrimary: string | null,
  soaEmail: string | null,
  contentHash: string | null,
  accountId: string,
  isWithheld: boolean,
];

function toHead(row: HeadRow): SnapshotHead {
  const [domainId, name, serial, soaPrimary, soaEmail, contentHash, accountId, isWithheld] = row;
  return { domainId, name, serial, soaPrimary, soaEmail, contentHash, accountId, isWithheld };
}

/**
 * Returns domain after domain in the given order. The server knows that the rows are sorted by `place`, so it only sorts
 * within a domain and stops after a full page.
 */
const RECORDS_QUERY = `
  SELECT page.* FROM unnest($1::bigint[], $2::text[]) WITH ORDINALITY AS wanted (domain_id, after_id, place)
  CROSS JOIN LATERAL (
    SELECT domain_id, id, owner, type, ttl, rdata FROM records
    WHERE records.domain_id = wanted.domain_id AND id > wanted.after_id ORDER BY id LIMIT $3) page
  ORDER BY wanted.place, page.id
  LIMIT $3`;
type RecordRow = [
  domainId: number,
  id: string,
  owner: OwnerKey,
  type: number,
  ttl: number,
  rdata: Uint8Array,
];

function toSnapshotRecord([domainId, id, owner, type, ttl, rdata]: RecordRow): SnapshotRecord {
  return { domainId, record: { id, owner, type, ttl, rdata } };
}
