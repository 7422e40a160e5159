import { text } from '../text/en.ts';
import { formatNumber } from '../text/format-values.ts';

export interface Outcome {
  readonly search: string;
  /** All entries that are shown. */
  readonly count: number;
  readonly shownRecords: number;
  readonly totalRecords: number;
  readonly isSearching: boolean;
  /** Something could not be looked through: an error says why. */
  readonly hasFailed: boolean;
  /** The search is too short to ask the service for records. */
  readonly isShort: boolean;
  readonly maySearchRecords: boolean;
  /** Not all domains are loaded. */
  readonly isPart: boolean;
}

/** Says what was found, and what was not looked through, so that nobody takes a part for all of it. */
export function describeOutcome(outcome: Outcome): string {
  const { search, count, shownRecords, totalRecords, isSearching, isPart } = outcome;
  const sentences: string[] = [];
  if (search === '') sentences.push(text.palette.start);
  else if (isSearching) sentences.push(text.palette.searching);
  else if (count > 0) sentences.push(text.palette.count(formatNumber(count)));
  else if (!outcome.hasFailed) sentences.push(text.palette.none(search));
  if (totalRecords > shownRecords)
    sentences.push(text.palette.more(formatNumber(shownRecords), formatNumber(totalRecords)));
  if (search !== '' && !outcome.maySearchRecords) sentences.push(text.palette.noRecords);
  else if (search !== '' && outcome.isShort) sentences.push(text.palette.short);
  if (isPart) sentences.push(text.palette.part);
  return sentences.join(' ');
}
