// Names that only an administrator may host (contract rule 55). Pure: whether anybody hosts them already is not asked.
import type { ZoneName } from './domain.ts';
import { quoteText } from './quote-text.ts';
import { signallingDomainOf } from './signal-name.ts';

/** The operator's own names, from the settings. */
export interface OperatorNames {
  /** Host names of the service's nameservers. */
  readonly nameservers: readonly string[];
  /** The operator's mail address. */
  readonly mailbox: string;
}

/**
 * Special-use names (the IANA registry; RFC 6761, 6762, 7686, 8375, 8880, 9031, 9140, 9462, 9476, 9665, and `internal`,
 * which ICANN reserves for private use). Nobody registers anything in them, so hosting one misleads clients whose
 * queries leak. Reserved with everything below.
 *
 * Left out are names that are meant to be served as customers like: documentation and test names (`test`, `example`,
 * `example.com`, `example.net`, `example.org`), which clients use in their tests, and the reverse zones of private
 * addresses, in which organisations name their own machines.
 */
const specialUseNames: ReadonlySet<string> = new Set([
  'alt',
  'internal',
  'invalid',
  'local',
  'localhost',
  'onion',
  '6tisch.arpa',
  'eap.arpa',
  'eap-noob.arpa',
  'home.arpa',
  'ipv4only.arpa',
  'resolver.arpa',
  'service.arpa',
  '170.0.0.192.in-addr.arpa',
  '171.0.0.192.in-addr.arpa',
  '254.169.in-addr.arpa',
  '8.e.f.ip6.arpa',
  '9.e.f.ip6.arpa',
  'a.e.f.ip6.arpa',
  'b.e.f.ip6.arpa',
]);

/** Longer prefixes belong to one network; an address block of this size or larger belongs to a provider or registry. */
const WIDEST_IPV4_PREFIX_BITS = 16;
const WIDEST_IPV6_PREFIX_BITS = 32;

/** Returns one sentence that says why only an administrator may create the domain; undefined if it is not reserved. */
export function findReservation(name: ZoneName, operator: OperatorNames): string | undefined {
  const reason = findSpecialUse(name) ?? findReversePrefix(name) ?? findOperatorsUse(name, operator);
  if (reason === undefined) return undefined;
  return `Domain ${quoteText(name)} is reserved: ${reason}; only an administrator can create it`;
}

function findOperatorsUse(name: ZoneName, operator: OperatorNames): string | undefined {
  if (isOperators(name, operator)) return 'the nameservers or the hostmaster of this service are in it';
  const signalling = operator.nameservers.map(signallingDomainOf).find((domain) => isAtOrAbove(domain, name));
  if (signalling === undefined) return undefined;
  return `in ${quoteText(signalling)}, the operator vouches for the keys of domains`;
}

function findSpecialUse(name: string): string | undefined {
  for (let from = 0; from !== -1; from = nextLabel(name, from)) {
    const suffix = name.slice(from);
    if (specialUseNames.has(suffix)) return `${quoteText(suffix)} is a special-use name`;
  }
  return undefined;
}

function nextLabel(name: string, from: number): number {
  const dot = name.indexOf('.', from);
  return dot === -1 ? -1 : dot + 1;
}

function findReversePrefix(name: string): string | undefined {
  if (name === 'arpa') return 'it contains all reverse zones';
  return (
    findWidePrefix(name, 'in-addr.arpa', 8, WIDEST_IPV4_PREFIX_BITS, 'IPv4') ??
    findWidePrefix(name, 'ip6.arpa', 4, WIDEST_IPV6_PREFIX_BITS, 'IPv6')
  );
}

function findWidePrefix(
  name: string,
  root: string,
  bitsPerLabel: number,
  widestBits: number,
  family: string,
): string | undefined {
  if (name !== root && !name.endsWith(`.${root}`)) return undefined;
  const labels = name.split('.').length - root.split('.').length;
  const bits = labels * bitsPerLabel;
  if (bits > widestBits) return undefined;
  return `it is the reverse zone of an ${family} /${bits}, and those of /${widestBits} and shorter belong to providers`;
}

/** True for the domains of the operator's hosts and mailbox, and for everything above them. */
function isOperators(name: string, { nameservers, mailbox }: OperatorNames): boolean {
  const hosts = [...nameservers, mailbox.slice(mailbox.lastIndexOf('@') + 1)];
  return hosts.some((host) => isAtOrAbove(name, host.toLowerCase().replace(/\.$/, '')));
}

function isAtOrAbove(name: string, other: string): boolean {
  return other === name || other.endsWith(`.${name}`);
}
