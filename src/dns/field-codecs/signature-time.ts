/**
 * The start or end of a signature's validity: `YYYYMMDDHHmmSS` in UTC, or seconds since 1970 (RFC 4034 section 3.2).
 */
import { oneWord } from '../field-codec.ts';
import { parseUnsigned } from '../parse-unsigned.ts';

const LAST_SECOND = 0xffffffff;

export const signatureTime = oneWord({
  kind: 'signature time',
  expects: 'a time as YYYYMMDDHHmmSS or in seconds since 1970',
  parseWord(word, wire) {
    const seconds = word.length === 14 ? parseCalendar(word) : parseUnsigned(word, LAST_SECOND);
    if (seconds === undefined) return false;
    wire.u32(seconds);
    return true;
  },
  check(wire) {
    wire.skip(4);
    return undefined;
  },
  format: (wire) => formatCalendar(wire.u32()),
});

function parseCalendar(text: string): number | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(text);
  if (parts === null) return undefined;
  const [year, month, day, hour, minute, second] = parts.slice(1).map(Number);
  const seconds = Date.UTC(year, month - 1, day, hour, minute, second) / 1000;
  // Date turns 31 June into 1 July, so a date that changes in a round trip is invalid.
  const exists = seconds >= 0 && seconds <= LAST_SECOND && formatCalendar(seconds) === text;
  return exists ? seconds : undefined;
}

function formatCalendar(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace(/[-:T]/g, '');
}
