import { InvalidArgumentError } from 'commander';

/** Parser for numeric options; other values are a usage error. */
export function parseWholeNumber(text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}
