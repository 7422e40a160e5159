import { expect, test } from 'vitest';
import { readDnskeyData } from './read-dnskey-data.ts';

test.each([
  ['data', '257 3 13 mdss wUyr', '257 3 13 mdss wUyr'],
  ['a line of a zone file', 'example.com. 3600 IN DNSKEY 257 3 13 mdsswUyr', '257 3 13 mdsswUyr'],
  [
    'several lines with a comment',
    '@ IN dnskey 257 3 13 (\n\tmdss\n\twUyr ) ; KSK; alg = 13\n',
    '257 3 13 mdss wUyr',
  ],
  ['nothing', ' \n', ''],
])('readDnskeyData() reads %s', (_what, record, data) => {
  expect(readDnskeyData(record)).toBe(data);
});
