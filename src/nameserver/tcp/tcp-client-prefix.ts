/**
 * What counts as one client: an IPv4 address, or an IPv6 /64, which is the least that a subscriber is given.
 * Takes the text form that sockets report; the result is a key and no address.
 */
export function tcpClientPrefix(address: string): string {
  // A socket of both families reports IPv4 addresses as mapped ones (RFC 4291 section 2.5.5.2).
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
