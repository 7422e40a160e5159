// Finds the address of a client behind the operator's proxies, and whether it used TLS. Headers from other peers are ignored.
import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import { findForwardedProto, plainAddress, readForwardedHeaders } from './forwarded-headers.ts';

/** Addresses and networks such as `192.0.2.1` and `2001:db8::/32`, or `unix`, validated by the setting. */
export type TrustedProxies = readonly string[];

/** The other end of a connection. */
export interface Peer {
  /** Undefined if it is unknown, for example on a Unix socket. */
  readonly address: string | undefined;
  /** A proxy that names its clients. */
  readonly isProxy: boolean;
  /**
   * The connection comes from a trusted proxy, or from this machine and so perhaps from a proxy that is not listed. Others have
   * passed every proxy by, or come from one that nobody has named.
   */
  readonly isBehindProxy: boolean;
  /** The header of the PROXY protocol says whether the client used TLS, which the proxy ended; undefined: nothing does. */
  readonly usesTls?: boolean | undefined;
}

/** Any process that may open the Unix socket. */
export const UNIX_PEERS = 'unix';

export interface ClientAddresses {
  /** Returns the client's address; undefined if it is unknown. A problem means that a proxy sent malformed headers. */
  find(peer: Peer, headers: IncomingHttpHeaders): Parsed<string | undefined>;
  /** Returns the scheme that a proxy names, in lower case; undefined if it names none, or if its headers are malformed. */
  findScheme(headers: IncomingHttpHeaders): string | undefined;
  /** The peer at an address. */
  peerAt(address: string | undefined): Peer;
  /** The client that a trusted proxy names in a header of the PROXY protocol. */
  clientAt(address: string | undefined, usesTls: boolean | undefined): Peer;
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
  const peerAt = (address: string | undefined): Peer => {
    const plain = address === undefined ? '' : plainAddress(address);
    const isProxy = isTrusted(plain);
    return { address, isProxy, isBehindProxy: isProxy || isLoopbackAddress(plain) };
  };
  /** The address of a connection does not change, but is missing once it is closed. */
  const peerOn = (socket: Duplex): Peer => {
    const peer = peerAt((socket as { remoteAddress?: string }).remoteAddress);
    if (peer.address !== undefined) noted.set(socket, peer);
    return peer;
  };
  return {
    peerAt,
    clientAt: (address, usesTls) => ({ ...peerAt(address), isBehindProxy: true, usesTls }),
    // A connection over TCP that was closed has no address either, so a missing address never says that it is one of these.
    unixPeer: { address: undefined, isProxy: proxies.includes(UNIX_PEERS), isBehindProxy: true },
    note: (socket, peer) => void noted.set(socket, peer),
    peerOf: (socket) => noted.get(socket) ?? peerOn(socket),
    find({ address: peer, isProxy }, headers) {
      if (!isProxy) return parsed(peer);
      const own = peer === undefined ? undefined : plainAddress(peer);
      const clients = readForwardedHeaders(headers, isTrusted);
      if (!clients.ok) return clients;
      const found = clients.value.map(({ address }) => address ?? own);
      if (found.some((address) => address !== found[0]))
        return malformed('Forwarded and X-Forwarded-For of the proxy name different clients');
      return parsed(found[0] ?? own);
    },
    findScheme(headers) {
      const clients = readForwardedHeaders(headers, isTrusted);
      if (!clients.ok) return undefined;
      if (clients.value.length === 0) return findForwardedProto(headers);
      const schemes = clients.value.flatMap(({ scheme }) => scheme ?? []);
      // If they contradict each other, the client itself has sent one of them.
      return schemes.every((scheme) => scheme === schemes[0]) ? schemes[0] : 'http';
    },
  };
}

/** Connections from other machines cannot have such an address: the kernel drops their packets. */
function isLoopbackAddress(address: string): boolean {
  return address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}
