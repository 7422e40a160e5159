import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TrailAction } from '../../model/trail-entry.ts';
import type { UnnamedTrailEntry } from '../../writes/command.ts';
import { keptTrailOctets, TRAIL_OCTETS } from '../trail-columns.ts';
import { newId, START_MS } from './store-scene.test-support.ts';

/** The trail of an empty store with the upkeep of its engine. */
export interface KeptTrail {
  note(entries: readonly UnnamedTrailEntry[]): Promise<unknown>;
  /** Runs upkeep until nothing is left to do. */
  tidy(trailStartMs: number, trailOctets: number): Promise<void>;
  query(sql: string): Promise<readonly (readonly unknown[])[]>;
}

const GIB = 2 ** 30;

/** The end of entries, by their time and by the budget of their account. */
export function trailUpkeepSuite(open: () => KeptTrail): void {
  let trail: KeptTrail;
  let accountId: string;
  beforeEach(() => {
    trail = open();
    accountId = newId();
  });
  afterEach(async () => expect(await trail.query(USAGE)).toEqual(await trail.query(COUNTED)));

  timeSuite(() => [trail, accountId]);
  budgetSuite(() => [trail, accountId]);
}

type Place = () => readonly [trail: KeptTrail, accountId: string];

function timeSuite(place: Place): void {
  test('entries are removed when their time is over, and others stay', async () => {
    const [trail, accountId] = place();
    await trail.note([0, 1, 2, 3].map((at) => newEntry(accountId, 'key.create', at)));
    await trail.note([newEntry('', 'session.refuse', 1), newEntry(newId(), 'key.revoke', 0)]);
    await trail.tidy(START_MS + 2, GIB);
    expect((await trail.query('SELECT at FROM trail ORDER BY at')).flat()).toEqual([
      START_MS + 2,
      START_MS + 3,
    ]);
    await trail.tidy(0, GIB);
    expect(await trail.query('SELECT count(*) FROM trail')).toEqual([[2]]);
  });

  test('many entries end in slices', async () => {
    const [trail, accountId] = place();
    await note(trail, accountId, 'request.refuse', 2500);
    await trail.tidy(START_MS + 2000, GIB);
    expect(await objectsOf(trail, accountId, 'request.refuse')).toHaveLength(500);
  });
}

function budgetSuite(place: Place): void {
  test('a flood of refusals pushes out its own oldest entries, and nothing else', async () => {
    const [trail, accountId] = place();
    const other = newId();
    await trail.note([0, 1, 2].map((at) => newEntry(accountId, 'key.create', at)));
    await note(trail, accountId, 'request.refuse', 2500);
    await note(trail, other, 'request.refuse', 300);
    await note(trail, '', 'session.refuse', 300);
    const budget = 300_000;
    await trail.tidy(0, budget);
    expect(await objectsOf(trail, accountId, 'key.create')).toHaveLength(3);
    const left = await objectsOf(trail, accountId, 'request.refuse');
    expect(left).toEqual(Array.from({ length: left.length }, (_, at) => `object-${2500 - left.length + at}`));
    const octets = await octetsOf(trail, accountId);
    expect(octets).toBeLessThanOrEqual(keptTrailOctets(budget));
    expect(octets).toBeGreaterThan(keptTrailOctets(budget) - 1000);
    expect(await objectsOf(trail, other, 'request.refuse')).toHaveLength(300);
    expect(await objectsOf(trail, '', 'session.refuse')).toHaveLength(300);
  });

  test('what only operators see has a budget of its own, and an account may have another one', async () => {
    const [trail, accountId] = place();
    await note(trail, '', 'session.refuse', 600);
    await note(trail, accountId, 'request.refuse', 600);
    const limits = JSON.stringify({ trailOctets: 10_000_000 });
    await trail.query(`INSERT INTO account_limits (account_id, limits) VALUES ('${accountId}', '${limits}')`);
    await trail.tidy(0, 50_000);
    expect(await octetsOf(trail, '')).toBeLessThanOrEqual(keptTrailOctets(50_000));
    expect(await objectsOf(trail, accountId, 'request.refuse')).toHaveLength(600);
  });

  test('octets that are counted without entries are forgotten', async () => {
    const [trail, accountId] = place();
    await trail.query(`INSERT INTO trail_usage VALUES ('${accountId}', 'key.create', 100000)`);
    await trail.tidy(0, 50_000);
    expect(await trail.query(USAGE)).toEqual([]);
  });
}

async function objectsOf(
  trail: KeptTrail,
  account: string,
  action: TrailAction,
): Promise<readonly unknown[]> {
  const where = `account_id = '${account}' AND action = '${action}'`;
  return (await trail.query(`SELECT object FROM trail WHERE ${where} ORDER BY at, id`)).flat();
}

async function octetsOf(trail: KeptTrail, account: string): Promise<number> {
  const [[octets]] = await trail.query(`SELECT sum(octets) FROM trail_usage WHERE account_id = '${account}'`);
  return Number(octets);
}

/** The counted octets, which are those of the entries after each test. */
const USAGE = 'SELECT account_id, action, octets FROM trail_usage ORDER BY account_id, action';
const COUNTED = `
  SELECT account_id, action, CAST(sum(${TRAIL_OCTETS}) AS BIGINT) FROM trail GROUP BY account_id, action
  ORDER BY account_id, action`;

function newEntry(accountId: string, action: TrailAction, at: number): UnnamedTrailEntry {
  const [atMs, object] = [START_MS + at, `object-${at}`];
  const who = { actor: '', address: '192.0.2.1', detail: null };
  return { accountId, action, atMs, sinceMs: atMs, object, ...who, count: 1 };
}

async function note(trail: KeptTrail, accountId: string, action: TrailAction, count: number): Promise<void> {
  for (let first = 0; first < count; first += 500) {
    const length = Math.min(500, count - first);
    await trail.note(Array.from({ length }, (_, at) => newEntry(accountId, action, first + at)));
  }
}
