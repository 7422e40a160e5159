import { domainToASCII } from 'node:url';
import { parsed, type Parsed } from '../../base/parsed.ts';
import { clip } from '../../dns/clip.ts';
import { isSubdomain, parseDomainName, type DomainName } from '../../dns/name.ts';
import { isBeyondAscii, nameToAscii } from '../../dns/name-to-ascii.ts';
import { CommandFailure } from '../failures/command-failure.ts';
import { exitCodes } from '../failures/exit-codes.ts';

/** Converts a domain to the form that the CLI prints: lower case, A-labels, without trailing dot. */
export function normalDomain(text: string): string {
  return toAscii(text.trim()).toLowerCase().replace(/\.$/, '');
}

/** @throws CommandFailure if it is not a domain name */
export function getZoneName(domain: string): DomainName {
  const zone = parseDomainName(toAscii(domain));
  if (zone.ok) return zone.value;
  throw new CommandFailure(exitCodes.usage, `${clip(domain)} is not a domain: ${zone.problem}`);
}

/**
 * Parses a record's name as HTTP interfaces show it: a name that ends in the zone is absolute, any other is relative
 * to it (contract rule 21).
 */
export function parseOwner(text: string, zone: DomainName): Parsed<DomainName> {
  const converted = nameToAscii(text.trim().replace(/\.$/, ''), uLabelsToAscii);
  if (!converted.ok) return converted;
  const name = converted.value.ascii;
  if (name === '' || name === '@') return parsed(zone);
  const absolute = parseDomainName(name);
  if (absolute.ok && isSubdomain(absolute.value, zone)) return absolute;
  return parseDomainName(name, zone);
}

/** Converts U-labels to A-labels; other text, and text that is not valid, stays as it is. */
export function toAscii(text: string): string {
  return isBeyondAscii(text) ? (uLabelsToAscii(text) ?? text) : text;
}

/** Converts one label or several with dots. Returns undefined if a label is not valid. */
export function uLabelsToAscii(text: string): string | undefined {
  // A label behind it keeps a number from becoming an IPv4 address; the other characters would be read as those of a URL.
  const ascii = OF_URLS.test(text) ? '' : domainToASCII(`${text}.x`);
  return ascii === '' ? undefined : ascii.slice(0, -2);
}

const OF_URLS = /[\s%/\\?#@:[\]]/;
