import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startPostgresServer, type PostgresServer } from '../../harness/postgres-server.ts';

/*
 * Two servers of Debian's PostgreSQL with streaming replication on loopback, and one address for both: clients find
 * the server that accepts writes (`target_session_attrs=read-write`).
 */

const BINARIES = '/usr/lib/postgresql/15/bin';
const STREAMING_TIMEOUT_MS = 60_000;
const POLL_MS = 20;

export interface PrimaryAndStandby {
  readonly primary: PostgresServer;
  readonly standby: PostgresServer;
  /** The URL of an empty database, on both servers. */
  readonly url: string;
  /** Resolves when the standby has everything that the primary has committed. */
  caughtUp(): Promise<void>;
  remove(): Promise<void>;
}

/** @param synchronous a commit is acknowledged only when it is on the standby's disk */
export async function startPrimaryAndStandby(synchronous: boolean): Promise<PrimaryAndStandby> {
  const primary = await startPostgresServer({ binaries: BINARIES });
  const url = await primary.newDatabase();
  const standby = await startPostgresServer({ binaries: BINARIES, primary });
  const caughtUp = (): Promise<void> => untilStreaming(primary, 'replay_lsn = pg_current_wal_lsn()');
  await caughtUp();
  if (synchronous) {
    // Only now, because nothing can be committed without a standby, and the standby itself must not have this
    // setting.
    await query(primary, "ALTER SYSTEM SET synchronous_standby_names = '*'");
    await query(primary, 'SELECT pg_reload_conf()');
    await untilStreaming(primary, "sync_state = 'sync'");
  }
  return {
    primary,
    standby,
    url: url.replace('@', `@${hostOf(standby)},`),
    caughtUp,
    remove: async () => {
      await primary.remove();
      await standby.remove();
    },
  };
}

function hostOf(server: PostgresServer): string {
  return new URL(server.url()).host;
}

async function untilStreaming(primary: PostgresServer, condition: string): Promise<void> {
  const deadlineMs = Date.now() + STREAMING_TIMEOUT_MS;
  const sql = `SELECT 1 FROM pg_stat_replication WHERE state = 'streaming' AND ${condition}`;
  while ((await query(primary, sql)) === 0) {
    if (Date.now() > deadlineMs) throw new Error(`no standby with ${condition}`);
    await sleep(POLL_MS);
  }
}

/** Returns the number of rows. */
async function query(server: PostgresServer, sql: string): Promise<number> {
  const client = new pg.Client({ connectionString: server.url() });
  await client.connect();
  try {
    return (await client.query(sql)).rowCount ?? 0;
  } finally {
    await client.end();
  }
}
