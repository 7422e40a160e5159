import { malformed, parsed, type Parsed } from '../../base/parsed.ts';
import { clip } from '../clip.ts';
import { isBeyondAscii, nameToAscii, type ToAscii } from '../name-to-ascii.ts';
import { scanToken, type Token } from '../tokens.ts';
import { findRecordType } from './record-type-registry.ts';

/**
 * Converts U-labels in record data to A-labels, in types that contain domain names, and never inside quotes. The wire form
 * is made from the result.
 */
export function dataToAscii(type: number, data: string, toAscii: ToAscii): Parsed<string> {
  if (!isBeyondAscii(data) || !holdsNames(type)) return parsed(data);
  let text = '';
  let copied = 0;
  for (let scanned = scanToken(data, 0); scanned?.ok === true; scanned = scanToken(data, scanned.value.end)) {
    const token = scanned.value;
    if (!isInternationalName(token)) continue;
    const name = nameToAscii(token.text, toAscii);
    if (!name.ok) return malformed(`Host name ${clip(token.text)} is not a valid internationalised name`);
    text += data.slice(copied, token.start) + name.value.ascii;
    copied = token.end;
  }
  return parsed(text + data.slice(copied));
}

function holdsNames(type: number): boolean {
  return findRecordType(type)?.fields.some((field) => codecsWithNames.has(field.codec.kind)) ?? false;
}

const codecsWithNames: ReadonlySet<string> = new Set([
  'domain name',
  'domain names',
  'IPSECKEY gateway',
  'AMT relay',
]);

/** SVCB parameters (`key=value`) are words too, but not names. */
function isInternationalName(token: Token): boolean {
  return token.kind === 'word' && isBeyondAscii(token.text) && !token.text.includes('=');
}
