import { expect, test } from 'vitest';
import { commandOf, optionsOf, pathOf, readHistoryFilter } from './history-filter.ts';

test('readHistoryFilter() reads who and when, and nothing else', () => {
  const query = new URLSearchParams('actor=u1&from=2026-11-20&to=&action=key.&x=1');
  expect(readHistoryFilter(query)).toEqual({ actor: 'u1', from: '2026-11-20' });
});

test('days are whole, by the calendar of the browser', () => {
  const options = optionsOf({ from: '2026-11-20', to: '2026-11-20' });
  expect(options.from).toBe(new Date(2026, 10, 20).toISOString());
  expect(options.to).toBe(new Date(2026, 10, 21).toISOString());
});

test('the request and the command are those of the filter', () => {
  expect(pathOf('example.com', {})).toBe('/domains/example.com/changes');
  const options = { actor: 'u 1', from: '2026-11-20T00:00:00.000Z' };
  expect(pathOf('example.com', options)).toBe(
    '/domains/example.com/changes?actor=u+1&from=2026-11-20T00%3A00%3A00.000Z',
  );
  expect(commandOf('example.com', options)).toBe(
    "zonewright changes example.com --actor 'u 1' --from 2026-11-20T00:00:00.000Z --limit 100",
  );
});
