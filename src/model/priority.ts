import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import { rrType } from '../dns/codes.ts';
import { quoteText } from './quote-text.ts';

/**
 * A record's priority (contract rule 23). On MX and SRV it is the first field of the data, kept apart from the rest;
 * on all other types it means nothing and is only kept.
 */

/** What stands where none was given. */
export const NO_PRIORITY = -1;

/** MX preference and SRV priority have 16 bits (RFC 1035 section 3.3.9, RFC 2782). */
export const MAX_PRIORITY = 0xffff;

/** Where it means nothing, any 32-bit integer is kept: more than any client sends, and safe in every store. */
const KEPT_RANGE = 0x7fffffff;

/** True where the priority is part of the data on the wire. */
export function hasPriority(type: number): boolean {
  return type === rrType.MX || type === rrType.SRV;
}

/**
 * A priority as customers write it → an integer; `NO_PRIORITY` when missing, null or (on MX and SRV) -1. A decimal
 * string is the integer it spells.
 */
export function parsePriority(type: number, input: number | string | null | undefined): Parsed<number> {
  if (input === undefined || input === null) return parsed(NO_PRIORITY);
  const priority = typeof input === 'string' && DECIMAL.test(input) ? Number(input) : input;
  const isInteger = typeof priority === 'number' && Number.isInteger(priority);
  // -0 comes from JSON, and would not be the same as 0.
  if (isInteger && hasPriority(type) && priority >= NO_PRIORITY && priority <= MAX_PRIORITY)
    return parsed(priority + 0);
  if (isInteger && !hasPriority(type) && Math.abs(priority) <= KEPT_RANGE) return parsed(priority + 0);
  const range = hasPriority(type) ? `from 0 to ${MAX_PRIORITY}` : `of at most 32 bits`;
  return malformed(
    `Priority ${typeof input === 'string' ? quoteText(input) : input} is not a whole number ${range}`,
  );
}

/**
 * MX and SRV data cut into the priority it carries in front (`10 mail.example.com`), or `NO_PRIORITY`, and what follows.
 * Data of other types is all rest.
 */
export function splitPriority(type: number, data: string): { carried: number; rest: string } {
  const form = type === rrType.MX ? MX_WITH_PRIORITY : type === rrType.SRV ? SRV_WITH_PRIORITY : undefined;
  const found = form?.exec(data);
  return found ? { carried: Number(found[1]), rest: found[2] } : { carried: NO_PRIORITY, rest: data };
}

const DECIMAL = /^-?\d+$/;
const MX_WITH_PRIORITY = /^(\d+)\s+(\S+)$/;
const SRV_WITH_PRIORITY = /^(\d+)\s+(\S+\s+\S+\s+\S+)$/;
