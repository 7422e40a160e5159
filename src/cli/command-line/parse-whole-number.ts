import { InvalidArgumentError } from 'commander';

/** For options that are numbers; anything else is a wrong command line. */
export function parseWholeNumber(text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}
