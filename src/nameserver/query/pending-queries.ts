import { rcode } from '../../dns/codes.ts';
import { NEEDS_ZONE, type Answerer } from './answerer.ts';
import { TCP_MESSAGE_BYTES, type PendingLimits } from '../nameserver-limits.ts';

/**
 * Holds copies of queries whose zone is not in memory until the main thread has loaded it. Bounded by count, by bytes
 * (in total and per zone) and by time. Requests each zone once, however many queries wait for it. Knows nothing of
 * sockets: each query carries its own reply callback.
 */
export class PendingQueries {
  private readonly answerer: Answerer;
  private readonly requestLoad: (zone: string) => void;
  private readonly limits: PendingLimits;
  private readonly waiting = new Map<string, ZoneWait>();
  private readonly scratch = new Uint8Array(TCP_MESSAGE_BYTES);
  private count = 0;
  private bytes = 0;
  private onEmpty: (() => void) | undefined;

  /**
   * @param requestLoad must lead to one call of {@link loaded} with the same zone, whether or not the load succeeds.
   */
  constructor(answerer: Answerer, requestLoad: (zone: string) => void, limits: PendingLimits) {
    this.answerer = answerer;
    this.requestLoad = requestLoad;
    this.limits = limits;
  }

  /**
   * Keeps a copy of the packet and its client's address until its zone is loaded; returns false if the queue is full.
   */
  hold(zone: string, query: Uint8Array, limit: number, overTcp: boolean, reply: Reply): boolean {
    const known = this.waiting.get(zone);
    if (!this.hasRoom(query.length, known)) return false;
    const wait = known ?? { queries: [], bytes: 0, timer: undefined };
    this.count++;
    this.bytes += query.length;
    wait.bytes += query.length;
    const client = Uint8Array.from(this.answerer.client.octets);
    wait.queries.push({ packet: Uint8Array.from(query), client, limit, overTcp, reply });
    wait.timer ??= setTimeout(() => this.giveUp(wait), this.limits.waitMs).unref();
    if (known === undefined) {
      this.waiting.set(zone, wait);
      this.requestLoad(zone);
    }
    return true;
  }

  /** Answers the queries that waited for the zone, with SERVFAIL if it still is not in memory. */
  loaded(zone: string): void {
    const wait = this.waiting.get(zone);
    if (wait === undefined) return;
    this.waiting.delete(zone);
    this.settle(wait, (query) => this.answer(query));
  }

  /** Resolves when no query waits. */
  whenEmpty(): Promise<void> {
    if (this.count === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.onEmpty = resolve;
    });
  }

  private hasRoom(bytes: number, zone: ZoneWait | undefined): boolean {
    const limits = this.limits;
    if (this.count >= limits.queries || this.bytes + bytes > limits.bytes) return false;
    return (
      zone === undefined ||
      (zone.queries.length < limits.queriesPerZone && zone.bytes + bytes <= limits.bytesPerZone)
    );
  }

  /** The load continues, for later queries. */
  private giveUp(wait: ZoneWait): void {
    this.settle(wait, (query) => this.fail(query));
  }

  private settle(wait: ZoneWait, answer: (query: WaitingQuery) => void): void {
    const { queries, bytes } = wait;
    clearTimeout(wait.timer);
    wait.timer = undefined;
    wait.queries = [];
    wait.bytes = 0;
    this.count -= queries.length;
    this.bytes -= bytes;
    this.answerer.enter(Date.now(), true);
    try {
      for (const query of queries) answer(query);
    } finally {
      this.answerer.leave();
    }
    if (this.count === 0) this.onEmpty?.();
  }

  private answer(query: WaitingQuery): void {
    const { packet, client, limit, overTcp, reply } = query;
    this.scratch.set(packet);
    this.answerer.client.setIpv6(client, 0);
    const length = this.answerer.answer(this.scratch, 0, packet.length, limit, overTcp);
    if (length === NEEDS_ZONE) this.fail(query);
    else reply(this.scratch, length);
  }

  private fail({ packet, client, overTcp, reply }: WaitingQuery): void {
    this.scratch.set(packet);
    this.answerer.client.setIpv6(client, 0);
    reply(this.scratch, this.answerer.fail(this.scratch, 0, packet.length, rcode.SERVFAIL, overTcp));
  }
}

/**
 * Sends the answer at the buffer's start to the query's client; length 0 means that no answer is due. The buffer is
 * reused as soon as this returns. Never throws, not even if the peer has gone.
 */
export type Reply = (buffer: Uint8Array, length: number) => void;

/** The queries that wait for one zone, whose load has been requested. */
interface ZoneWait {
  queries: WaitingQuery[];
  bytes: number;
  /** Runs while queries wait. */
  timer: NodeJS.Timeout | undefined;
}

interface WaitingQuery {
  readonly packet: Uint8Array;
  /** The client's address as sixteen octets. */
  readonly client: Uint8Array;
  readonly limit: number;
  readonly overTcp: boolean;
  readonly reply: Reply;
}
