import { expect, test } from 'vitest';
import { draftOfLimits, limitsOfDraft, readLimit, writeLimit, type LimitNumbers } from './limit-draft.ts';

const GIB = 2 ** 30;
const defaults: LimitNumbers = {
  ...{ domains: 100, records: 1000, records_per_domain: 500, keys: 10, cost_per_minute: 10_000 },
  ...{ octets: 4 * GIB, history_octets: GIB, trail_octets: 2 ** 20, outcome_octets: 1000 },
};

test('limits that are the defaults are empty, and are left out of the request', () => {
  const draft = draftOfLimits({ ...defaults, domains: 7, octets: 512 * 2 ** 20 }, defaults);
  expect(draft).toMatchObject({ domains: '7', octets: '512 MiB', records: '', outcome_octets: '' });
  expect(limitsOfDraft(draft)).toEqual({ domains: 7, octets: 512 * 2 ** 20 });
  expect(limitsOfDraft({ ...draft, domains: ' ', octets: '' })).toEqual({});
});

test('a request with something that is no limit is not made', () => {
  const draft = draftOfLimits(defaults, defaults);
  expect(limitsOfDraft({ ...draft, keys: 'many' })).toBeUndefined();
});

test.each([
  ['domains', '0', 0],
  ['domains', ' 12 ', 12],
  ['domains', '1,234,567', 1_234_567],
  ['octets', '12 000 KiB', 12_288_000],
  ['domains', '1,5', undefined],
  ['domains', '-1', undefined],
  ['domains', '1.5', undefined],
  ['domains', '2 KiB', undefined],
  ['domains', '9999999999999999', undefined],
  ['octets', '1024', 1024],
  ['octets', '2KiB', 2048],
  ['trail_octets', '3 gib', 3 * GIB],
  ['octets', '9000000 TiB', undefined],
] as const)('%s: %j is %j', (name, text, limit) => {
  expect(readLimit(name, text)).toBe(limit);
});

test.each([
  ['octets', 4 * GIB, '4 GiB'],
  ['octets', 1025, '1025'],
  ['octets', 0, '0'],
  ['keys', 1024, '1024'],
] as const)('%s of %d is written %j', (name, limit, text) => {
  expect(writeLimit(name, limit)).toBe(text);
});
