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
import { mergeDraft, settleConflict } from './merge-draft.ts';
import { valueOf } from './record-value.ts';

const record: RecordJson = { id: '1', type: 'A', name: 'www', data: '192.0.2.1', priority: -1, ttl: 300 };
const newKey = (): string => 'new';

function changed(change: Partial<RecordJson>): Draft {
  return stageChanges(emptyDraft, [{ before: record, after: { ...valueOf(record), ...change } }]);
}

function merge(draft: Draft, ...now: RecordJson[]) {
  return mergeDraft(draft, new Map(now.map((row) => [row.id, row])));
}

test('changes of different members are merged', () => {
  const { draft, merged, conflicts } = merge(changed({ ttl: 60 }), { ...record, data: '192.0.2.9' });
  expect([merged, conflicts]).toEqual([1, []]);
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
    expect(countDraft(settleConflict(merged.draft, conflict, true, newKey)).all).toBe(1);
    expect(countDraft(settleConflict(merged.draft, conflict, false, newKey)).all).toBe(0);
  }
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
    newKey,
  );
  expect(batchOf(draft).changes).toEqual({
    delete: ['2'],
    update: [{ id: '1', ttl: 300 }],
    create: [{ type: 'A', name: 'www', data: '192.0.2.1', ttl: 300 }],
  });
});
