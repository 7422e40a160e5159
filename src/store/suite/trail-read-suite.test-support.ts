import { expect, test } from 'vitest';
import type { NumberedTrailEntry, TrailAction } from '../../model/trail-entry.ts';
import { authorOfUser } from '../../model/user.ts';
import type { UnnamedTrailEntry } from '../../writes/command.ts';
import { TRAIL_PAGE_ENTRIES } from '../trail-page.ts';
import { TRAIL_SLICE_ROWS, type TrailFilter, type TrailPlace } from '../trail-reads.ts';
import { newId, START_MS, walk, type StoreScene } from './store-scene.test-support.ts';

/** Pages, filters and slices of the trail. */
export function trailReadSuite(scene: () => StoreScene): void {
  test('the trail is read in pages, latest first, in both directions', async () => {
    const accountId = await fill(scene(), 23);
    for (const limit of [1, 7, 100]) {
      const pages = await walk('after', limit, keyOf, (page) => list(scene(), { accountId }, page));
      const times = pages.flatMap(({ rows }) => rows.map(({ atMs }) => atMs));
      expect(times).toEqual(Array.from({ length: 23 }, (_, at) => START_MS + 22 - at));
      const back = await walk('before', limit, keyOf, (page) => list(scene(), { accountId }, page));
      expect(back.reverse().flatMap(({ rows }) => rows)).toEqual(pages.flatMap(({ rows }) => rows));
      expect(pages.map(({ total }) => total)).toEqual(pages.map(() => 23));
    }
  });

  test('entries of one time are in the order of writing', async () => {
    const accountId = newId();
    const entries = ['a', 'b', 'c'].map((object) => ({ ...newEntry(accountId, 0), object }));
    await scene().must({ kind: 'noteTrail', entries });
    const page = { direction: 'after', key: null, limit: 2 } as const;
    const { rows } = await list(scene(), { accountId }, page);
    expect(rows.map(({ object }) => object)).toEqual(['c', 'b']);
    const next = await list(scene(), { accountId }, { ...page, key: keyOf(rows[1]) });
    expect(next).toMatchObject({ rows: [{ object: 'a' }], hasBefore: true, hasAfter: false, total: 3 });
  });

  filterSuite(scene);
  sliceSuite(scene);
  longSuite(scene);
}

function filterSuite(scene: () => StoreScene): void {
  const isOfKeys = ({ action }: NumberedTrailEntry): boolean => action.startsWith('key.');
  const filters: readonly [TrailFilter, (entry: NumberedTrailEntry) => boolean][] = [
    [{ action: 'key.create' }, ({ action }) => action === 'key.create'],
    [{ action: 'key.' }, isOfKeys],
    [{ action: 'key' }, () => false],
    [{ actor: 'key-1' }, ({ actor }) => actor === 'key-1'],
    [{ actor: 'user-1' }, ({ actor }) => actor === authorOfUser('user-1')],
    [{ actor: authorOfUser('user-1') }, ({ actor }) => actor === authorOfUser('user-1')],
    [{ object: 'object-2' }, ({ object }) => object === 'object-2'],
    [{ address: '192.0.2.1' }, ({ address }) => address === '192.0.2.1'],
    [{ fromMs: START_MS + 5 }, ({ atMs }) => atMs >= START_MS + 5],
    [{ untilMs: START_MS + 5 }, ({ atMs }) => atMs < START_MS + 5],
    [{ fromMs: START_MS + 5, untilMs: START_MS + 5 }, () => false],
    [{ fromMs: START_MS + 9, untilMs: START_MS + 3 }, () => false],
    [
      { action: 'key.', fromMs: START_MS + 3, untilMs: START_MS + 15, actor: 'key-1' },
      (entry) =>
        isOfKeys(entry) &&
        entry.actor === 'key-1' &&
        entry.atMs >= START_MS + 3 &&
        entry.atMs < START_MS + 15,
    ],
    [{ actor: 'a\0b', object: '\0', address: '\0', action: '\0.' }, () => false],
  ];

  test('the trail is read by action, actor, object, address and time', async () => {
    const accountId = await fill(scene(), 23);
    const whole = { direction: 'after', key: null, limit: 100 } as const;
    const all = (await list(scene(), { accountId }, whole)).rows;
    for (const [filter, isShown] of filters) {
      const expected = all.filter(isShown);
      const pages = await walk('after', 2, keyOf, (page) => list(scene(), { accountId, ...filter }, page));
      expect(
        pages.flatMap(({ rows }) => rows),
        JSON.stringify(filter),
      ).toEqual(expected);
      expect(pages[0].total).toBe(expected.length);
      const back = await walk('before', 2, keyOf, (page) => list(scene(), { accountId, ...filter }, page));
      expect(back.reverse().flatMap(({ rows }) => rows)).toEqual(expected);
      expect(await sliced(scene(), { accountId, ...filter })).toEqual(expected.toReversed());
    }
  });

  test('operators read the trail of all accounts, and what no account sees', async () => {
    const object = newId();
    const accounts = [newId(), '', newId()];
    const entries = accounts.map((accountId, at) => ({ ...newEntry(accountId, at), object }));
    await scene().must({ kind: 'noteTrail', entries });
    const whole = { direction: 'after', key: null, limit: 100 } as const;
    const found = await list(scene(), { object }, whole);
    expect(found.rows.map(({ accountId }) => accountId)).toEqual(accounts.toReversed());
    expect(await sliced(scene(), { object })).toEqual(found.rows.toReversed());
    const ofService = await list(scene(), { accountId: '', object }, whole);
    expect(ofService.rows.map(({ accountId }) => accountId)).toEqual(['']);
  });
}

