import type { ListenAddress } from '../listen-address.ts';

/** Where TCP listens; with a descriptor, on a socket that the supervisor has bound. */
export interface TcpEndpoint extends ListenAddress {
  readonly descriptor?: number;
}
