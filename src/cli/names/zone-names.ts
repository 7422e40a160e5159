import { domainToASCII } from 'node:url';
import { parsed, type Parsed } from '../../base/parsed.ts';
import { clip } from '../../dns/clip.ts';
import { isSubdomain, parseDomainName, type DomainName } from '../../dns/name.ts';
import { CommandFailure } from '../failures/command-failure.ts';
import { exitCodes } from '../failures/exit-codes.ts';

/** A domain as people and services write it → as it is shown here: lower case, no trailing dot. */
export function normalDomain(text: string): string {
  return text.trim().toLowerCase().replace(/\.$/, '');
}

/** @throws CommandFailure for what is no name */
export function getZoneName(domain: string): DomainName {
  const zone = parseDomainName(toAscii(domain));
  if (zone.ok) return zone.value;
  throw new CommandFailure(exitCodes.usage, `${clip(domain)} is not a domain: ${zone.problem}`);
}

/**
 * A record's name as this interface and others show it: what ends in the zone is absolute, all else is relative to it
 * (contract rule 21).
 */
export function parseOwner(text: string, zone: DomainName): Parsed<DomainName> {
  const name = toAscii(text.trim().replace(/\.$/, ''));
  if (name === '' || name === '@') return parsed(zone);
  const absolute = parseDomainName(name);
  if (absolute.ok && isSubdomain(absolute.value, zone)) return absolute;
  return parseDomainName(name, zone);
}

/** U-labels as A-labels; what has none stays as it is. */
export function toAscii(text: string): string {
  return /[^\u0000-\u007f]/.test(text) ? domainToASCII(text) || text : text;
}
