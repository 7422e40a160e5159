import { parse as parseSuffix } from 'tldts';
import { assert } from '../base/assert.ts';
import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import {
  countLabels,
  DOT_AT_END,
  formatDomainName,
  isSubdomain,
  lowerDomainName,
  MAX_LABEL_OCTETS,
  MAX_NAME_OCTETS,
  parseDomainName,
  type DomainName,
} from '../dns/name.ts';
import { isBeyondAscii, nameToAscii } from '../dns/name-to-ascii.ts';
import { splitLabels } from '../dns/split-labels.ts';
import type { ZoneName } from './domain.ts';
import { asciiName, MAX_NAME_TEXT_CHARACTERS } from './idna.ts';
import { quoteText } from './quote-text.ts';
import type { OwnerKey } from './record.ts';

/**
 * A record name, parsed from text that is relative to the domain or a full name (contract rule 21):
 *
 *     text ─▶ trim ─▶ full name? cut the domain off ─▶ name (shown, case kept) and owner (compared, lower case)
 *
 * Parsing a name that was shown gives the same owner and the same name. Never asks which records exist at a name.
 */
interface RecordName {
  readonly owner: OwnerKey;
  /** The name that the interface shows, relative to the domain, without a trailing dot; `''` for the apex. */
  readonly name: string;
}

export const APEX = '' as OwnerKey;

export function parseRecordName(text: string, zone: ZoneName): Parsed<RecordName> {
  const given = trimName(text);
  if (given === '' || given === '@') return apex;
  return PLAIN_NAME.test(given) ? parsePlainName(given, zone) : parseUnusualName(given, zone);
}

/** The full owner name in lower case, in wire form. */
export function ownerDomainName(owner: OwnerKey, zone: ZoneName): DomainName {
  const name = parseDomainName(owner === APEX ? zone : `${owner}.${zone}`);
  assert(name.ok, 'an owner and its domain make a name');
  return name.value;
}

/** Like `ownerDomainName`, for many owners of one domain. */
export function ownerBelow(owner: OwnerKey, apexName: DomainName): DomainName {
  const name = owner === APEX ? parsed(apexName) : parseDomainName(owner, apexName);
  assert(name.ok, 'an owner and its domain make a name');
  return name.value;
}

/** True if DNS ignores something of the name as it is shown: the case of its letters. */
export function hasCapitals(name: string): boolean {
  return name !== name.toLowerCase();
}

const apex = parsed<RecordName>({ owner: APEX, name: '' });

/** Names that need neither escapes nor IDNA: nearly all names. */
const PLAIN_NAME = /^[\w*-]+(?:\.[\w*-]+)*\.?$/;

/** @param given matches `PLAIN_NAME`, so that one character is one octet */
function parsePlainName(given: string, zone: ZoneName): Parsed<RecordName> {
  const dotted = given.endsWith('.');
  const text = dotted ? withoutTrailingDot(given) : given;
  const lower = text.toLowerCase();
  if (lower === zone) return apex;
  const inside = endsInDomain(lower, zone);
  if (!inside && dotted && leavesDomain(lower, zone)) return malformed(leaving(given, zone));
  const relativeLength = inside ? lower.length - zone.length - 1 : lower.length;
  const owner = lower.slice(0, relativeLength) as OwnerKey;
  const longLabel = findLongLabel(owner);
  if (longLabel !== undefined) return malformed(labelTooLong(longLabel));
  // On the wire, each dot becomes the length octet of the next label; the first label and the root add one each.
  if (owner.length + 1 + zone.length + 2 > MAX_NAME_OCTETS) return malformed(nameTooLong(given, zone));
  const relative = text.slice(0, relativeLength);
  const readAsDomain = owner === (zone as string) || endsInDomain(owner, zone);
  return parsed({ owner, name: readAsDomain ? `${relative}.${zone}` : relative });
}

function findLongLabel(owner: OwnerKey): string | undefined {
  if (owner.length <= MAX_LABEL_OCTETS) return undefined;
  return owner.split('.').find((label) => label.length > MAX_LABEL_OCTETS);
}

