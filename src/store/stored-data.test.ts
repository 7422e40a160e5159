import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shownText, storedText } from './stored-data.ts';

const odd = fc.string({
  unit: fc.constantFrom('\0', '\ufffd', '\ufffe', '\uffff', '\u{1fffe}', '\u{1ffff}', 'a', '"', '\\', '😀'),
});

test('shownText() returns the text given to storedText(), which holds no NUL', () => {
  fc.assert(
    fc.property(odd, (shown) => {
      const stored = storedText(shown);
      expect(stored).not.toContain('\0');
      expect(shownText(stored)).toBe(shown);
    }),
  );
});

test('stored forms are equal, prefixes or substrings exactly if the shown texts are', () => {
  const text = fc.oneof(
    odd,
    fc.tuple(odd, odd, odd).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(text, odd, odd, (a, b, c) => {
      for (const whole of [a, b + a, a + b, c + a + b]) {
        const stored = storedText(whole);
        expect(stored === storedText(a)).toBe(whole === a);
        expect(stored.startsWith(storedText(a))).toBe(whole.startsWith(a));
        expect(stored.includes(storedText(a))).toBe(whole.includes(a));
        expect(storedText(a).includes(storedText(b))).toBe(a.includes(b));
      }
    }),
    { numRuns: 1000 },
  );
});

test.each([
  ['an escape sequence', '"\uffff\ufffe\ufffe"', '"\0"'],
  ['noncharacters that are no escape sequence', '"\ufffe\uffff\u{1fffe}"', '"\ufffe\uffff\u{1fffe}"'],
])('shownText() converts %s', (_, stored, shown) => {
  expect(shownText(stored)).toBe(shown);
});
