import { isIP } from 'node:net';
import { NameserverStartError } from './nameserver-start-error.ts';

export interface ListenAddress {
  /** An IP address; IPv6 link-local addresses include their interface (`fe80::1%eth0`). */
  readonly host: string;
  readonly port: number;
}

/** @throws NameserverStartError if the list is empty or an entry is not an IP address with a port. */
export function checkListenAddresses(addresses: readonly ListenAddress[]): void {
  if (addresses.length === 0) throw new NameserverStartError('DNS needs at least one address to listen on');
  for (const { host, port } of addresses) {
    if (isIP(host) === 0)
      throw new NameserverStartError(`DNS cannot listen on ${host}: it is not an IP address`);
    if (!Number.isInteger(port) || port < 0 || port > 65_535)
      throw new NameserverStartError(`DNS cannot listen on port ${port}: ports are 0 to 65535`);
  }
}
