import { expect, test } from 'vitest';
import { ApiError, UnreachableError } from '../../../src/client/zonewright-client.ts';
import type { RecordJson } from '../../../src/contract/response-shapes.ts';
import { WaitCancelled } from '../service/waits.ts';
import { countDraft, emptyDraft, stageChanges, stageCreation, stageDeletions, type Draft } from './draft.ts';
import { valueOf } from './record-value.ts';
import { hasChangedNothing, newSentChanges, settleSent } from './sent-changes.ts';

const www: RecordJson = { id: '1', type: 'A', name: 'www', data: '192.0.2.1', priority: -1, ttl: 300 };
const old: RecordJson = { ...www, id: '2', name: 'old' };
const blog = { ...valueOf(www), name: 'blog' };

function staged(): Draft {
  const changed = stageChanges(emptyDraft, [{ before: www, after: { ...valueOf(www), ttl: 60 } }]);
  return stageDeletions(stageCreation(changed, 'new-1', blog), [old]);
}

const sent = newSentChanges(staged(), { idempotencyKey: 'k', revision: '"1"', note: '' });
const applied = {
  created: [{ ...www, id: '3', name: 'blog' }],
  updated: [{ before: www, after: { ...www, ttl: 60 } }],
  deleted: [old],
  unchanged: 0,
};

test('what was applied leaves the draft', () => {
  expect(settleSent({ ...staged(), sent }, sent, applied)).toEqual(emptyDraft);
});

test('what was staged while the request was under way stays, on top of what was applied', () => {
  const more = stageCreation(staged(), 'new-2', { ...blog, name: 'more' });
  const edited = stageChanges(more, [{ before: www, after: { ...valueOf(www), ttl: 90 } }]);
  const settled = settleSent(stageCreation(edited, 'new-1', { ...blog, ttl: 7 }), sent, applied);
  expect(settled.created).toEqual({ 'new-2': { ...blog, name: 'more' } });
  expect(settled.changed).toEqual({
    1: { before: { ...www, ttl: 60 }, after: { ...valueOf(www), ttl: 90 } },
    3: { before: applied.created[0], after: { ...blog, ttl: 7 } },
  });
  expect(countDraft(settled).deleted).toBe(0);
});

test('another request, which was sent meanwhile, stays', () => {
  const other = newSentChanges(staged(), { idempotencyKey: 'other', revision: '"1"', note: '' });
  expect(settleSent({ ...staged(), sent: other }, sent, applied)).toEqual({ ...emptyDraft, sent: other });
});

test.each([
  ['a refusal', new ApiError(409, 'no', { code: 'conflict' }), true, true],
  ['an outdated revision', new ApiError(412, 'no', { code: 'precondition_failed' }), true, true],
  ['a busy service', new ApiError(503, 'no', { code: 'overloaded' }), true, false],
  ['a session that has ended', new ApiError(403, 'no', { code: 'invalid_key' }), true, false],
  ['a wait that was given up', new WaitCancelled(), true, false],
  ['a failed service', new ApiError(500, 'no', { code: 'internal_error' }), false, false],
  ['the 502 of a proxy', new ApiError(502, 'no'), false, false],
  ['the 503 of a proxy', new ApiError(503, 'no'), false, false],
  ['a broken connection', new UnreachableError('http://x', 'lost'), false, false],
])('%s', (_, error, first, repeat) => {
  expect([hasChangedNothing(error, false), hasChangedNothing(error, true)]).toEqual([first, repeat]);
});
