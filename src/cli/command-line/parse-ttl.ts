import { InvalidArgumentError } from 'commander';
import { parseTime } from '../../dns/zone-file/parse-time.ts';

/** Parser for times to live: seconds, or units as in a zone file. Other values are a usage error. */
export function parseTtl(text: string): number {
  const time = parseTime(text);
  if (time.ok) return time.value;
  throw new InvalidArgumentError('It must be seconds, or units such as 1h or 1h30m.');
}
