import fc from 'fast-check';
import { expect, test } from 'vitest';
import { finishSteps } from '../base/steps.ts';
import { parseLargeJson } from './parse-large-json.ts';

const parse = (text: string) => finishSteps(parseLargeJson(Buffer.from(text)));

function parsedWhole(text: string): unknown {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch {
    return { ok: false, problem: 'The request body is not valid JSON' };
  }
}

test.each([
  '{}',
  '{"a":[]}',
  ' { "a" : [ ] , "b" : [ 1 , [2,3] , {"c":[4]} ] , "d":"[1,2" } ',
  '{"a":[1],"a":[2,3]}',
  '{"__proto__":[1],"b":{"c":[2]}}',
  '{"a":["\\"]","\\\\",",{["]}',
  '{"a":["\\u00e9\\ud83d\\ude00 é😀"]}',
  '{"a":[1,]}',
  '{"a":[,1]}',
  '{"a":[1 2]}',
  '{"a":[1}',
  '{"a":[{]}]}',
  '{"a":[1]]}',
  '{"a":[1]}{"a":[1]}',
  '{"a":[1]',
  '{"a":[0],[1]}',
  '{"a":["',
  '{"a":["\\',
])('%s is read like JSON.parse', (text) => {
  expect(parse(text)).toEqual(parsedWhole(text));
});

test('lists of many groups are read like JSON.parse', () => {
  const items = Array.from({ length: 20_000 }, (_, i) => ({
    name: `h${i}`,
    data: 'x'.repeat(i % 50),
    list: [i],
  }));
  const value = { create: items, delete: items.map(({ name }) => name), update: [] };
  for (const text of [JSON.stringify(value), JSON.stringify(value, null, 1)])
    expect(parse(text)).toEqual({ ok: true, value });
  const text = JSON.stringify(value);
  expect(parse(text.replace('"h9000"', '"h9000",'))).toMatchObject({ ok: false });
  expect(parse(text.replace(/\]/, ',]'))).toMatchObject({ ok: false });
  // Behind the comma at which a group ends.
  const long = JSON.stringify({ a: ['x'.repeat(70_000), 'y'] });
  expect(parse(long.replace(',"y"', ','))).toMatchObject({ ok: false });
  expect(parse(long)).toMatchObject({ ok: true });
});

test('any object, and any object with a character changed, is read like JSON.parse', () => {
  const characters = fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\', ' ', '1');
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), characters, (value, at, character) => {
      const text = JSON.stringify(value);
      const position = 1 + (at % text.length);
      const changed = text.slice(0, position) + character + text.slice(position + 1);
      for (const each of [text, changed]) {
        const whole = parsedWhole(each);
        if (!/\\ud[89a-f]/i.test(each)) expect(parse(each)).toEqual(whole);
      }
    }),
  );
});

test.each([
  ['half a pair', '{"a":["\\ud83d"]}', 'half a surrogate pair'],
  ['half a pair outside of lists', '{"a":"\\ud83d"}', 'half a surrogate pair'],
  ['a deep nest', `{"a":${'['.repeat(40)}`, 'more than 32 levels'],
])('%s is refused', (_, text, problem) => {
  const found = parse(text);
  expect(!found.ok && found.problem).toContain(problem);
});

test('a large body is read in many steps', () => {
  const steps = parseLargeJson(Buffer.from(JSON.stringify({ a: Array.from({ length: 200_000 }, String) })));
  let count = 1;
  while (steps.next().done !== true) count++;
  expect(count).toBeGreaterThanOrEqual(4);
});