function sliceSuite(scene: () => StoreScene): void {
  test('slices reach all entries, also those of a filter that shows few', async () => {
    const accountId = newId();
    const count = 2 * TRAIL_SLICE_ROWS + 3;
    await note(scene(), accountId, count);
    const all = await sliced(scene(), { accountId });
    expect(all).toHaveLength(count);
    expect(new Set(all.map(({ id }) => id)).size).toBe(count);
    const object = all[count - 2].object;
    const few = await sliced(scene(), { accountId, object, fromMs: START_MS + 1 });
    expect(few).toEqual(all.filter((entry) => entry.object === object && entry.atMs > START_MS));
    const page = { direction: 'after', key: null, limit: 3 } as const;
    expect(await list(scene(), { accountId }, page)).toMatchObject({
      total: count,
      rows: all.slice(-3).reverse(),
    });
  });

  test('an account without a trail has no entries and no octets', async () => {
    const accountId = newId();
    expect(await sliced(scene(), { accountId })).toEqual([]);
    expect(await scene().store.trail.octets(accountId)).toBe(0);
    await scene().must({ kind: 'noteTrail', entries: [newEntry(accountId, 0)] });
    expect(await scene().store.trail.octets(accountId)).toBeGreaterThan(100);
  });
}

function longSuite(scene: () => StoreScene): void {
  test('a page looks at no more than its share of a long trail, and the next one goes on', async () => {
    const accountId = newId();
    await scene().must({
      kind: 'noteTrail',
      entries: [{ ...newEntry(accountId, 0), object: 'rare', atMs: START_MS - 1 }],
    });
    await note(scene(), accountId, TRAIL_PAGE_ENTRIES + 3);
    await scene().must({ kind: 'noteTrail', entries: [{ ...newEntry(accountId, 1e6), object: 'last' }] });
    const filter = { accountId, object: 'rare' };
    const first = await list(scene(), filter, { direction: 'after', key: null, limit: 2 });
    expect(first).toMatchObject({ rows: [], hasBefore: false, hasAfter: true, total: 0 });
    const second = await list(scene(), filter, { direction: 'after', key: first.ends.after, limit: 2 });
    expect(second).toMatchObject({ rows: [{ object: 'rare' }], hasBefore: true, hasAfter: false, total: 0 });
    const back = await list(scene(), filter, { direction: 'before', key: second.ends.before, limit: 2 });
    expect(back).toMatchObject({ rows: [], hasBefore: true, hasAfter: true });
    const start = await list(scene(), filter, { direction: 'before', key: back.ends.before, limit: 2 });
    expect(start).toMatchObject({ rows: [], hasBefore: false, hasAfter: true });
    const again = await list(scene(), filter, { direction: 'after', key: start.ends.after, limit: 2 });
    expect(again).toMatchObject({ rows: [], hasAfter: true });
    const found = await list(scene(), filter, { direction: 'after', key: again.ends.after, limit: 2 });
    expect(found.rows).toEqual(second.rows);

    const last = { accountId, object: 'last' };
    const newest = await list(scene(), last, { direction: 'after', key: null, limit: 2 });
    expect(newest).toMatchObject({ rows: [{ object: 'last' }], hasAfter: true, total: 1 });
    const beyond = await list(scene(), last, { direction: 'after', key: newest.ends.after, limit: 2 });
    expect(beyond).toMatchObject({ rows: [], hasAfter: false, hasBefore: true });
  });

  test('the way back from a page without entries reaches the entry that it began behind', async () => {
    const accountId = await fill(scene(), 5);
    const all = await list(scene(), { accountId }, { direction: 'after', key: null, limit: 100 });
    const end = keyOf(all.rows[4]);
    const empty = await list(scene(), { accountId }, { direction: 'after', key: end, limit: 2 });
    expect(empty).toMatchObject({ rows: [], hasAfter: false, hasBefore: true });
    const key = empty.ends.before;
    const back = await list(scene(), { accountId }, { direction: 'before', key, limit: 2 });
    expect(back.rows).toEqual(all.rows.slice(3));
  });
}

