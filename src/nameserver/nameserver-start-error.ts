import { isIP } from 'node:net';

/** The nameserver cannot start; the message is one sentence for the operator. */
export class NameserverStartError extends Error {
  override readonly name = 'NameserverStartError';
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

function formatHost(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}
