/** A DNS message as a value (RFC 1035 section 4). */
import type { DomainName } from './name.ts';

export interface Message {
  readonly id: number;
  readonly isResponse: boolean;
  readonly isAuthoritative: boolean;
  readonly isTruncated: boolean;
  /** With the upper bits of EDNS. */
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
  /** Where the record begins in the message: a TSIG signs what stands before it. */
  readonly start: number;
}
