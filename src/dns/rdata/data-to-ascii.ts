import { malformed, parsed, type Parsed } from '../../base/parsed.ts';
import { clip } from '../clip.ts';
import { isBeyondAscii, nameToAscii, type ToAscii } from '../name-to-ascii.ts';
import { scanToken } from '../tokens.ts';
import { findRecordType } from './record-type-registry.ts';

/**
 * Converts U-labels to A-labels in those words of record data that are domain names. The wire form is made from the result.
 */
export function dataToAscii(type: number, data: string, toAscii: ToAscii): Parsed<string> {
  if (!isBeyondAscii(data)) return parsed(data);
  let text = '';
  let copied = 0;
  let position = 0;
  for (let scanned = scanToken(data, 0); scanned?.ok === true; scanned = scanToken(data, scanned.value.end)) {
    const { kind, start, end } = scanned.value;
    if (kind !== 'word' && kind !== 'quoted') continue;
    const word = wordToAscii(type, position++, data.slice(start, end), toAscii);
    if (!word.ok) return word;
    text += data.slice(copied, start) + word.value;
    copied = end;
  }
  return parsed(text + data.slice(copied));
}

/**
 * Like `dataToAscii`, for one word.
 *
 * @param position of the word in the data, from 0
 * @param word as written, with its quotes
 */
export function wordToAscii(type: number, position: number, word: string, toAscii: ToAscii): Parsed<string> {
  if (!isBeyondAscii(word) || word.startsWith('"') || !isName(type, position)) return parsed(word);
  const name = nameToAscii(word, toAscii);
  if (!name.ok) return malformed(`Host name ${clip(word)} is not a valid internationalised name`);
  return parsed(name.value.ascii);
}

function isName(type: number, position: number): boolean {
  let next = 0;
  for (const { codec } of findRecordType(type)?.fields ?? []) {
    if (codec.kind === 'domain names') return position >= next;
    if (position === next) return codecsOfOneName.has(codec.kind);
    next += codec.kind === 'host identity' ? HOST_IDENTITY_WORDS : 1;
  }
  return false;
}

const codecsOfOneName: ReadonlySet<string> = new Set(['domain name', 'IPSECKEY gateway', 'AMT relay']);

/** Algorithm, tag and public key (RFC 8005 section 6). All other fields have one word, or are the last. */
const HOST_IDENTITY_WORDS = 3;
