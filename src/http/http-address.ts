/** Where HTTP listens: an IP address with a port, or the absolute path of a Unix socket. */
export type HttpAddress = TcpAddress | UnixAddress;

export interface TcpAddress {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
}

export interface UnixAddress {
  readonly path: string;
}

export function isUnixAddress(address: HttpAddress): address is UnixAddress {
  return 'path' in address;
}
