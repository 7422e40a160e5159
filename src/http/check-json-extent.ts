// Limits the nesting and the number of values of a large body before it is parsed: JSON.parse turns 64 MiB of brackets into
// 3 GB and blocks the thread meanwhile. Does not check the syntax.
import { MAX_ZONE_RECORDS } from '../model/write-limits.ts';

/** Smaller bodies are not checked. */
const SMALL_BODY_BYTES = 65_536;

/** Our bodies have three levels; clients may send more in members that are ignored. */
const MAX_DEPTH = 32;

/** Enough for the largest import with three times as many members in each record as there are. */
const MAX_VALUES = MAX_ZONE_RECORDS * 16;

const [QUOTE, BACKSLASH, COMMA] = Buffer.from('"\\,');
const [LEFT_BRACE, LEFT_BRACKET, RIGHT_BRACE, RIGHT_BRACKET] = Buffer.from('{[}]');

/** Returns the problem as a sentence, or undefined. */
export function checkJsonExtent(bytes: Uint8Array): string | undefined {
  if (bytes.length <= SMALL_BODY_BYTES) return undefined;
  let depth = 0;
  let values = 0;
  let isInString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (isInString) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isInString = false;
    } else if (byte === QUOTE) isInString = true;
    else if (byte === COMMA) values++;
    else if (byte === LEFT_BRACE || byte === LEFT_BRACKET) depth++;
    else if (byte === RIGHT_BRACE || byte === RIGHT_BRACKET) depth--;
    const excess = findExcess(depth, values);
    if (excess !== undefined) return excess;
  }
  return undefined;
}

/** Returns the problem as a sentence if there are too many levels or values. */
export function findExcess(depth: number, values: number): string | undefined {
  if (depth > MAX_DEPTH) return `The request body is nested more than ${MAX_DEPTH} levels deep`;
  if (values > MAX_VALUES) return `The request body has more than ${MAX_VALUES} values`;
  return undefined;
}
