import { MAX_ZONE_RECORDS } from '../model/write-limits.ts';
// How deep and how many-parted a large body is, before it is parsed: JSON.parse makes 3 GB of 64 MiB of brackets, and
// nothing else is done meanwhile. Judges no syntax.

/** What is smaller can do no harm. */
const SMALL_BODY_BYTES = 65_536;

/** Ours have three levels; clients may send more in members that are ignored. */
const MAX_DEPTH = 32;

/** As many as the largest zone, each record with three times the members that it can have. */
const MAX_PARTS = MAX_ZONE_RECORDS * 16;

const [QUOTE, BACKSLASH, COMMA] = Buffer.from('"\\,');
const [LEFT_BRACE, LEFT_BRACKET, RIGHT_BRACE, RIGHT_BRACKET] = Buffer.from('{[}]');

/** What is wrong, in one sentence; undefined: nothing. */
export function checkJsonExtent(bytes: Uint8Array): string | undefined {
  if (bytes.length <= SMALL_BODY_BYTES) return undefined;
  let depth = 0;
  let parts = 0;
  let isInString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (isInString) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isInString = false;
    } else if (byte === QUOTE) isInString = true;
    else if (byte === COMMA) parts++;
    else if (byte === LEFT_BRACE || byte === LEFT_BRACKET) depth++;
    else if (byte === RIGHT_BRACE || byte === RIGHT_BRACKET) depth--;
    if (depth > MAX_DEPTH) return `The request body is nested more than ${MAX_DEPTH} levels deep`;
    if (parts > MAX_PARTS) return `The request body has more than ${MAX_PARTS} parts`;
  }
  return undefined;
}
