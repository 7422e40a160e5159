import { expect, test } from 'vitest';
import type { Domain } from '../../model/domain.ts';
import { authorOfUser } from '../../model/user.ts';
import type { HistoryEntry } from '../../writes/history-entry.ts';
import type { BoundedPage } from '../bounded-page.ts';
import { CHANGE_PAGE_ENTRIES, type ChangeFilter } from '../change-filter.ts';
import type { PageRequest } from '../page.ts';
import { importZone, rules } from './change-scene.test-support.ts';
import { newRecord, START_MS, walk, type StoreScene } from './store-scene.test-support.ts';

/** The history of a domain by author and time. */
export function historyFilterSuite(scene: () => StoreScene): void {
  shownSuite(scene);
  longSuite(scene);
}

function shownSuite(scene: () => StoreScene): void {
  test('the history is read by author and time, in pages and in both directions', async () => {
    const domain = await writeHistory(scene());
    const whole = { direction: 'after', key: null, limit: 99 } as const;
    const all = (await scene().store.listChanges(domain, whole)).rows;
    expect(all.map(({ action }) => action)).toContain('update');
    const { keyId } = all[0];
    const filters: readonly [ChangeFilter, (entry: HistoryEntry) => boolean][] = [
      [{}, () => true],
      [{ actor: keyId }, (entry) => entry.keyId === keyId],
      [{ actor: 'anna' }, (entry) => entry.keyId === authorOfUser('anna')],
      [{ actor: authorOfUser('anna') }, (entry) => entry.keyId === authorOfUser('anna')],
      [{ actor: 'ann' }, () => false],
      [{ actor: 'a\0b' }, () => false],
      [{ fromMs: START_MS + 3 }, ({ atMs }) => atMs >= START_MS + 3],
      [{ untilMs: START_MS + 3 }, ({ atMs }) => atMs < START_MS + 3],
      [{ fromMs: START_MS + 3, untilMs: START_MS + 3 }, () => false],
      [
        { actor: 'anna', fromMs: START_MS + 2, untilMs: START_MS + 5 },
        (entry) => entry.keyId !== keyId && entry.atMs >= START_MS + 2 && entry.atMs < START_MS + 5,
      ],
    ];
    for (const [filter, isShown] of filters) {
      const expected = all.filter(isShown);
      const read = (page: PageRequest) => scene().store.listChanges(domain, page, filter);
      const pages = await walk('after', 2, keyOf, read);
      expect(
        pages.flatMap(({ rows }) => rows),
        JSON.stringify(filter),
      ).toEqual(expected);
      expect(pages[0].total).toBe(expected.length);
      const back = await walk('before', 2, keyOf, read);
      expect(back.reverse().flatMap(({ rows }) => rows)).toEqual(expected);
    }
  });
}

function longSuite(scene: () => StoreScene): void {
  test('a page looks at no more than its share of a long history, and the next one goes on', async () => {
    const tenant = await scene().newAccount();
    const { name } = await tenant.createDomain();
    tenant.nowMs = START_MS + 1;
    await tenant.create(name, newRecord('rare'));
    tenant.nowMs = START_MS + 2;
    const many = Array.from({ length: CHANGE_PAGE_ENTRIES }, (_, at) => newRecord(`n${at}`));
    await importZone(tenant, { name }, many, { mode: 'merge' });
    tenant.nowMs = START_MS + 3;
    await tenant.create(name, newRecord('last'));
    const domain = await tenant.get(name);
    const list = (filter: ChangeFilter, direction: PageRequest['direction'], key: string | null) =>
      scene().store.listChanges(domain, { direction, key, limit: 2 }, filter) as Promise<
        BoundedPage<HistoryEntry>
      >;

    const rare = { fromMs: START_MS + 1, untilMs: START_MS + 2 };
    const first = await list(rare, 'after', null);
    expect(first).toMatchObject({ rows: [], hasBefore: false, hasAfter: true, total: 0 });
    const second = await list(rare, 'after', first.ends.after);
    expect(second).toMatchObject({ rows: [{ new: { name: 'rare' } }], hasBefore: true, hasAfter: false });
    const back = await list(rare, 'before', second.ends.before);
    expect(back).toMatchObject({ rows: [], hasBefore: true, hasAfter: true });
    const again = await list(rare, 'after', back.ends.after);
    expect(again.rows).toEqual(second.rows);

    const newest = await list({ fromMs: START_MS + 3 }, 'after', null);
    expect(newest).toMatchObject({ rows: [{ new: { name: 'last' } }], hasAfter: true, total: 1 });
    const beyond = await list({ fromMs: START_MS + 3 }, 'after', newest.ends.after);
    expect(beyond).toMatchObject({ rows: [], hasBefore: true, hasAfter: false });
  });
}

/** Changes of a key and of a user, a millisecond apart, among them an update and one that comes late. */
async function writeHistory(scene: StoreScene): Promise<Domain> {
  const tenant = await scene.newAccount();
  const { name } = await tenant.createDomain();
  const record = newRecord('www');
  for (const [at, hand] of ['key', 'user', 'key', 'user', 'user', 'key'].entries()) {
    // The last one was decided before the one before it.
    const atMs = START_MS + (at === 5 ? 4 : at + 1);
    const { keyId } = tenant.author;
    const author = { ...tenant.author, atMs, keyId: hand === 'key' ? keyId : authorOfUser('anna') };
    const command =
      at === 3
        ? ({
            kind: 'updateRecord',
            author,
            domain: name,
            recordId: record.id,
            patch: { ttl: 60 },
            rules,
          } as const)
        : ({
            kind: 'createRecord',
            author,
            domain: name,
            record: at === 0 ? record : newRecord(`n${at}`),
          } as const);
    await scene.must(command);
  }
  return tenant.get(name);
}

function keyOf({ seq }: HistoryEntry): string {
  return String(seq);
}
