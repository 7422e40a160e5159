import { expect, test } from 'vitest';
import type { RecordJson } from '../../../src/contract/response-shapes.ts';
import {
  batchOf,
  countDraft,
  emptyDraft,
  invertChanges,
  stageChanges,
  stageDeletions,
  type Draft,
} from './draft.ts';
import { editOnTop, mergeDraft, settleConflict } from './merge-draft.ts';
import { valueOf } from './record-value.ts';

const record: RecordJson = { id: '1', type: 'A', name: 'www', data: '192.0.2.1', priority: -1, ttl: 300 };

function changed(change: Partial<RecordJson>): Draft {
  return stageChanges(emptyDraft, [{ before: record, after: { ...valueOf(record), ...change } }]);
}

function merge(draft: Draft, ...now: RecordJson[]) {
  return mergeDraft(draft, new Map(now.map((row) => [row.id, row])));
}

test('changes of different members are merged', () => {
  const { draft, merged, conflicts } = merge(changed({ ttl: 60 }), { ...record, data: '192.0.2.9' });
  expect([merged, conflicts]).toEqual([['1'], []]);
  expect(draft.changed['1'].after).toEqual({ type: 'A', name: 'www', data: '192.0.2.9', ttl: 60 });
  expect(batchOf(draft).changes.update).toEqual([{ id: '1', ttl: 60 }]);
});

test('what others have changed in the same way needs no change any more', () => {
  const { draft, conflicts } = merge(changed({ ttl: 60 }), { ...record, ttl: 60 });
  expect([countDraft(draft).all, conflicts]).toEqual([0, []]);
});

test.each([
  ['the same member', changed({ ttl: 60 }), [{ ...record, ttl: 90 }]],
  ['a record that is gone', changed({ ttl: 60 }), []],
  ['a deletion of what has changed', stageDeletions(emptyDraft, [record]), [{ ...record, ttl: 90 }]],
])('%s is asked about, and nothing is lost whatever is chosen', (_, draft, now) => {
  const merged = merge(draft, ...now);
  expect(merged.conflicts).toHaveLength(1);
  for (const conflict of merged.conflicts) {
    expect(countDraft(settleConflict(merged.all, conflict, true, 'new')).all).toBe(1);
    expect(countDraft(settleConflict(merged.all, conflict, false, 'new')).all).toBe(0);
  }
});

test('a conflict stays open, whatever else is staged, until somebody chooses', () => {
  const mine = { ...valueOf(record), ttl: 60 };
  const theirs = { ...record, ttl: 90 };
  const { all } = merge(stageChanges(emptyDraft, [{ before: record, after: mine }]), theirs);
  const again = stageChanges(all, [{ before: theirs, after: { ...mine, ttl: 61 } }]);
  expect(merge(again, theirs).conflicts).toEqual([{ id: '1', mine: { ...mine, ttl: 61 }, theirs }]);
});

test('where nobody else has changed anything, what is staged stays as it is', () => {
  const draft = stageDeletions(changed({ ttl: 60 }), [{ ...record, id: '2' }]);
  const merged = merge(draft, record, { ...record, id: '2' });
  expect(merged).toEqual({ draft, all: draft, merged: [], conflicts: [] });
});

test('a window with older records takes nothing for settled that a later comparison has kept', () => {
  const edit = (draft: Draft): Draft => draft;
  const later = { ...record, ttl: 60 };
  const back = stageChanges(emptyDraft, [{ before: later, after: valueOf(record) }]);
  const kept = stageDeletions(back, [{ ...record, id: '2' }]);
  const stamped = editOnTop(
    kept,
    new Map([
      ['1', later],
      ['2', { ...record, id: '2' }],
    ]),
    8,
    edit,
  );
  expect(stamped).toEqual({ ...kept, serial: 8 });
  const older = new Map([['1', record]]);
  expect(editOnTop(stamped, older, 7, edit)).toEqual(stamped);
  expect(countDraft(editOnTop(stamped, older, 9, edit)).all).toBe(0);
});

test('the inverse of applied changes takes each of them back', () => {
  const after = { ...record, ttl: 60 };
  const draft = invertChanges(
    {
      created: [{ ...record, id: '2' }],
      updated: [{ before: record, after }],
      deleted: [{ ...record, id: '3' }],
      unchanged: 0,
    },
    () => 'new',
  );
  expect(batchOf(draft).changes).toEqual({
    delete: ['2'],
    update: [{ id: '1', ttl: 300 }],
    create: [{ type: 'A', name: 'www', data: '192.0.2.1', ttl: 300 }],
  });
});