/** True for `x.example.com` in `example.com`; false for the domain itself and for `xexample.com`. */
function endsInDomain(lower: string, zone: ZoneName): boolean {
  return lower.endsWith(zone) && lower.charAt(lower.length - zone.length - 1) === '.';
}

/** Parses names with escapes, U-labels or unusual characters by way of their wire form. */
function parseUnusualName(given: string, zone: ZoneName): Parsed<RecordName> {
  if (given.length > MAX_NAME_TEXT_CHARACTERS) return malformed(nameTooLong(given, zone));
  const text = nameToAscii(given, asciiName);
  if (!text.ok) return text;
  const { ascii, labels } = text.value;
  if (ascii === '.') return malformed(leaving(ascii, zone));
  const name = parseDomainName(ascii);
  if (!name.ok) return malformed(`Record name is malformed: ${name.problem}`);
  const zoneWire = ownerDomainName(APEX, zone);
  const inside = isSubdomain(name.value, zoneWire);
  if (!inside && DOT_AT_END.test(ascii) && leavesDomain(ascii.slice(0, -1).toLowerCase(), zone)) {
    return malformed(leaving(given, zone));
  }
  const relative = inside ? cutDomain(name.value, zoneWire) : name.value;
  if (countLabels(relative) === 0) return apex;
  if (relative.length - 1 + zoneWire.length > MAX_NAME_OCTETS) return malformed(nameTooLong(given, zone));
  const shown = showLabels(relative, labels);
  return parsed({
    owner: withoutTrailingDot(formatDomainName(lowerDomainName(relative))) as OwnerKey,
    name: isSubdomain(relative, zoneWire) ? `${shown}.${zone}` : shown,
  });
}

/** Shows labels with characters beyond ASCII as they were given, and all others in presentation form. */
function showLabels(relative: DomainName, given: readonly string[]): string {
  const shown = withoutTrailingDot(formatDomainName(relative));
  if (given.length === 0) return shown;
  const labels = splitLabels(shown).map((label, at) => (isBeyondAscii(given[at]) ? given[at] : label));
  return labels.join('.').trim();
}

function cutDomain(name: DomainName, zoneWire: DomainName): DomainName {
  const relative = name.slice(0, name.length - zoneWire.length + 1);
  relative[relative.length - 1] = 0;
  return relative as DomainName;
}

/**
 * Whether a name with a trailing dot is a full name of another domain, such as `www.example.net.` in `example.com`: as a
 * relative name it would be served where nobody looks for it. The dot after a single label, or after labels that do not
 * end in a top-level domain, is a mistake and is removed.
 *
 * @param lower the name without its trailing dot, not inside the domain
 */
function leavesDomain(lower: string, zone: ZoneName): boolean {
  const last = lower.slice(lower.lastIndexOf('.') + 1);
  // By rule 21, `xexample.com` in `example.com` is relative.
  if (last === lower || lower.endsWith(zone)) return false;
  const { isIcann, isSpecialUse } = parseSuffix(lower, nameOnly);
  return isIcann === true || isSpecialUse === true || last === zone.slice(zone.lastIndexOf('.') + 1);
}

const nameOnly = {
  extractHostname: false,
  validateHostname: false,
  detectIp: false,
  detectSpecialUse: true,
} as const;

/** Removes outer white space, except for a space that a backslash makes part of the name. */
function trimName(text: string): string {
  const trimmed = text.trim();
  if (trimmed.length === text.length || !DANGLING_ESCAPE.test(trimmed)) return trimmed;
  return text.trimStart().slice(0, trimmed.length + 1);
}

function withoutTrailingDot(absolute: string): string {
  return absolute.slice(0, -1);
}

function leaving(name: string, zone: ZoneName): string {
  return `Record name ${quoteText(name)} leaves the domain ${quoteText(zone)}`;
}

function labelTooLong(label: string): string {
  return `Label ${quoteText(label)} of the record name has ${label.length} octets, more than ${MAX_LABEL_OCTETS}`;
}

function nameTooLong(name: string, zone: ZoneName): string {
  return `Record name ${quoteText(name)} with the domain ${quoteText(zone)} is longer than ${MAX_NAME_OCTETS} octets`;
}

const DANGLING_ESCAPE = /(?:^|[^\\])(?:\\\\)*\\$/;
