import { LIVE_SECONDS } from '../store.ts';
import type { PostgresConnection } from './postgres-connection.ts';

/** One run of a nameserver process: from a start of the process to its end. */
export interface NameserverRun {
  /** A UUID that identifies the data folder. */
  readonly id: string;
  readonly name: string;
  /** Tells the runs of one data folder apart. */
  readonly startedAtMs: number;
}

/** A nameserver process serves everything up to `seq`. */
export interface PositionReport extends NameserverRun {
  readonly seq: number;
  readonly atMs: number;
  /** The digest of all its zones at `seq`; null: not known. */
  readonly digest: string | null;
  /** Which domains it may not serve as they are at `seq`. */
  readonly doubt: 'none' | 'some' | 'all';
  /** Their ids, for `some`. */
  readonly doubtedIds: readonly number[];
}

/**
 * Says that a run begins, of which it is not known yet what it serves. From then on, reports of earlier runs are rejected.
 * Waits for the local disk: if PostgreSQL lost it in a crash, the last report of the run before would count again.
 */
export async function announceRun(connection: PostgresConnection, run: NameserverRun): Promise<void> {
  const { id, name, startedAtMs } = run;
  await connection.pipeline([
    { text: 'BEGIN' },
    // Without the synchronous standby, only a failover within seconds could lose it.
    { text: 'SET LOCAL synchronous_commit = local' },
    { text: RUN_UPSERT, values: [id, name, startedAtMs] },
    { text: 'COMMIT' },
  ]);
}

/** Returns false if the report was rejected because the id belongs to another run, which is live. */
export async function putReport(connection: PostgresConnection, report: PositionReport): Promise<boolean> {
  const { id, name, startedAtMs, seq, atMs, digest, doubt, doubtedIds } = report;
  const served = [seq, digest, doubt, doubtedIds];
  const [, , { rowCount }] = await connection.pipeline([
    { text: 'BEGIN' },
    // A lost report does no harm, so it does not wait for the disk, which writers need.
    { text: 'SET LOCAL synchronous_commit = off' },
    { text: POSITION_UPSERT, values: [id, name, startedAtMs, LIVE_SECONDS, ...served] },
    { text: REPORT_INSERT, values: [id, seq, atMs, startedAtMs] },
    { text: 'COMMIT' },
  ]);
  return rowCount > 0;
}

const RUN_UPSERT = `
  INSERT INTO nameservers (id, name, started_at, seen_at, seq, doubt) VALUES ($1, $2, $3, now(), 0, 'all')
  ON CONFLICT (id) DO UPDATE SET name = excluded.name, started_at = excluded.started_at, seen_at = excluded.seen_at,
    seq = 0, digest = NULL, doubt = 'all', doubted = NULL`;

const POSITION_UPSERT = `
  INSERT INTO nameservers (id, name, started_at, seen_at, seq, digest, doubt, doubted)
  VALUES ($1, $2, $3, now(), $5, $6, $7, $8::bigint[])
  ON CONFLICT (id) DO UPDATE SET name = excluded.name, started_at = excluded.started_at, seen_at = excluded.seen_at,
    seq = excluded.seq, digest = excluded.digest, doubt = excluded.doubt, doubted = excluded.doubted
  WHERE nameservers.started_at = excluded.started_at
    OR nameservers.seen_at <= now() - make_interval(secs => $4)`;

const REPORT_INSERT = `
  INSERT INTO nameserver_reports (nameserver_id, seq, at)
  SELECT id, $2, $3 FROM nameservers WHERE id = $1 AND started_at = $4 ON CONFLICT DO NOTHING`;
