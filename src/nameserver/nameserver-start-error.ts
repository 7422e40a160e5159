import { isIP } from 'node:net';

/** The nameserver cannot start; the message is one sentence for the operator. */
export class NameserverStartError extends Error {
  override readonly name = 'NameserverStartError';
}

export interface ListenAddress {
  /** An IP address; IPv6 link-local addresses include their interface (`fe80::1%eth0`). */
  readonly host: string;
  readonly port: number;
}

/** Why a socket could not be opened; plain data, so that it can be sent between threads. */
export interface BindFailure {
  /** The system's error name, such as `EADDRINUSE`. */
  readonly code: string;
  readonly protocol: 'UDP' | 'TCP';
  readonly host: string;
  readonly port: number;
}

export function describeBindFailure({ code, protocol, host, port }: BindFailure): string {
  const where = `${formatHost(host)} port ${port} (${protocol})`;
  switch (code) {
    case 'EADDRINUSE':
      return `DNS cannot listen on ${where}: the port is in use by another program`;
    case 'EACCES':
    case 'EPERM':
      return `DNS cannot listen on ${where}: no permission${port < 1024 ? ' for a port below 1024' : ''}`;
    case 'EADDRNOTAVAIL':
      return `DNS cannot listen on ${where}: this machine does not have that address`;
    case 'EAFNOSUPPORT':
      return `DNS cannot listen on ${where}: this machine does not support ${isIP(host) === 6 ? 'IPv6' : 'IPv4'}`;
    default:
      return `DNS cannot listen on ${where}: the system reported ${code}`;
  }
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

function formatHost(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}
