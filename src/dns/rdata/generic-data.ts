/** The generic data format of every type: `\# length hex` (RFC 3597 section 5). */
import { malformed, parsed, type Parsed } from '../../base/parsed.ts';
import { clip } from '../clip.ts';
import { parseUnsigned } from '../parse-unsigned.ts';
import { formatHex, parseHex } from '../hex.ts';
import { TokenReader } from '../token-reader.ts';

/** Returns the octets or a problem if the text begins with the word `\#`, otherwise undefined. */
export function findGenericData(text: string): Parsed<Uint8Array> | undefined {
  if (!/^[ \t(]*\\#(?:$|[ \t])/.test(text)) return undefined;
  const tokens = new TokenReader(text);
  tokens.next();
  const length = tokens.next()?.text ?? '';
  const words = tokens.joinWords();
  if (tokens.problem !== undefined) return malformed(tokens.problem);
  const octets = parseUnsigned(length, 0xffff);
  if (octets === undefined)
    return malformed(`the length after \\# is not an integer from 0 to 65535: ${clip(length)}`);
  if (words === undefined) return malformed('the hex digits after \\# must not be in quotes');
  const data = parseHex(words);
  if (!data.ok) return malformed(`the data after \\# ${octets} is not hex: ${data.problem}`);
  if (data.value.length !== octets) {
    return malformed(`\\# declares ${octets} octets, but ${data.value.length} follow`);
  }
  return parsed(data.value);
}

export function formatGenericData(rdata: Uint8Array): string {
  return rdata.length === 0 ? '\\# 0' : `\\# ${rdata.length} ${formatHex(rdata).toUpperCase()}`;
}
