import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shownData, shownText, storedText } from './stored-data.ts';

const TXT = 16;
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
  ['ordinary text', '"v=spf1 -all"', null, '"v=spf1 -all"'],
  ['a spelling', '"\uffff\ufffe\ufffe"', null, '"\0"'],
  ['what a store of before holds of NUL', '', Uint8Array.of(3, 0x61, 0, 0x22), '"a\0\\""'],
  [
    'what a store of before holds of noncharacters',
    '"\ufffe\uffff\u{1fffe}"',
    null,
    '"\ufffe\uffff\u{1fffe}"',
  ],
])('%s is shown', (_, stored, rdata, shown) => {
  expect(shownData(TXT, stored, rdata)).toBe(shown);
});
