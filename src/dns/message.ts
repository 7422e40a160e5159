/** A DNS message as a value (RFC 1035 section 4). */
import type { DomainName } from './name.ts';

export interface Message {
  readonly id: number;
  readonly isResponse: boolean;
  readonly isAuthoritative: boolean;
  readonly isTruncated: boolean;
  /** A resolver has validated the answer (AD, RFC 4035 section 3.2.3); only set if the query asked for it. */
  readonly isAuthenticated: boolean;
  /** Includes the upper bits from EDNS. */
  readonly rcode: number;
  readonly question: { readonly name: DomainName; readonly type: number } | undefined;
  readonly answers: readonly MessageRecord[];
  readonly authorities: readonly MessageRecord[];
  readonly additionals: readonly MessageRecord[];
}

export interface MessageRecord {
  readonly owner: DomainName;
  readonly type: number;
  readonly class: number;
  readonly ttl: number;
  /** Uncompressed. */
  readonly rdata: Uint8Array;
  /** Offset of the record in the message: a TSIG signs everything before it. */
  readonly start: number;
}
