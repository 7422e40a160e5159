/** The interface between the transports and the query pipeline: types and one constant. */

import type { ClientAddress } from './client-address.ts';
import type { QueryCounters } from './query-counters.ts';

/** Returned by {@link Answerer.answer} if the zone for the answer is not in memory yet. */
export const NEEDS_ZONE = -1;

/** Answers packets in place; one instance per thread. Never throws because of a packet's contents. */
export interface Answerer {
  /** The address of the next query's client: set it before every {@link answer} and {@link fail}. */
  readonly client: ClientAddress;
  /**
   * Begins a synchronous run of answers: memory of replaced zones is not reclaimed until {@link leave}.
   *
   * @param nowMs milliseconds since 1970, used for the whole run, so that queries need not read the clock
   * @param isAfterWait true if the queries of the run have waited for their zones
   */
  enter(nowMs: number, isAfterWait?: boolean): void;
  leave(): void;
  /**
   * Replaces the query at buffer[offset…offset+length) with its reply, which begins at buffer[offset].
   *
   * @param limit octets available at offset: at least 4096 over UDP, up to 65535 over TCP
   * @returns the reply's length; 0 if no answer is due; {@link NEEDS_ZONE} with the packet unchanged
   */
  answer(buffer: Uint8Array, offset: number, length: number, limit: number, overTcp: boolean): number;
  /** The zone to load, in the publisher's form of its name; valid right after {@link NEEDS_ZONE}. */
  neededZone(): string;
  /** Replaces the packet with an error reply; returns its length, or 0 if no answer is due. */
  fail(buffer: Uint8Array, offset: number, length: number, rcode: number, overTcp: boolean): number;
}

/** Settings for answers that do not come from zones; the same in all threads, and cloned into them. */
export interface AnswerSettings {
  /** 16 octets shared by the nameservers behind one address; undefined: cookies are ignored. */
  readonly cookieSecret?: Uint8Array | undefined;
  /** The answer to NSID and `id.server`, up to `MAX_IDENTIFIER_BYTES` octets; empty: disabled. */
  readonly identifier: string;
  /** Equal responses per second to one network over UDP, and the table that counts them; undefined: no limit. */
  readonly rateLimit?: { readonly perSecond: number; readonly table: SharedArrayBuffer } | undefined;
  /** How long idle connections are kept, as reported to clients. */
  readonly tcpIdleMs: number;
}

/** Creates a worker thread's answerer; the worker's settings name the module that exports `createAnswerer`. */
export type CreateAnswerer = (options: {
  readonly memory: SharedArrayBuffer;
  /** This thread's place among the readers of the shared memory, from 0. */
  readonly reader: number;
  /** Defaults to no cookies, no identifier and no rate limit. */
  readonly settings?: AnswerSettings | undefined;
  /** Defaults to counters that nobody reads. */
  readonly counters?: QueryCounters | undefined;
}) => Answerer;
