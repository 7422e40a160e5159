import { expect, test } from 'vitest';
import { checkJsonExtent } from './check-json-extent.ts';

const space = ' '.repeat(65_536);

test.each([
  ['32 levels', `${'['.repeat(32)}${']'.repeat(32)}`, undefined],
  ['33 levels', `${'['.repeat(16)}${'{"a":'.repeat(17)}`, /more than 32 levels/],
  ['levels beside each other', '[{}],'.repeat(100), undefined],
  ['brackets in a text', `"${'['.repeat(40)}\\"${'{'.repeat(40)}\\\\"`, undefined],
  ['brackets behind a text', `"\\\\"${'['.repeat(33)}`, /more than 32 levels/],
  ['3,200,001 values', ','.repeat(3_200_001), /more than 3200000 values/],
  ['commas in a text', `"${','.repeat(3_200_001)}"`, undefined],
])('the extent of a body is checked: %s', (_, text, problem) => {
  const found = checkJsonExtent(Buffer.from(space + text));
  if (problem === undefined) expect(found).toBeUndefined();
  else expect(found).toMatch(problem);
});

test('small bodies are not checked', () => {
  expect(checkJsonExtent(Buffer.from('['.repeat(1000)))).toBeUndefined();
});
