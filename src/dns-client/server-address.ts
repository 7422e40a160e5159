import { lookup } from 'node:dns/promises';
import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import { clip } from '../dns/clip.ts';
import { DnsFailure } from './dns-failure.ts';

/** Address of a nameserver, for UDP and TCP. */
export interface ServerAddress {
  /** Host name or IP address. */
  readonly host: string;
  readonly port: number;
}

const DNS_PORT = 53;

/** `ns1.example.net`, `192.0.2.1:5300`, `2001:db8::1`, `[2001:db8::1]:5300`. */
export function parseServerAddress(text: string): Parsed<ServerAddress> {
  const found = BRACKETED.exec(text) ?? HOST_AND_PORT.exec(text) ?? BARE_IPV6.exec(text);
  const port = Number(found?.at(2) ?? DNS_PORT);
  if (found === null || port < 1 || port > 0xffff) {
    return malformed(
      `${clip(text)} is not a nameserver: write a host name or address, with :port if it is not ${DNS_PORT}`,
    );
  }
  return parsed({ host: found[1], port });
}

const BRACKETED = /^\[([0-9a-f:.]+)\](?::(\d{1,5}))?$/i;
const HOST_AND_PORT = /^([\w.-]+)(?::(\d{1,5}))?$/;
const BARE_IPV6 = /^([0-9a-f:.]*:[0-9a-f:.]*:[0-9a-f:.]*)$/i;

export function formatServerAddress({ host, port }: ServerAddress): string {
  const shown = host.includes(':') ? `[${host}]` : host;
  return port === DNS_PORT ? host : `${shown}:${port}`;
}

/** Resolves the host to an IP address. @throws DnsFailure if the system knows no address of the host */
export async function resolveServerAddress(server: ServerAddress): Promise<ServerAddress> {
  try {
    const { address } = await lookup(server.host);
    return { host: address, port: server.port };
  } catch (error) {
    throw new DnsFailure('unreachable', `the nameserver ${server.host} has no address`, { cause: error });
  }
}
