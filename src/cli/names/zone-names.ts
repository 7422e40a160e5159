import { domainToASCII } from 'node:url';
import { parsed, type Parsed } from '../../base/parsed.ts';
import { clip } from '../../dns/clip.ts';
import { isSubdomain, parseDomainName, type DomainName } from '../../dns/name.ts';
import { CommandFailure } from '../failures/command-failure.ts';
import { exitCodes } from '../failures/exit-codes.ts';

/** Converts a domain to the form that the CLI prints: lower case, without trailing dot. */
export function normalDomain(text: string): string {
  return text.trim().toLowerCase().replace(/\.$/, '');
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
  const name = toAscii(text.trim().replace(/\.$/, ''));
  if (name === '' || name === '@') return parsed(zone);
  const absolute = parseDomainName(name);
  if (absolute.ok && isSubdomain(absolute.value, zone)) return absolute;
  return parseDomainName(name, zone);
}

/** Converts U-labels to A-labels; other text stays as it is. */
export function toAscii(text: string): string {
  return /[^\u0000-\u007f]/.test(text) ? domainToASCII(text) || text : text;
}
