/**
 * Converts RR type numbers to names and back. Independent of type declarations, so that field codecs (type bitmaps) can
 * use it.
 */
import { rrType } from './codes.ts';

const numbers = new Map<string, number>(Object.entries(rrType));
const mnemonics = new Map<number, string>(Object.entries(rrType).map(([name, number]) => [number, name]));

/** Accepts a mnemonic in any case, or `TYPEnnn` (RFC 3597 section 5) from 1 to 65535. */
export function parseRecordType(text: string): number | undefined {
  const upper = text.toUpperCase();
  const known = numbers.get(upper);
  if (known !== undefined) return known;
  if (!/^TYPE[1-9][0-9]{0,4}$/.test(upper)) return undefined;
  const number = Number(upper.slice('TYPE'.length));
  return number <= 0xffff ? number : undefined;
}

/** Returns the mnemonic, or `TYPEnnn` if IANA has none. */
export function formatRecordType(number: number): string {
  return mnemonics.get(number) ?? `TYPE${number}`;
}

/**
 * Returns true for types that a zone can contain: not 0, OPT, or the query and meta types 128…255 (RFC 6895 section
 * 3.1).
 */
export function isDataType(number: number): boolean {
  return number > 0 && number <= 0xffff && number !== rrType.OPT && (number < 128 || number > 255);
}
