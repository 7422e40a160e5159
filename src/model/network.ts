import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import { formatIpv4, formatIpv6, parseIpv4, parseIpv6 } from '../dns/ip-address.ts';
import { quoteText } from './quote-text.ts';

/** All addresses with the same first bits (RFC 4632, RFC 4291 section 2.3). */
export interface Network {
  /** 4 or 16; bits beyond the prefix are 0. A plain array, because commands and kept outcomes become JSON. */
  readonly octets: readonly number[];
  readonly prefixBits: number;
}

/** Parses `192.0.2.0/24`, `2001:db8::/32`, or one address. */
export function parseNetwork(text: string): Parsed<Network> {
  const [address, ...prefixes] = text.trim().split('/');
  const prefix = prefixes.at(0);
  const octets = parseOctets(address);
  const shown = quoteText(text);
  if (octets === undefined || prefixes.length > 1) {
    return malformed(`Network ${shown} is not an address or a network such as 192.0.2.0/24 or 2001:db8::/32`);
  }
  const bits = octets.length * 8;
  const prefixBits = prefix === undefined ? bits : DECIMAL.test(prefix) ? Number(prefix) : -1;
  if (prefixBits < 0 || prefixBits > bits) return malformed(`The prefix of ${shown} must be 0 to ${bits}`);
  const network = { octets: firstBits(octets, prefixBits), prefixBits };
  if (prefix === undefined || network.octets.every((octet, at) => octet === octets[at]))
    return parsed(network);
  return malformed(`Network ${shown} has bits beyond its prefix; ${formatNetwork(network)} has none`);
}

/** `192.0.2.0/24`; a single address without a prefix. */
export function formatNetwork({ octets, prefixBits }: Network): string {
  const address =
    octets.length === 4 ? formatIpv4(Uint8Array.from(octets)) : formatIpv6(Uint8Array.from(octets));
  return prefixBits === octets.length * 8 ? address : `${address}/${prefixBits}`;
}

/** Whether the address is in the network. An IPv4 address that is mapped into IPv6 counts as IPv4. */
export function includesAddress({ octets, prefixBits }: Network, address: string): boolean {
  const found = parseOctets(address.replace(MAPPED, '').replace(ZONE, ''));
  if (found?.length !== octets.length) return false;
  return firstBits(found, prefixBits).every((octet, at) => octet === octets[at]);
}

/** Whether all addresses of `inner` are in `outer`. */
export function coversNetwork(outer: Network, inner: Network): boolean {
  if (inner.octets.length !== outer.octets.length || inner.prefixBits < outer.prefixBits) return false;
  return firstBits(inner.octets, outer.prefixBits).every((octet, at) => octet === outer.octets[at]);
}

const DECIMAL = /^\d{1,3}$/;
/** RFC 4007 section 11: it names an interface of this machine. */
const ZONE = /%.*$/;
const MAPPED = /^::ffff:(?=\d+\.)/i;

function parseOctets(address: string): number[] | undefined {
  const result = address.includes(':') ? parseIpv6(address) : parseIpv4(address);
  return result.ok ? [...result.value] : undefined;
}

function firstBits(octets: readonly number[], bits: number): number[] {
  return octets.map((octet, at) => octet & (0xff00 >>> Math.min(8, Math.max(0, bits - at * 8))) & 0xff);
}
