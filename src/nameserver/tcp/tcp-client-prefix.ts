/**
 * The unit that counts as one client: an IPv4 address, or an IPv6 /64, the smallest prefix that subscribers are given.
 * Takes the text form that sockets report; the result is a key, not an address.
 */
export function tcpClientPrefix(address: string): string {
  // Dual-stack sockets report IPv4 addresses as mapped IPv6 addresses (RFC 4291 section 2.5.5.2).
  if (address.startsWith(MAPPED)) return address.slice(MAPPED.length);
  if (!address.includes(':')) return address;
  const [head = [], tail = []] = address.split('::').map(splitGroups);
  const zeros = Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0');
  return [...head, ...zeros, ...tail].slice(0, 4).join(':');
}

const MAPPED = '::ffff:';

function splitGroups(part: string): readonly string[] {
  return part.split(':').filter((group) => group !== '');
}
