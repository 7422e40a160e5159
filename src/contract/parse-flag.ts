import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import { quoteText } from '../model/quote-text.ts';
import { firstText } from './page-query.ts';

/** Parses a query parameter that is `true` or `false`; false if it is absent. */
export function parseFlag(query: Readonly<Record<string, unknown>>, name: string): Parsed<boolean> {
  const text = firstText(query[name]);
  if (text === undefined || text === 'false') return parsed(false);
  return text === 'true' ? parsed(true) : malformed(`${name} must be true or false, not ${quoteText(text)}`);
}
