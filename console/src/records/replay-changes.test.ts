import { expect, test } from 'vitest';
import type { ChangeJson, RecordJson } from '../../../src/contract/response-shapes.ts';
import { collectChanges, replayChanges } from './replay-changes.ts';

const www: RecordJson = { id: '1', type: 'A', name: 'www', data: '192.0.2.1', priority: -1, ttl: 300 };
const old: RecordJson = { ...www, id: '2', name: 'old' };

function change(
  serial: number,
  action: ChangeJson['action'],
  before: RecordJson | null = null,
  after: RecordJson | null = null,
): ChangeJson {
  const date = '2026-11-20T09:03:31+00:00';
  return { serial, date, key: '', address: null, note: null, action, old: before, new: after, soa: null };
}

// eslint-disable-next-line @typescript-eslint/require-await -- a list that is there already
async function* history(...changes: ChangeJson[]): AsyncGenerator<ChangeJson> {
  yield* changes;
}

const update = change(7, 'update', www, { ...www, ttl: 60 });

test('changes are collected back to the serial, which other writes may share', async () => {
  const same = change(5, 'create', null, www);
  const found = await collectChanges(history(update, same, change(4, 'create', null, old)), 5, 10);
  expect(found).toEqual([update, same]);
});

test('changes of the domain itself do not matter, and its creation is the end', async () => {
  const found = await collectChanges(
    history(change(8, 'domain_update'), update, change(5, 'domain_create')),
    5,
    10,
  );
  expect(found).toEqual([update]);
});

test.each([
  ['does not reach back', [update], 10],
  ['is longer than the records', [update, update, change(4, 'update')], 1],
  ['has a restoration', [change(8, 'domain_restore'), change(4, 'update')], 10],
  ['begins with another domain of the name', [update, change(6, 'domain_create')], 10],
])('a history that %s is no use', async (_, changes, most) => {
  expect(await collectChanges(history(...changes), 5, most)).toBeUndefined();
});

test('the latest version of each record counts, also if a change is there already', () => {
  const made = { ...www, id: '3' };
  const changes = [
    change(9, 'update', made, { ...made, ttl: 1 }),
    change(8, 'create', null, made),
    change(7, 'delete', old),
    change(6, 'update', www, { ...www, ttl: 60 }),
  ];
  const once = replayChanges([www, old], changes);
  expect(once).toEqual([
    { ...www, ttl: 60 },
    { ...made, ttl: 1 },
  ]);
  expect(replayChanges(once, changes)).toEqual(once);
});
