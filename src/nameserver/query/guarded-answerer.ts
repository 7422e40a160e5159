import { rcode } from '../../dns/codes.ts';
import type { Answerer } from './answerer.ts';
import type { ClientAddress } from './client-address.ts';
import type { PendingLimits } from '../nameserver-limits.ts';
import { PendingQueries, type Reply } from './pending-queries.ts';

/**
 * The entry point for all transports of a worker: guards the query pipeline and queues the queries that wait for their
 * zone. An exception in the pipeline costs only that query, which is answered SERVFAIL, and never leaves this class.
 * Opens no sockets.
 */
export class GuardedAnswerer implements Answerer {
  readonly client: ClientAddress;
  private readonly answerer: Answerer;
  private readonly onFault: (error: unknown) => void;
  private readonly pending: PendingQueries;

  constructor(options: {
    readonly answerer: Answerer;
    requestLoad(zone: string): void;
    /** Called for every exception of the answerer, which is always a bug of ours. */
    onFault(error: unknown): void;
    readonly limits: PendingLimits;
  }) {
    this.answerer = options.answerer;
    this.client = options.answerer.client;
    this.onFault = (error) => options.onFault(error);
    this.pending = new PendingQueries(this, (zone) => options.requestLoad(zone), options.limits);
  }

  enter(nowMs: number, isAfterWait = false): void {
    this.answerer.enter(nowMs, isAfterWait);
  }

  leave(): void {
    this.answerer.leave();
  }

  answer(buffer: Uint8Array, offset: number, length: number, limit: number, overTcp: boolean): number {
    try {
      return this.answerer.answer(buffer, offset, length, limit, overTcp);
    } catch (error) {
      this.onFault(error);
      return this.fail(buffer, offset, length, rcode.SERVFAIL, overTcp);
    }
  }

  neededZone(): string {
    return this.answerer.neededZone();
  }

  fail(buffer: Uint8Array, offset: number, length: number, rcode: number, overTcp: boolean): number {
    try {
      return this.answerer.fail(buffer, offset, length, rcode, overTcp);
    } catch (error) {
      this.onFault(error);
      return 0;
    }
  }

  /**
   * After NEEDS_ZONE: keeps a copy of the query until its zone is loaded. If the queue is full, replaces the query with
   * SERVFAIL in place.
   *
   * @returns the length of the reply to send now; 0 if the query waits
   */
  hold(
    buffer: Uint8Array,
    offset: number,
    length: number,
    limit: number,
    overTcp: boolean,
    reply: Reply,
  ): number {
    const query = buffer.subarray(offset, offset + length);
    if (this.pending.hold(this.neededZone(), query, limit, overTcp, reply)) return 0;
    return this.fail(buffer, offset, length, rcode.SERVFAIL, overTcp);
  }

  /** Called when the main thread has finished loading the zone, successfully or not. */
  zoneLoaded(zone: string): void {
    this.pending.loaded(zone);
  }

  /** Resolves when no query waits for a zone. */
  whenSettled(): Promise<void> {
    return this.pending.whenEmpty();
  }
}
