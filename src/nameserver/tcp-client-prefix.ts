/**
 * What counts as one client: an IPv4 address, or an IPv6 /64, which is the least that a subscriber is given.
 * Takes the text form that sockets report; the result is a key and no address.
 */
export function tcpClientPrefix(address: string): string {
  if (!address.includes(':')) return address;
  const [head = [], tail = []] = address.split('::').map(splitGroups);
  const zeros = Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0');
  return [...head, ...zeros, ...tail].slice(0, 4).join(':');
}

function splitGroups(part: string): readonly string[] {
  return part.split(':').filter((group) => group !== '');
}
