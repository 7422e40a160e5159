import type { Caller } from '../model/account.ts';

/** The client of a request that needs no key and no session. */
export interface Sender {
  readonly address: string | undefined;
  /** The network of the address, by which failed log-ins are counted; empty if it is unknown. */
  readonly network: string;
  /** The User-Agent header. */
  readonly agent: string | undefined;
  /** Null if the client has not signed in. */
  readonly caller: Caller | null;
}
