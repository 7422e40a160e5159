import { expect, test } from 'vitest';
import { isKnownTag, pageTag, parseIfMatch } from './entity-tags.ts';

test.each<[header: string | undefined, tags: readonly string[] | undefined | 'malformed']>([
  [undefined, undefined],
  ['*', ['*']],
  [' * ', ['*']],
  ['"1-2"', ['"1-2"']],
  ['"1-2", W/"3" ,, "4"', ['"1-2"', '"4"']],
  ['W/"1-2"', []],
  ['"1-2.0af3"', ['"1-2"']],
  ['""', ['""']],
  ['1-2', 'malformed'],
  ['"1-2" "3"', 'malformed'],
  ['"1-2', 'malformed'],
  ['"a b"', 'malformed'],
  ['w/"1"', 'malformed'],
  ['*, "1"', 'malformed'],
  ['', 'malformed'],
  [Array(20).fill('"1"').join(), Array<string>(20).fill('"1"')],
  [Array(21).fill('"1"').join(), 'malformed'],
])('If-Match: %s is parsed to %j', (header, tags) => {
  const read = parseIfMatch(header);
  expect(read.ok ? read.value : 'malformed').toEqual(tags);
});

test.each([
  ['"1-2"', true],
  ['W/"1-2"', true],
  ['"0", "1-2"', true],
  ['*', true],
  ['"1-2.af"', false],
  ['1-2', false],
  [undefined, false],
])('If-None-Match: %s matches the tag "1-2": %s', (header, isKnown) => {
  expect(isKnownTag(header, '"1-2"')).toBe(isKnown);
});

test('the tag of a page is the revision with a mark, and is parsed back to the revision', () => {
  expect(pageTag('"1-2"', '')).toBe('"1-2"');
  const tag = pageTag('"1-2"', 'af');
  expect(tag).toBe('"1-2.af"');
  expect(parseIfMatch(tag)).toEqual({ ok: true, value: ['"1-2"'] });
});
