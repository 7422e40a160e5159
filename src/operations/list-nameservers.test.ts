import { expect, test } from 'vitest';
import type { NameserverReport } from '../store/store.ts';
import { listNameservers } from './list-nameservers.ts';

const clock = { nowMs: () => 1_000_000 };

async function list(reports: readonly NameserverReport[], nameserverSet?: number) {
  const store = { lastSeq: () => Promise.resolve(10), nameserverReports: () => Promise.resolve(reports) };
  const settings = { nameservers: ['ns1.example', 'ns2.example', 'ns3.example'], nameserverSet };
  const listed = await listNameservers({ store, settings, clock });
  return listed.ok ? listed.value : undefined;
}

test('listNameservers() counts what each process does not serve yet, and says which ones are silent', async () => {
  const found = await list([
    { id: 'a', name: 'ns1', seq: 10, ageMs: 0 },
    { id: 'b', name: 'ns2', seq: 7, ageMs: 10_000 },
    // It has reported since the end of the feed was read.
    { id: 'c', name: 'ns3', seq: 12, ageMs: 10_001 },
  ]);
  expect(found?.processes).toEqual([
    { id: 'a', name: 'ns1', seenAtMs: 1_000_000, isLive: true, behind: 0 },
    { id: 'b', name: 'ns2', seenAtMs: 990_000, isLive: true, behind: 3 },
    { id: 'c', name: 'ns3', seenAtMs: 989_999, isLive: false, behind: 0 },
  ]);
});

test.each([
  [undefined, null],
  [3, null],
  [2, 2],
])('listNameservers() says how many names an account has if the setting is %s', async (setting, expected) => {
  expect((await list([], setting))?.perAccount).toBe(expected);
});
