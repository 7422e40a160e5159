import { expect, test } from 'vitest';
import { finishSteps } from '../../base/steps.ts';
import { MAX_GENERATED_CHARACTERS, MAX_GENERATED_RECORDS } from './generate-directive.ts';
import { measureGenerated } from './measure-generated.ts';

test.each([
  ['www A 192.0.2.1\n', 0, 0],
  ['$GENERATE 1-200 h$ A 192.0.2.1\n', 200, 200 * 'h200A192.0.2.1'.length],
  ['$generate 1-9/2 h$ ( A\n 192.0.2.1 )\n; $GENERATE 1-9 x$ A 192.0.2.1\n', 5, 5 * 'h9A192.0.2.1'.length],
  ['$GENERATE 1-2 a$ A 192.0.2.1\n$GENERATE 1-3 b$ A 192.0.2.1\n', 5, 5 * 'a2A192.0.2.1'.length],
  ['$GENERATE nonsense\n$GENERATE 9-1 a$ A 192.0.2.1\n', 0, 0],
  ['$GENERATE 1-2000000000 a$ A 192.0.2.1\n', MAX_GENERATED_RECORDS, MAX_GENERATED_CHARACTERS],
])('measureGenerated() counts what %j makes', (text, records, characters) => {
  expect(finishSteps(measureGenerated(text))).toEqual({ records, characters });
});
