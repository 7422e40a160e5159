// Signalling names (RFC 9615), at which the operator of a nameserver vouches for the keys of the domains on it.
import type { ZoneName } from './domain.ts';
import { parseRecordName } from './record-name.ts';
import type { OwnerKey } from './record.ts';

/** The first label of the name of a signalling domain (RFC 9615 section 3.1). */
const SIGNAL_LABEL = '_signal';

/** The first label of a signalling name that is about DNSSEC (RFC 9615 section 4.1). */
const BOOTSTRAP_LABEL = '_dsboot';

/** The name of the signalling domain of a nameserver. @param nameserver a host name, in any case */
export function signallingDomainOf(nameserver: string): ZoneName {
  const host = nameserver.toLowerCase().replace(/\.$/, '');
  return `${SIGNAL_LABEL}.${host}` as ZoneName;
}

/** The nameserver of a signalling domain, in lower case; undefined for all other domains. */
export function nameserverOf(signalling: ZoneName): string | undefined {
  const start = `${SIGNAL_LABEL}.`;
  return signalling.startsWith(start) ? signalling.slice(start.length) : undefined;
}

/**
 * The record name of the signals about a domain; undefined if the whole name is too long for DNS, or if one of both domains
 * is inside the other: nobody can vouch for himself, so nameservers inside their domain are left out (RFC 9615 section 4.2).
 */
export function parseSignalName(
  about: ZoneName,
  signalling: ZoneName,
): { readonly name: string; readonly owner: OwnerKey } | undefined {
  if (isAtOrBelow(signalling, about) || isAtOrBelow(about, signalling)) return undefined;
  const parsed = parseRecordName(`${BOOTSTRAP_LABEL}.${about}`, signalling);
  return parsed.ok ? parsed.value : undefined;
}

/** The opposite of `parseSignalName`: the domain that records of this name are about; undefined for all other names. */
export function domainOfSignal(name: string): ZoneName | undefined {
  const start = `${BOOTSTRAP_LABEL}.`;
  const lower = name.toLowerCase();
  return lower.startsWith(start) ? (lower.slice(start.length) as ZoneName) : undefined;
}

function isAtOrBelow(name: string, other: string): boolean {
  return name === other || name.endsWith(`.${other}`);
}
