import type { ListenAddress } from '../nameserver-start-error.ts';

/** Where TCP is listened on; on a socket that the supervisor has bound where there is a descriptor. */
export interface TcpEndpoint extends ListenAddress {
  readonly descriptor?: number;
}
