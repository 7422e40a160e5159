// Questions about the database itself, for `/readyz` and the metrics.
import { monotonicClock, type Clock } from '../../base/clock.ts';
import type { ReadConnections } from './read-connections.ts';

/** `now()` would be the time at which the transaction began. */
export const DATABASE_CLOCK = '(extract(epoch FROM clock_timestamp()) * 1000)::float8';

/** Returns how far the clock of this process is ahead, exact to half a round trip. */
export async function readClockOffset(connections: ReadConnections, clock: Clock): Promise<number> {
  const startMs = monotonicClock.elapsedMs();
  const [[databaseMs]] = await connections.query<[number]>(CLOCK_QUERY);
  const roundTripMs = monotonicClock.elapsedMs() - startMs;
  return clock.nowMs() - roundTripMs / 2 - databaseMs;
}

/** Also reads a row, as every request does. */
const CLOCK_QUERY = `SELECT ${DATABASE_CLOCK} FROM counters`;

export async function readStandbyWait(connections: ReadConnections): Promise<boolean> {
  const [[isWaiting]] = await connections.query<[boolean]>(STANDBY_QUERY);
  return isWaiting;
}

/** A user may see the waits of its own sessions. One that lost its client waits on. */
const STANDBY_QUERY = `
  SELECT EXISTS (SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND usename = current_user AND wait_event = 'SyncRep')`;
