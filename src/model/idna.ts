import { toASCII, toUnicode } from 'tr46';

/**
 * Internationalised names (UTS #46, RFC 5890 to 5893): text with U-labels → A-labels, the only form that is stored for
 * comparing and put on the wire. Never decides which ASCII characters are legal, nor about lengths.
 */

/**
 * The name with mapped characters (case, width, ideographic full stops) and every U-label as A-label. Lower-case.
 * Undefined when a U-label or an A-label is none, or would come back as another one.
 */
export function asciiName(text: string): string | undefined {
  const name = toASCII(text, NON_TRANSITIONAL);
  if (name === null) return undefined;
  return name.split('.').every(isStableLabel) ? name : undefined;
}

export interface LabelForms {
  /** With A-labels, lower-case. */
  readonly ascii: string;
  /** With U-labels, lower-case. */
  readonly unicode: string;
}

/** Both forms of text that can stand in a host's name and has U-labels or A-labels in it; undefined for any other. */
export function findLabelForms(text: string): LabelForms | undefined {
  if (isPlainAscii(text) || text.length > LONGEST_NAME_CHARACTERS) return undefined;
  const ascii = asciiName(text);
  if (ascii === undefined || isPlainAscii(ascii) || !OF_HOSTS.test(ascii)) return undefined;
  return { ascii, unicode: toUnicode(ascii, NON_TRANSITIONAL).domain };
}

/** True when plain ASCII rules alone apply: no U-label, no A-label. Upper case is fine. */
export function isPlainAscii(text: string): boolean {
  return !BEYOND_PLAIN_ASCII.test(text);
}

/** True when there is a character outside ASCII. */
export function isBeyondAscii(text: string): boolean {
  return BEYOND_ASCII.test(text);
}

/** Four for each of the longest name, 253: no name needs more, and IDNA work on a customer's text stays bounded. */
const LONGEST_NAME_CHARACTERS = 1012;

/**
 * Hyphens are judged a label at a time below, since a plain label may have two in the third and fourth place
 * (`r3---sn`); STD3 is off because it would refuse underscores.
 */
const NON_TRANSITIONAL = {
  checkBidi: true,
  checkJoiners: true,
  checkHyphens: false,
  useSTD3ASCIIRules: false,
  transitionalProcessing: false,
} as const;

const ONE_A_LABEL = { ...NON_TRANSITIONAL, checkHyphens: true } as const;

/** RFC 5891 section 5.4: an A-label must come back unchanged from the round trip, with no hyphen where none may be. */
function isStableLabel(label: string): boolean {
  return !label.startsWith('xn--') || toASCII(label, ONE_A_LABEL) === label;
}

/** With what service names and wildcards have besides. */
const OF_HOSTS = /^[a-z0-9._*-]+$/;
const BEYOND_ASCII = /[^\x00-\x7f]/;
const BEYOND_PLAIN_ASCII = /[^\x00-\x7f]|(?:^|\.)xn--/i;
