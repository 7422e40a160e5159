import { expect, test } from 'vitest';
import { parseMoment, parseRecordFilter } from './filter-query.ts';

test.each([
  ['', undefined],
  ['0', { serial: 0 }],
  ['4294967295', { serial: 4_294_967_295 }],
  ['2026-11-20T14:00:00Z', { atMs: 1_795_183_200_000 }],
  ['2026-11-20T15:00:00.5+01:00', { atMs: 1_795_183_200_500 }],
  ['2028-02-29T23:59:59-12:00', { atMs: 1_835_524_799_000 }],
  ['2026-11-20T15:00:00 01:00', { atMs: 1_795_183_200_000 }],
])('at=%s is parsed to %j', (text, moment) => {
  expect(parseMoment(text)).toEqual({ ok: true, value: moment });
});

test.each([
  '4294967296',
  '-1',
  '2026-11-20',
  '2026-11-20T14:00:00',
  '2026-02-40T14:00:00Z',
  '2026-02-29T14:00:00Z',
  'now',
])('at=%s is refused', (text) => {
  expect(parseMoment(text)).toMatchObject({ ok: false });
});

test.each([
  [{}, {}],
  [{ type: '', data: '', search: '' }, {}],
  [{ name: '' }, { name: '' }],
  [{ data: 'x' }, { data: { text: 'x', match: 'exact' } }],
  [{ data: 'x', data_match: 'prefix' }, { data: { text: 'x', match: 'prefix' } }],
  [{ search: ['a', 'b'], other: '1' }, { search: 'a' }],
])('the query %j is parsed to %j', (query, filter) => {
  const read = parseRecordFilter(query);
  expect(read.ok && JSON.parse(JSON.stringify(read.value))).toEqual(filter);
});

test('oversized filters and unknown values of data_match are refused', () => {
  expect(parseRecordFilter({ search: 'x'.repeat(8194) }).ok).toBe(true);
  expect(parseRecordFilter({ search: 'x'.repeat(8195) }).ok).toBe(false);
  expect(parseRecordFilter({ data: 'x', data_match: 'fuzzy' }).ok).toBe(false);
});
