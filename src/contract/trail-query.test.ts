import { expect, test } from 'vitest';
import { parseTrailFilter } from './trail-query.ts';

test('filters of the trail are read, and empty ones are absent', () => {
  const given = { account: 'all', action: 'key.', actor: 'k', object: '', from: '2026-11-20T14:00:00Z' };
  expect(parseTrailFilter({ ...given, to: '2026-11-20T15:00:00 01:00' })).toEqual({
    ok: true,
    value: {
      ...{ account: 'all', action: 'key.', actor: 'k', object: undefined, address: undefined },
      ...{ fromMs: Date.parse('2026-11-20T14:00:00Z'), untilMs: Date.parse('2026-11-20T14:00:00Z') },
    },
  });
});

test.each([
  [{ action: 'key' }, 'action must be'],
  [{ action: 'key.nothing' }, 'action must be'],
  [{ action: '.' }, 'action must be'],
  [{ action: 'keys.' }, 'action must be'],
  [{ from: 'yesterday' }, 'from must be a time'],
  [{ to: '2026-02-30T00:00:00Z' }, 'to must be a time'],
  [{ object: 'x'.repeat(256) }, 'at most 255'],
])('the filter %j is refused', (query, problem) => {
  const read = parseTrailFilter(query);
  expect(read.ok ? '' : read.problem).toContain(problem);
});
