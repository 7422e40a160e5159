/** What the transports need from whoever answers queries. Types and one constant only: the answer path lives elsewhere. */

import type { ClientAddress } from './client-address.ts';
import type { QueryCounters } from './query-counters.ts';

/** Returned by {@link Answerer.answer} when the zone that would answer isn't in memory yet. */
export const NEEDS_ZONE = -1;

/** Answers packets in place. One an executing thread; never throws because of what a packet holds. */
export interface Answerer {
  /** Whom the next query comes from: set before every {@link answer} and {@link fail}. */
  readonly client: ClientAddress;
  /**
   * Begins a synchronous run of answers: until {@link leave}, memory of replaced zones isn't reclaimed.
   *
   * @param nowMs since 1970; the time of the whole run, so that no query has to look at the clock.
   * @param isAfterWait the run answers queries that have waited for their zones; left out: it doesn't.
   */
  enter(nowMs: number, isAfterWait?: boolean): void;
  leave(): void;
  /**
   * Turns the query at buffer[offset…offset+length) into its reply, which stands at buffer[offset…].
   *
   * @param limit octets there is room for at offset: at least 4096 over UDP, up to 65535 over TCP.
   * @returns the reply's length; 0 when no answer is due; {@link NEEDS_ZONE} with the packet untouched.
   */
  answer(buffer: Uint8Array, offset: number, length: number, limit: number, overTcp: boolean): number;
  /** The zone to load, in the form the publisher knows it; valid right after {@link NEEDS_ZONE}. */
  neededZone(): string;
  /** Turns the packet into an error reply in place and returns its length (0: no answer is due). */
  fail(buffer: Uint8Array, offset: number, length: number, rcode: number, overTcp: boolean): number;
}

/** How answers are given beside what the zones say; the same in all threads, and cloned into them. */
export interface AnswerSettings {
  /** 16 octets that only nameservers behind one address share; undefined: cookies are passed over. */
  readonly cookieSecret?: Uint8Array | undefined;
  /** What NSID and `id.server` are answered with, up to `MAX_IDENTIFIER_BYTES` octets; empty: they aren't. */
  readonly identifier: string;
  /** Equal responses a second that one network gets over UDP, and the table to count them in; undefined: any number. */
  readonly rateLimit?: { readonly perSecond: number; readonly table: SharedArrayBuffer } | undefined;
  /** How long idle connections are kept, as clients are told. */
  readonly tcpIdleMs: number;
}

/** How a worker thread gets its answerer; a module that exports `createAnswerer` is named in its settings. */
export type CreateAnswerer = (options: {
  readonly memory: SharedArrayBuffer;
  /** 0…readers-1: this thread's place among the readers of the shared memory. */
  readonly reader: number;
  /** Left out: no cookies, no identifier, no limit. */
  readonly settings?: AnswerSettings | undefined;
  /** Left out: nobody reads what is counted. */
  readonly counters?: QueryCounters | undefined;
}) => Answerer;
