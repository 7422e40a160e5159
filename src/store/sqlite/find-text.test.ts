import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { containsText, defineFindText } from './find-text.ts';
import { openDatabase, prepareQuery } from './sqlite-driver.ts';

function openFinder() {
  const database = openDatabase(':memory:');
  onTestFinished(() => database.close());
  defineFindText(database);
  const query = prepareQuery<[number]>(database, `SELECT ${containsText('?1', '?2')}`);
  return (within: string, text: string): boolean => query.get(within, text)?.[0] === 1;
}

test('containsText() finds what String.includes() finds', () => {
  const find = openFinder();
  const text = (maxLength: number) =>
    fc.array(fc.constantFrom('a', 'b', 'ü', '😀'), { maxLength }).map((characters) => characters.join(''));
  fc.assert(
    fc.property(text(30), text(40), text(40), fc.boolean(), (part, before, after, isPart) => {
      const within = isPart ? `${before}${part}${after}` : `${before}${after}`;
      expect(find(within, part)).toBe(within.includes(part));
    }),
  );
});

test.each([
  ['a'.repeat(5000), 'a'.repeat(4000), true],
  ['a'.repeat(5000), `${'a'.repeat(4000)}b`, false],
  [`${'ab'.repeat(40)}c`, `${'ab'.repeat(20)}c`, true],
  ['a'.repeat(16), 'a'.repeat(17), false],
  ['', '', true],
])('containsText() decides about repeated characters %#', (within, text, isFound) => {
  expect(openFinder()(within, text)).toBe(isFound);
});
