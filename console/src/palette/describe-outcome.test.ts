import { expect, test } from 'vitest';
import { text } from '../text/en.ts';
import { describeOutcome, type Outcome } from './describe-outcome.ts';

const words = text.palette;
const usual: Outcome = {
  search: 'www',
  count: 0,
  shownRecords: 0,
  totalRecords: 0,
  isSearching: false,
  hasFailed: false,
  isShort: false,
  maySearchRecords: true,
  isPart: false,
};

test.each([
  ['nothing is typed', { search: '', count: 9, isShort: true }, words.start],
  ['nothing matches', {}, words.none('www')],
  ['entries match', { count: 3 }, words.count('3')],
  ['one matches', { count: 1 }, '1 match.'],
  ['the service is asked', { count: 3, isSearching: true }, words.searching],
  ['the service has failed: not that nothing matches', { hasFailed: true }, ''],
  [
    'more records match than are shown',
    { count: 20, shownRecords: 20, totalRecords: 1204 },
    `${words.count('20')} ${words.more('20', '1,204')}`,
  ],
  ['it is too short for records', { search: 'w', isShort: true }, `${words.none('w')} ${words.short}`],
  [
    'the user sees single domains only',
    { count: 1, maySearchRecords: false },
    `${words.count('1')} ${words.noRecords}`,
  ],
  ['domains are missing', { count: 2, isPart: true }, `${words.count('2')} ${words.part}`],
])('describeOutcome(): %s', (_, outcome, expected) => {
  expect(describeOutcome({ ...usual, ...outcome })).toBe(expected);
});
