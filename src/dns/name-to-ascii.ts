/**
 * Names with U-labels (RFC 5890), which only text has: a domain name has A-labels. The rules of the conversion (UTS #46)
 * come from the caller.
 */
import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import { clip } from './clip.ts';
import { MAX_NAME_CHARACTERS, MAX_NAME_OCTETS } from './name.ts';
import { splitLabels } from './split-labels.ts';

/** Converts one U-label; returns undefined if it is not valid. */
export type ToAscii = (text: string) => string | undefined;

export interface AsciiName {
  /** With A-labels, in zone file format. */
  readonly ascii: string;
  /** The labels as given; empty if there was nothing to convert. */
  readonly labels: readonly string[];
}

export function isBeyondAscii(text: string): boolean {
  return BEYOND_ASCII.test(text);
}

/** Converts each U-label of a name on its own; labels in ASCII stay as they are, with their escapes. */
export function nameToAscii(text: string, toAscii: ToAscii): Parsed<AsciiName> {
  if (!isBeyondAscii(text)) return parsed({ ascii: text, labels: [] });
  if (text.length > MAX_NAME_CHARACTERS)
    return malformed(`the name is longer than ${MAX_NAME_OCTETS} octets`);
  const labels = splitLabels(text);
  const ascii: string[] = [];
  for (const label of labels) {
    const aLabel = isBeyondAscii(label) ? toAscii(label) : label;
    if (aLabel === undefined || (isBeyondAscii(label) && !A_LABEL.test(aLabel))) {
      return malformed(`Label ${clip(label)} is not a valid internationalised label`);
    }
    ascii.push(aLabel);
  }
  return parsed({ ascii: ascii.join('.'), labels });
}

const BEYOND_ASCII = /[^\x00-\x7f]/;
/** The characters of a U-label after its conversion; escapes are not supported there. */
const A_LABEL = /^[\w*-]+$/;
