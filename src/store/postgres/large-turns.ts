// The turns of large writes: one transaction at a time, over all processes, and a rest in between while others write. The
// database keeps the end of the rest, by its own clock.
import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_REST_MS, REST_FACTOR } from '../writer-rest.ts';
import type { PostgresConnection, Statement } from './postgres-connection.ts';

/** "ZNWL": the advisory lock of the transaction whose turn it is. */
export const LARGE_LOCK = 0x5a4e574c;

/** As long as a large write waits to be prepared. */
export const MAX_TURN_WAIT_MS = 10_000;

/** How often a transaction that waits looks again; also its sign of life, so that the server does not end its session. */
const LOOK_MS = 100;

/** Begins the turn of the open transaction, which lasts until its end. Returns false if it has waited too long. */
export async function takeLargeTurn(
  connection: PostgresConnection,
  maxMs = MAX_TURN_WAIT_MS,
): Promise<boolean> {
  const limitMs = performance.now() + maxMs;
  for (;;) {
    const { rows } = await connection.query<[boolean]>(TRY_LOCK, [LARGE_LOCK]);
    if (rows[0][0]) return true;
    if (performance.now() >= limitMs) return false;
    await sleep(LOOK_MS);
  }
}

/** Waits inside the open transaction, whose turn it is, for the end of the rest. */
export async function restBeforeLock(connection: PostgresConnection): Promise<void> {
  for (;;) {
    const { rows } = await connection.query<[number]>(READ_REST);
    const [restMs] = rows[0];
    if (restMs <= 0) return;
    await sleep(Math.min(restMs, LOOK_MS));
  }
}

const TRY_LOCK = 'SELECT pg_try_advisory_xact_lock($1)';

const NOW_MS = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** No rest if nobody has written since. One that is too long is of a clock that was set back. */
const READ_REST = `
  SELECT CASE WHEN last_seq = rest_seq OR rest_until - ${NOW_MS} > ${MAX_REST_MS} THEN 0
    ELSE rest_until - ${NOW_MS} END FROM counters`;

/** To be run as soon as the feed is locked. */
export const readClock: Statement = { text: `SELECT ${NOW_MS}` };

/**
 * The last statement of a large write, whose end of the feed is in `counters` already.
 *
 * @param lockedAtMs from `readClock`
 */
export function noteRest(lockedAtMs: number): Statement {
  return { text: NOTE_REST, values: [lockedAtMs] };
}

const NOTE_REST = `
  UPDATE counters SET rest_seq = last_seq,
    rest_until = ${NOW_MS} + least(greatest(${NOW_MS} - $1, 0) * ${REST_FACTOR}, ${MAX_REST_MS})`;
