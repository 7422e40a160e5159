import { expect, test } from 'vitest';
import type { Domain, ZoneName } from '../model/domain.ts';
import type { ZoneView } from '../store/zone-view.ts';
import {
  MAX_OPEN_VIEWS,
  MAX_OPEN_VIEWS_PER_ACCOUNT,
  STALLED_ONLY_VIEW_MS,
  STALLED_VIEW_MS,
  ZoneViews,
} from './zone-views.ts';

const name = 'example.com' as ZoneName;
const domain = { name } as Domain;

/** Counts the open views. */
class Views {
  open = 0;
  most = 0;

  openZoneView(): Promise<ZoneView | undefined> {
    this.most = Math.max(this.most, ++this.open);
    return Promise.resolve({
      domain,
      slices: async function* () {
        for (;;) yield await Promise.resolve([]);
      },
      changesLater: () => Promise.resolve(undefined),
      close: () => {
        this.open--;
        return Promise.resolve();
      },
    } as unknown as ZoneView);
  }
}

test('only a few views are open at the same time, some requests wait, and further ones are refused', async () => {
  const store = new Views();
  const views = new ZoneViews(store);
  const asked = Array.from({ length: 200 }, (_, at) => views.open(`account ${at % 4}`, name));
  const results = asked.map(async (opening) => {
    const result = await opening;
    if (result.ok) await result.value.close();
    return result.ok ? 'read' : result.refusal.code;
  });
  const ended = await Promise.all(results);
  expect(ended.filter((code) => code === 'read')).toHaveLength(MAX_OPEN_VIEWS + 64);
  expect(ended.filter((code) => code === 'busy')).toHaveLength(200 - MAX_OPEN_VIEWS - 64);
  expect([store.most, store.open]).toEqual([MAX_OPEN_VIEWS, 0]);
  expect((await views.open('account', name)).ok).toBe(true);
});

test('one account gets at most half of the permits', async () => {
  const views = new ZoneViews(new Views());
  const own = Array.from({ length: MAX_OPEN_VIEWS }, () => views.open('account', name));
  expect((await views.open('other', name)).ok).toBe(true);
  const opened = await Promise.all(own.slice(0, MAX_OPEN_VIEWS_PER_ACCOUNT));
  expect(await Promise.race([...own.slice(MAX_OPEN_VIEWS_PER_ACCOUNT), Promise.resolve('waiting')])).toBe(
    'waiting',
  );
  for (const view of opened) if (view.ok) await view.value.close();
  expect((await Promise.all(own)).every(({ ok }) => ok)).toBe(true);
});

test('unknown domains and errors of the store release their permit', async () => {
  const views = new ZoneViews({ openZoneView: () => Promise.resolve(undefined) });
  const failing = new ZoneViews({ openZoneView: () => Promise.reject(new Error('away')) });
  for (let i = 0; i < 100; i++) {
    expect(await views.open('account', name)).toMatchObject({ refusal: { code: 'unknown_domain' } });
    await expect(failing.open('account', name)).rejects.toThrow('away');
  }
});

/** Two accounts hold all views, and read one slice of each. */
async function holdAll(views: ZoneViews) {
  const accounts = Array.from({ length: MAX_OPEN_VIEWS }, (_, at) => `slow ${at % 2}`);
  const opened = await Promise.all(accounts.map((account) => views.open(account, name)));
  const slices = opened.map((result) => {
    if (!result.ok) throw new Error(result.refusal.message);
    return result.value.slices();
  });
  for (const each of slices) await each.next();
  return slices;
}

test('views whose readers do not read give way to another account', async () => {
  let elapsedMs = 0;
  const store = new Views();
  const views = new ZoneViews(store, { elapsedMs: () => elapsedMs });
  const slices = await holdAll(views);
  elapsedMs = STALLED_VIEW_MS;
  // All but one make progress.
  for (const each of slices.slice(1)) await each.next();
  const other = await views.open('other', name);
  expect(other.ok).toBe(true);
  expect(store.open).toBe(MAX_OPEN_VIEWS);
});

test('views that are read are not closed for others', async () => {
  let elapsedMs = 0;
  const store = new Views();
  const views = new ZoneViews(store, { elapsedMs: () => elapsedMs });
  await holdAll(views);
  elapsedMs = STALLED_VIEW_MS - 1;
  const gone = new AbortController();
  const other = views.open('other', name, () => gone.signal);
  await new Promise(setImmediate);
  gone.abort();
  expect(await other).toMatchObject({ refusal: { code: 'busy' } });
  expect(store.open).toBe(MAX_OPEN_VIEWS);
});

test('the only view of an account may pause longer', async () => {
  let elapsedMs = 0;
  const store = new Views();
  const views = new ZoneViews(store, { elapsedMs: () => elapsedMs });
  for (let at = 0; at < MAX_OPEN_VIEWS; at++) await views.open(`account ${at}`, name);
  elapsedMs = STALLED_ONLY_VIEW_MS - 1;
  const other = views.open('other', name);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(store.open).toBe(MAX_OPEN_VIEWS);
  elapsedMs = STALLED_ONLY_VIEW_MS;
  expect((await other).ok).toBe(true);
});

test('at most two slices are read at the same time, one of an account, and a reader that stops holds none up', async () => {
  const reading: string[] = [];
  let most = 0;
  const openZoneView = (accountId: string): Promise<ZoneView> =>
    Promise.resolve({
      domain,
      slices: async function* () {
        for (let slice = 0; slice < 5; slice++) {
          expect(reading).not.toContain(accountId);
          most = Math.max(most, reading.push(accountId));
          await new Promise(setImmediate);
          reading.splice(reading.indexOf(accountId), 1);
          yield [];
        }
      },
      close: () => Promise.resolve(),
    } as unknown as ZoneView);
  const views = new ZoneViews({ openZoneView });
  const accounts = ['a', 'a', 'b', 'b', 'c', 'c'];
  const opened = await Promise.all(accounts.map((account) => views.openBriefly(account, name)));
  const slices = opened.map((view) => (view.ok ? view.value.slices() : undefined));
  // One of each account reads a slice and no more.
  await Promise.all(slices.filter((_, index) => index % 2 === 0).map(async (own) => await own?.next()));
  const others = slices.filter((_, index) => index % 2 === 1);
  const counts = others.map(async (own) => {
    let count = 0;
    while ((await own?.next())?.done === false) count++;
    return count;
  });
  expect(await Promise.all(counts)).toEqual([5, 5, 5]);
  expect(most).toBe(2);
});
