import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import { rrType } from '../dns/codes.ts';
import { quoteText } from './quote-text.ts';

/**
 * A record's priority (contract rule 23). On MX and SRV it is the first field of the data, stored apart from the rest; on
 * all other types it has no meaning and is only stored.
 */

/** Means that no priority was given. */
export const NO_PRIORITY = -1;

/** MX preference and SRV priority have 16 bits (RFC 1035 section 3.3.9, RFC 2782). */
const MAX_PRIORITY = 0xffff;

/** On other types any 32-bit integer is stored: more than any client sends, and safe in every store. */
const MAX_STORED_PRIORITY = 0x7fffffff;

/** True if the priority is part of the data on the wire. */
export function hasPriority(type: number): boolean {
  return type === rrType.MX || type === rrType.SRV;
}

/** Parses an integer or a decimal string; missing, null and (on MX and SRV) -1 give `NO_PRIORITY`. */
export function parsePriority(type: number, input: number | string | null | undefined): Parsed<number> {
  if (input === undefined || input === null) return parsed(NO_PRIORITY);
  const priority = typeof input === 'string' && DECIMAL.test(input) ? Number(input) : input;
  const isInteger = typeof priority === 'number' && Number.isInteger(priority);
  // JSON can contain -0; adding 0 makes it 0.
  if (isInteger && hasPriority(type) && priority >= NO_PRIORITY && priority <= MAX_PRIORITY)
    return parsed(priority + 0);
  if (isInteger && !hasPriority(type) && Math.abs(priority) <= MAX_STORED_PRIORITY)
    return parsed(priority + 0);
  const range = hasPriority(type) ? `from 0 to ${MAX_PRIORITY}` : `of at most 32 bits`;
  return malformed(
    `Priority ${typeof input === 'string' ? quoteText(input) : input} is not a whole number ${range}`,
  );
}

/**
 * Splits the priority off the front of MX and SRV data (`10 mail.example.com`). Without one, and for other types, `carried`
 * is `NO_PRIORITY` and `rest` is all of the data.
 */
export function splitPriority(type: number, data: string): { carried: number; rest: string } {
  const form = type === rrType.MX ? MX_WITH_PRIORITY : type === rrType.SRV ? SRV_WITH_PRIORITY : undefined;
  const found = form?.exec(data);
  return found ? { carried: Number(found[1]), rest: found[2] } : { carried: NO_PRIORITY, rest: data };
}

const DECIMAL = /^-?\d+$/;
const MX_WITH_PRIORITY = /^(\d+)\s+(\S+)$/;
const SRV_WITH_PRIORITY = /^(\d+)\s+(\S+\s+\S+\s+\S+)$/;
