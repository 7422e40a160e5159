import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shownText, storedText } from './stored-data.ts';

const odd = fc.string({
  unit: fc.constantFrom('\0', '\ufffd', '\ufffe', '\uffff', '\u{1fffe}', '\u{1ffff}', 'a', '"', '\\', '😀'),
});

test('stored text holds no NUL, and is shown as it was', () => {
  fc.assert(
    fc.property(odd, (shown) => {
      const stored = storedText(shown);
      expect(stored).not.toContain('\0');
      expect(shownText(stored)).toBe(shown);
    }),
  );
});

test('one text is, begins or holds another just where their stored forms do', () => {
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
  ['a spelling', '"\uffff\ufffe\ufffe"', '"\0"'],
  ['noncharacters that are no spelling', '"\ufffe\uffff\u{1fffe}"', '"\ufffe\uffff\u{1fffe}"'],
])('%s is shown', (_, stored, shown) => {
  expect(shownText(stored)).toBe(shown);
});
