import { toASCII, toUnicode } from 'tr46';
import { MAX_NAME_OCTETS } from '../dns/name.ts';
import { splitLabels } from '../dns/split-labels.ts';

/**
 * Internationalised names (UTS #46, RFC 5890 to 5893): converts text with U-labels to A-labels, the only form that is
 * compared and put on the wire. Checks neither which ASCII characters are legal nor the lengths of labels.
 */

/**
 * The longest text of a name that is parsed: each octet of the longest name written as `\DDD`. No name needs more, and
 * IDNA work on a client's text stays bounded.
 */
export const MAX_NAME_TEXT_CHARACTERS = MAX_NAME_OCTETS * 4;

/**
 * Maps characters (case, width, ideographic full stops) and converts every U-label to an A-label. The result is in lower
 * case. Returns undefined if a label is not a valid U-label or A-label, or would not survive the round trip.
 */
export function asciiName(text: string): string | undefined {
  const name = toASCII(text, nonTransitional);
  if (name === null) return undefined;
  return name.split('.').every(isStableLabel) ? name : undefined;
}

/** Converts the A-labels of a name in zone file format to U-labels; all other labels stay as they are. */
export function unicodeName(name: string): string {
  return isPlainAscii(name) ? name : splitLabels(name).map(unicodeLabel).join('.');
}

function unicodeLabel(label: string): string {
  const unicode = label.startsWith('xn--') ? toUnicode(label, nonTransitional).domain : label;
  return asciiName(unicode) === label ? unicode : label;
}

interface LabelForms {
  /** With A-labels, lower-case. */
  readonly ascii: string;
  /** With U-labels, lower-case. */
  readonly unicode: string;
}

/** Both forms of a host name, or part of one, that has U-labels or A-labels; undefined for any other text. */
export function findLabelForms(text: string): LabelForms | undefined {
  if (isPlainAscii(text) || text.length > MAX_NAME_TEXT_CHARACTERS) return undefined;
  const ascii = asciiName(text);
  if (ascii === undefined || isPlainAscii(ascii) || !OF_HOSTS.test(ascii)) return undefined;
  return { ascii, unicode: toUnicode(ascii, nonTransitional).domain };
}

/** True if the text has neither U-labels nor A-labels, so that only the ASCII rules apply. Upper case is allowed. */
export function isPlainAscii(text: string): boolean {
  return !BEYOND_PLAIN_ASCII.test(text);
}

/**
 * Hyphens are checked label by label below, since a plain label may have hyphens in the third and fourth position
 * (`r3---sn`). STD3 is off because it would refuse underscores.
 */
const nonTransitional = {
  checkBidi: true,
  checkJoiners: true,
  checkHyphens: false,
  useSTD3ASCIIRules: false,
  transitionalProcessing: false,
} as const;

const oneALabel = { ...nonTransitional, checkHyphens: true } as const;

/** RFC 5891 section 5.4: an A-label must survive the round trip unchanged, with no hyphen at a forbidden position. */
function isStableLabel(label: string): boolean {
  return !label.startsWith('xn--') || toASCII(label, oneALabel) === label;
}

/** Host names, and the characters of service names and wildcards. */
const OF_HOSTS = /^[a-z0-9._*-]+$/;
const BEYOND_PLAIN_ASCII = /[^\x00-\x7f]|(?:^|\.)xn--/i;
