import { expect, test } from 'vitest';
import { textOctets } from './stored-octets.ts';
import { formatTrailDetail, MAX_DETAIL_OCTETS } from './trail-entry.ts';

test('formatTrailDetail() leaves out what is undefined, and stores nothing for nothing', () => {
  expect(formatTrailDetail({ scope: 'full', rights: undefined })).toBe('{"scope":"full"}');
  expect(formatTrailDetail({ rights: undefined })).toBeNull();
});

test.each([
  ['one long text', { label: 'a', rights: 'May read. '.repeat(1000) }],
  ['texts of several octets a character', { name: '\u{1f30d}'.repeat(5000), other: 'ü'.repeat(5000) }],
  ['characters that JSON escapes', { label: '\u0001"'.repeat(2000), count: 7 }],
])('formatTrailDetail() cuts %s', (_, detail) => {
  const text = formatTrailDetail(detail) ?? '';
  expect(textOctets(text)).toBeLessThanOrEqual(MAX_DETAIL_OCTETS);
  expect(textOctets(text)).toBeGreaterThan(MAX_DETAIL_OCTETS / 4);
  const parsed = JSON.parse(text) as object;
  expect(Object.keys(parsed)).toEqual(Object.keys(detail));
  expect(text).toContain('…');
  expect(text).not.toMatch(/[\ud800-\udfff]/u);
});
