// Finds the address of a client behind the operator's proxies: Forwarded (RFC 7239) or X-Forwarded-For, read from the right,
// because anyone can send these headers and each proxy appends to them. Headers from other peers are ignored.
import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { malformed, parsed, type Parsed } from '../base/parsed.ts';

/** Addresses and networks such as `192.0.2.1` and `2001:db8::/32`, or `unix`, validated by the setting. */
export type TrustedProxies = readonly string[];

/** The other end of a connection. */
export interface Peer {
  /** Undefined if it is unknown, for example on a Unix socket. */
  readonly address: string | undefined;
  /** A proxy that names its clients. */
  readonly isProxy: boolean;
}

/** Any process that may open the Unix socket. */
export const UNIX_PEERS = 'unix';

export interface ClientAddresses {
  /** Returns the client's address; undefined if it is unknown. A problem means that a proxy sent malformed headers. */
  find(peer: Peer, headers: IncomingHttpHeaders): Parsed<string | undefined>;
  /** The peer at an address. */
  peerAt(address: string | undefined): Peer;
  /** The peer on every connection of a Unix socket. */
  readonly unixPeer: Peer;
  /** Notes the peer of a connection whose address does not tell. */
  note(socket: Duplex, peer: Peer): void;
  peerOf(socket: Duplex): Peer;
}

export function createClientAddresses(proxies: TrustedProxies): ClientAddresses {
  const trusted = new BlockList();
  for (const proxy of proxies) {
    if (proxy === UNIX_PEERS) continue;
    const [address] = proxy.split('/');
    const prefix = proxy.split('/').at(1);
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    trusted.addSubnet(address, Number(prefix ?? (family === 'ipv6' ? 128 : 32)), family);
  }
  const isTrusted = (address: string): boolean => {
    const family = isIP(address);
    return family !== 0 && trusted.check(address, family === 6 ? 'ipv6' : 'ipv4');
  };
  const noted = new WeakMap<Duplex, Peer>();
  const peerAt = (address: string | undefined): Peer => ({
    address,
    isProxy: address !== undefined && isTrusted(plain(address)),
  });
  /** The address of a connection does not change, but is missing once it is closed. */
  const peerOn = (socket: Duplex): Peer => {
    const peer = peerAt((socket as { remoteAddress?: string }).remoteAddress);
    if (peer.address !== undefined) noted.set(socket, peer);
    return peer;
  };
  return {
    peerAt,
    // A connection over TCP that was closed has no address either, so a missing address never says that it is one of these.
    unixPeer: { address: undefined, isProxy: proxies.includes(UNIX_PEERS) },
    note: (socket, peer) => void noted.set(socket, peer),
    peerOf: (socket) => noted.get(socket) ?? peerOn(socket),
    find({ address: peer, isProxy }, headers) {
      if (!isProxy) return parsed(peer);
      const own = peer === undefined ? undefined : plain(peer);
      const found: (string | undefined)[] = [];
      for (const [header, readHops] of hopReaders) {
        const value = headers[header];
        if (value === undefined) continue;
        const hops = readHops(String(value));
        const client = hops.ok ? findClient(hops.value, isTrusted) : hops;
        if (!client.ok) return malformed(`${header} of the proxy is malformed: ${client.problem}`);
        found.push(client.value ?? own);
      }
      // A proxy sets one of them; the client may have sent the other.
      if (found.some((address) => address !== found[0]))
        return malformed('Forwarded and X-Forwarded-For of the proxy name different clients');
      return parsed(found[0] ?? own);
    },
  };
}

const hopReaders: readonly (readonly [header: string, read: (value: string) => Parsed<readonly string[]>])[] =
  [
    ['forwarded', readForwarded],
    ['x-forwarded-for', (value) => parsed(value.split(',').map((hop) => hop.trim()))],
  ];

/** Returns the rightmost address that is no proxy, else the leftmost address; undefined if the header names none. */
function findClient(
  hops: readonly string[],
  isTrusted: (address: string) => boolean,
): Parsed<string | undefined> {
  let last: string | undefined;
  for (const hop of hops.toReversed()) {
    // RFC 7239 section 6: the proxy does not know or does not tell.
    if (/^(?:unknown|_[\w.-]+)$/i.test(hop)) return parsed(last);
    const address = parseNode(hop);
    if (address === undefined) return malformed('it has something else than an address');
    last = address;
    if (!isTrusted(address)) return parsed(address);
  }
  return parsed(last);
}

/** `192.0.2.1`, `192.0.2.1:80`, `[2001:db8::1]`, `[2001:db8::1]:80`, and without brackets in X-Forwarded-For. */
function parseNode(text: string): string | undefined {
  if (isIP(text) !== 0) return plain(text);
  const match = /^(?:\[([^\]]*)\]|([^:]*))(?::(?:\d{1,5}|_[\w.-]+))?$/.exec(text);
  const [six, four] = [match?.at(1), match?.at(2)];
  if (six !== undefined && isIP(six) === 6) return plain(six);
  return four !== undefined && isIP(four) === 4 ? four : undefined;
}

const ELEMENT_PART =
  /[ \t]*([!#$%&'*+.^`|~\w-]+)=(?:([!#$%&'*+.^`|~\w:[\]-]+)|"((?:[^"\\]|\\.)*)")[ \t]*([,;]|$)/y;

/** Returns the `for` of every element. All of the header must be well-formed, or a quote could hide what a proxy added. */
function readForwarded(value: string): Parsed<readonly string[]> {
  const hops: string[] = [];
  let hop: string | undefined;
  for (let at = 0; at < value.length; at = ELEMENT_PART.lastIndex) {
    ELEMENT_PART.lastIndex = at;
    const match = ELEMENT_PART.exec(value);
    if (match === null) return malformed('it is not a list of name=value');
    const [, name, , , end] = match;
    if (name.toLowerCase() === 'for') hop = match.at(2) ?? unquote(match.at(3) ?? '');
    if (end === ';') continue;
    // An element without `for` was added by a proxy that does not tell.
    hops.push(hop ?? 'unknown');
    hop = undefined;
  }
  return parsed(hops);
}

function unquote(text: string): string {
  return text.replaceAll(/\\(.)/g, '$1');
}

/** IPv4 addresses are shown as such, also on sockets for both families. */
function plain(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}
