import { expect, test } from 'vitest';
import { parseChangeFilter } from './change-query.ts';

test('parseChangeFilter() reads who and when', () => {
  const query = { actor: 'key-1', from: '2026-11-20T14:00:00Z', to: '2026-11-21T14:00:00 01:00' };
  const filter = {
    actor: 'key-1',
    fromMs: Date.parse('2026-11-20T14:00:00Z'),
    untilMs: Date.parse('2026-11-21T13:00:00Z'),
  };
  expect(parseChangeFilter(query)).toEqual({ ok: true, value: filter });
});

test('parseChangeFilter() reads empty parameters as absent ones', () => {
  for (const query of [{}, { actor: '', from: '', to: '' }, { cursor: 'x' }])
    expect(parseChangeFilter(query)).toEqual({ ok: true, value: undefined });
});

test('parseChangeFilter() says which parameter it cannot read', () => {
  const said = [{ from: 'today' }, { to: '2026-02-30T00:00:00Z' }, { actor: 'x'.repeat(256) }].map(
    (query) => {
      const filter = parseChangeFilter(query);
      return filter.ok ? '' : filter.problem;
    },
  );
  expect(said).toEqual([
    expect.stringMatching(/^from must be a time .*not "today"$/),
    expect.stringMatching(/^to must be a time /),
    'actor can have at most 255 characters',
  ]);
});
