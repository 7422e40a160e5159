import { expect, test } from 'vitest';
import type { ChangeJson, RecordJson } from '../../../src/contract/response-shapes.ts';
import { emptyDraft } from '../records/draft.ts';
import { canUndo, groupChanges, stageInverse } from './change-sets.ts';

function record(id: string, data: string): RecordJson {
  return { id, type: 'A', name: id, data, priority: -1, ttl: 300 };
}

function change(serial: number, members: Partial<ChangeJson>): ChangeJson {
  return {
    serial,
    date: '2026-11-20T09:03:31+00:00',
    key: 'user:anna',
    address: null,
    note: null,
    action: 'create',
    old: null,
    new: null,
    soa: null,
    ...members,
  };
}

const www = record('www', '192.0.2.1');
const moved = record('www', '192.0.2.2');
const mail = record('mail', '192.0.2.3');

test('groupChanges() makes a set of what one request has changed', () => {
  const sets = groupChanges(
    [
      change(3, { action: 'delete', old: mail, note: 'clean up' }),
      change(3, { action: 'update', old: www, new: moved, note: 'clean up' }),
      change(3, { action: 'create', new: mail, note: 'mail' }),
      change(2, { action: 'create', new: www }),
    ],
    true,
  );
  expect(sets.map(({ serial, note, changes }) => [serial, note, changes])).toEqual([
    [3, 'clean up', { created: [], updated: [{ before: www, after: moved }], deleted: [mail], unchanged: 0 }],
    [3, 'mail', { created: [mail], updated: [], deleted: [], unchanged: 0 }],
    [2, null, { created: [www], updated: [], deleted: [], unchanged: 0 }],
  ]);
});

test('groupChanges() shows the effect of several changes of one record', () => {
  const both = [
    change(2, { action: 'update', old: www, new: moved }),
    change(2, { action: 'create', new: www }),
  ];
  expect(groupChanges(both, true)[0]?.changes.created).toEqual([moved]);
  const gone = [change(2, { action: 'delete', old: www }), change(2, { action: 'create', new: www })];
  expect(groupChanges(gone, true)[0]?.changes).toEqual({
    created: [],
    updated: [],
    deleted: [],
    unchanged: 0,
  });
});

test('canUndo() refuses sets that are not complete, and changes of the domain itself', () => {
  const [set] = groupChanges([change(2, { new: www })], true);
  const [part] = groupChanges([change(2, { new: www })], false);
  const [start] = groupChanges([change(1, { new: www }), change(1, { action: 'domain_create' })], true);
  expect([set, part, start].map(canUndo)).toEqual([true, false, false]);
});

test('stageInverse() keeps what is staged already', () => {
  const [set] = groupChanges(
    [change(2, { action: 'update', old: www, new: moved }), change(2, { action: 'delete', old: mail })],
    true,
  );
  const staged = { ...emptyDraft, created: { own: { type: 'A', name: 'own', data: '192.0.2.9', ttl: 60 } } };
  const draft = stageInverse(staged, set.changes, () => 'new');
  expect(Object.keys(draft.created)).toEqual(['own', 'new']);
  expect(draft.created['new']).toEqual({ type: 'A', name: 'mail', data: '192.0.2.3', ttl: 300 });
  expect(draft.changed['www'].before).toEqual(moved);
  expect(draft.changed['www'].after.data).toBe('192.0.2.1');
});
