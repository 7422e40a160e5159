/**
 * Text whose order, character by character, is the canonical order of names (RFC 4034 section 6.1), for ids of rows:
 * the store finds neighbours in the NSEC chain with an index on the text.
 *
 *     example.com ─▶ ''      b.a.example.com ─▶ '!a!b'      *.example.com ─▶ '!*'      a\(.example.com ─▶ '!a#28'
 *
 * The names below a name P are those from `P!` up to, and without, `P"`.
 */
import { MAX_LABELS, type DomainName } from '../dns/name.ts';

/** Stands before each label; sorts before every octet, so that a name comes before the names below it. */
const LABEL_START = '!';
/** The first character that no key below a name has after that name. */
const AFTER_SUBTREE = '"';

/** One text an octet. The escapes of low and high octets keep their order: `#` is below 0x2A, and `{` is 0x7B. */
const octetText: readonly string[] = Array.from({ length: 256 }, (_, octet) => {
  const hex = octet.toString(16).padStart(2, '0');
  if (octet < 0x2a) return `#${hex}`;
  if (octet > 0x7a) return `{${hex}`;
  return String.fromCharCode(octet).toLowerCase();
});

/**
 * @param name absolute, in any case; the zone's apex or below it
 * @param apexLabels the number of labels of the apex
 */
export function formatOrderKey(name: DomainName, apexLabels: number): string {
  let labels = 0;
  for (let at = 0; name[at] !== 0 && at < name.length; at += 1 + name[at]) offsets[labels++] = at;
  let key = '';
  for (let label = labels - apexLabels - 1; label >= 0; label--) {
    key += LABEL_START;
    const start = offsets[label] + 1;
    const end = start + name[start - 1];
    for (let at = start; at < end; at++) key += octetText[name[at]];
  }
  return key;
}

/** The key of a label directly below the apex. @param octets as characters of a string */
export function formatLabelKey(octets: string): string {
  let key = LABEL_START;
  for (let at = 0; at < octets.length; at++) key += octetText[octets.charCodeAt(at)];
  return key;
}

/** The octets of the label directly below the apex, as characters of a string; empty for the apex. */
export function topLabelOf(orderKey: string): string {
  let octets = '';
  for (let at = LABEL_START.length; at < orderKey.length && orderKey[at] !== LABEL_START; at++) {
    const isEscape = orderKey[at] === '#' || orderKey[at] === '{';
    octets += isEscape ? String.fromCharCode(parseInt(orderKey.slice(at + 1, at + 3), 16)) : orderKey[at];
    if (isEscape) at += 2;
  }
  return octets;
}

/** The keys of all names below a name, without the name itself: `from` ≤ key < `to`. */
export function keysBelow(orderKey: string): { readonly from: string; readonly to: string } {
  return { from: orderKey + LABEL_START, to: orderKey + AFTER_SUBTREE };
}

/** Scratch memory: a large zone is signed name by name. */
const offsets = new Uint8Array(MAX_LABELS);
