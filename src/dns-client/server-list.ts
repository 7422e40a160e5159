/**
 * Lists of nameservers in settings: `192.0.2.53`, `192.0.2.53:5300`, `[2001:db8::53]:5300`, separated by commas. Only
 * addresses: to resolve a host name, a resolver would have to be known already.
 */
import { getServers } from 'node:dns/promises';
import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import { clip } from '../dns/clip.ts';
import { formatIpv6, parseIpv4, parseIpv6 } from '../dns/ip-address.ts';
import { parseServerAddress, type ServerAddress } from './server-address.ts';

/** As many as the C library reads from /etc/resolv.conf: each silent one delays every answer by seconds. */
export const MAX_RESOLVERS = 3;

/** The addresses of a dozen internal parent zones; the list is searched for each address of a parent's nameserver. */
export const MAX_PRIVATE_PARENTS = 64;

/** Reads the setting `ZONEWRIGHT_RESOLVERS`. */
export function parseResolvers(text: string): Parsed<readonly ServerAddress[]> {
  return parseServerList(text, MAX_RESOLVERS);
}

/** Reads the setting `ZONEWRIGHT_PRIVATE_PARENTS`. */
export function parsePrivateParents(text: string): Parsed<readonly ServerAddress[]> {
  return parseServerList(text, MAX_PRIVATE_PARENTS);
}

/** A dozen public services with their addresses of both families; the list stands in an error message. */
export const MAX_ASKED_RESOLVERS = 48;

/** Cloudflare, Google and Quad9: many people ask them anyway, and they are built to be asked by strangers (decision 0035). */
export const DEFAULT_ASKED_RESOLVERS = '1.1.1.1,8.8.8.8,9.9.9.9';

/** Reads the setting `ZONEWRIGHT_ASKED_RESOLVERS`. */
export function parseAskedResolvers(text: string): Parsed<readonly ServerAddress[] | 'none' | 'public'> {
  return text === 'none' || text === 'public' ? parsed(text) : parseServerList(text, MAX_ASKED_RESOLVERS);
}

/** The resolvers that the system is configured with (/etc/resolv.conf); without any, one on this machine. */
export function findSystemResolvers(): readonly ServerAddress[] {
  // A link-local address with its interface cannot be used.
  const servers = getServers()
    .map(parseServer)
    .flatMap((server) => (server.ok ? [server.value] : []));
  return servers.length === 0 ? [{ host: '127.0.0.1', port: 53 }] : servers.slice(0, MAX_RESOLVERS);
}

function parseServerList(text: string, limit: number): Parsed<readonly ServerAddress[]> {
  const words = text.split(',').map((word) => word.trim());
  if (words.length > limit) return malformed(`there are ${words.length} addresses; ${limit} are allowed`);
  const servers: ServerAddress[] = [];
  for (const word of words) {
    const server = parseServer(word);
    if (!server.ok) return server;
    servers.push(server.value);
  }
  return parsed(servers);
}

/** The address is returned in its canonical form, so that equal ones are equal strings. */
function parseServer(text: string): Parsed<ServerAddress> {
  const server = parseServerAddress(text);
  if (!server.ok) return server;
  const { host, port } = server.value;
  if (parseIpv4(host).ok) return server;
  const ipv6 = parseIpv6(host);
  if (ipv6.ok) return parsed({ host: formatIpv6(ipv6.value), port });
  return malformed(`${clip(text)} is not an IP address, with :port if it is not 53`);
}
