import { expect, test } from 'vitest';
import type { FoundDifference } from './compare-zones.ts';
import { foldAlike } from './fold-alike.ts';

function difference(name: string, type: string, here: string): FoundDifference {
  return { name, type, here: [here], there: [] };
}

test('hundreds of equal differences are folded into three and a count, separate from other differences', () => {
  const guessed = Array.from({ length: 250 }, (_, at) => difference(`n${at}.example.com.`, 'A', '192.0.2.1'));
  const other = difference('n7.example.com.', 'A', '192.0.2.7');
  const text = difference('n7.example.com.', 'TXT', '192.0.2.1');
  expect(foldAlike([...guessed.slice(0, 8), other, text, ...guessed.slice(8)])).toEqual([
    { shown: guessed.slice(0, 3), more: 247 },
    { shown: [other], more: 0 },
    { shown: [text], more: 0 },
  ]);
});
