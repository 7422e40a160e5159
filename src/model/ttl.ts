import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import { quoteText } from './quote-text.ts';
import type { RecordRules } from './record-rules.ts';

/** RFC 2181 section 8: 31 bits. */
export const MAX_TTL_SECONDS = 0x7fffffff;

/**
 * Parses a TTL, an integer or a decimal string, into seconds from 1 to 2147483647 (contract rule 22). Missing, null and 0
 * give the operator's default if there is one.
 */
export function parseTtl(
  input: number | string | null | undefined,
  rules: Pick<RecordRules, 'defaultTtlSeconds'>,
): Parsed<number> {
  const { defaultTtlSeconds } = rules;
  if (input === undefined || input === null) {
    return defaultTtlSeconds === null ? malformed(MISSING) : parsed(defaultTtlSeconds);
  }
  const ttl = typeof input === 'string' && DECIMAL.test(input) ? Number(input) : input;
  if (ttl === 0 && defaultTtlSeconds !== null) return parsed(defaultTtlSeconds);
  if (typeof ttl === 'number' && Number.isInteger(ttl) && ttl >= 1 && ttl <= MAX_TTL_SECONDS)
    return parsed(ttl);
  return malformed(
    `Record TTL ${typeof input === 'string' ? quoteText(input) : input} is not a whole number of seconds from 1 to ${MAX_TTL_SECONDS}`,
  );
}

/** True for TTLs that give the operator's default. */
export function lacksTtl(input: number | string | null | undefined): boolean {
  return input === undefined || input === null || Number(input) === 0;
}

const MISSING = 'Record TTL is missing, and this service has no default TTL';

const DECIMAL = /^\d+$/;