async function note(scene: StoreScene, accountId: string, count: number): Promise<void> {
  for (let first = 0; first < count; first += 500) {
    const length = Math.min(500, count - first);
    const entries = Array.from({ length }, (_, at) => newEntry(accountId, Math.floor((first + at) / 4)));
    await scene.must({ kind: 'noteTrail', entries });
  }
}

const actions: readonly TrailAction[] = ['key.create', 'key.revoke', 'domain.export', 'request.refuse'];

function newEntry(accountId: string, at: number): UnnamedTrailEntry {
  return {
    accountId,
    atMs: START_MS + at,
    sinceMs: START_MS,
    action: actions[at % actions.length],
    actor: ['key-1', 'key-2', authorOfUser('user-1')][at % 3],
    address: [null, '192.0.2.1', '192.0.2.2'][at % 3],
    object: `object-${at % 5}`,
    detail: null,
    count: 1,
  };
}

/** Returns the id of a new account with entries of as many milliseconds. */
async function fill(scene: StoreScene, count: number): Promise<string> {
  const accountId = newId();
  const entries = Array.from({ length: count }, (_, at) => newEntry(accountId, at));
  // The order of writing is not that of the times.
  await scene.must({ kind: 'noteTrail', entries: entries.filter((_, at) => at % 2 === 1) });
  await scene.must({ kind: 'noteTrail', entries: entries.filter((_, at) => at % 2 === 0) });
  return accountId;
}

function keyOf({ atMs, id }: NumberedTrailEntry): string {
  return `${atMs}.${id}`;
}

function list({ store }: StoreScene, filter: TrailFilter, page: Parameters<typeof store.trail.list>[2]) {
  return store.trail.list('reader', filter, page);
}

async function sliced({ store }: StoreScene, filter: TrailFilter): Promise<NumberedTrailEntry[]> {
  const entries: NumberedTrailEntry[] = [];
  for (let from: TrailPlace | null = { atMs: 0, id: 0 }; from !== null;) {
    const slice = await store.trail.slice('reader', filter, from);
    expect(slice.entries.length).toBeLessThanOrEqual(TRAIL_SLICE_ROWS);
    entries.push(...slice.entries);
    from = slice.next;
  }
  return entries;
}
