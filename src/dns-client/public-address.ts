/**
 * Tells addresses of the public internet from those that only this network, this machine or nobody has (the IANA
 * registries of special-purpose addresses, RFC 6890).
 */
import { BlockList } from 'node:net';
import { formatIpv4, parseIpv4, parseIpv6 } from '../dns/ip-address.ts';

/** Returns false for anything that is not an address. */
export function isPublicAddress(address: string): boolean {
  if (parseIpv4(address).ok) return !special.check(address, 'ipv4');
  const ipv6 = parseIpv6(address);
  if (!ipv6.ok) return false;
  // The well-known prefix of NAT64 ends in an IPv4 address (RFC 6052 section 2.1).
  if (translated.check(address, 'ipv6')) return isPublicAddress(formatIpv4(ipv6.value.subarray(12)));
  return unicast.check(address, 'ipv6') && !special.check(address, 'ipv6');
}

/** The part of the space from which public IPv6 addresses are assigned (RFC 4291 section 2.4). */
const unicast = new BlockList();
unicast.addSubnet('2000::', 3, 'ipv6');

const translated = new BlockList();
translated.addSubnet('64:ff9b::', 96, 'ipv6');

const special = new BlockList();
for (const [network, bits] of [
  // "This network".
  ['0.0.0.0', 8],
  // Private use, and carriers' shared space.
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  // Loopback, and link-local, where clouds have their metadata services.
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  // Protocol assignments, documentation, former 6to4 relays, benchmarks.
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['192.88.99.0', 24],
  ['198.18.0.0', 15],
  // Multicast, reserved space and broadcast.
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  special.addSubnet(network, bits, 'ipv4');
}
for (const [network, bits] of [
  // Protocol assignments, which include Teredo; 6to4. Both carry packets to an IPv4 address in the IPv6 address.
  ['2001::', 23],
  ['2002::', 16],
  // Documentation.
  ['2001:db8::', 32],
  ['3fff::', 20],
] as const) {
  special.addSubnet(network, bits, 'ipv6');
}
