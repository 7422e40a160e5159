import { isIPv4, isIPv6 } from 'node:net';

/** An IPv6 client can use all addresses of its /64 (RFC 6177 section 2). */
const GROUPS_OF_NETWORK = 4;

/**
 * Returns the network that limits count: the address itself for IPv4, the first 64 bits for IPv6. An unknown address, for
 * example that of a Unix socket, is the empty text.
 */
export function clientNetwork(address: string | undefined): string {
  if (address === undefined || isIPv4(address)) return address ?? '';
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const bare = address.split('%')[0] ?? '';
  if (!isIPv6(bare)) return address;
  const [head, tail] = splitOnce(bare);
  const first = groupsOf(head);
  const last = tail === undefined ? [] : groupsOf(tail);
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0');
  const groups = tail === undefined ? first : [...first, ...zeros, ...last];
  const network = groups.slice(0, GROUPS_OF_NETWORK).map((group) => parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}

function splitOnce(text: string): [head: string, tail: string | undefined] {
  const at = text.indexOf('::');
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 2)];
}

/** The last 32 bits may be written as an IPv4 address, which counts as two groups. */
function groupsOf(text: string): string[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]));
}
