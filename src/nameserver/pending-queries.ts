import { rcode } from '../dns/codes.ts';
import { NEEDS_ZONE, type Answerer } from './answerer.ts';
import { TCP_MESSAGE_BYTES, type PendingLimits } from './nameserver-limits.ts';

/**
 * Queries whose zone isn't in memory wait here, copied, until the main thread has loaded it. Bounded by count and by
 * bytes; asks for a zone once however many wait for it. Knows nothing of sockets: each query brings its way back.
 */
export class PendingQueries {
  readonly #answerer: Answerer;
  readonly #requestLoad: (zone: string) => void;
  readonly #limits: PendingLimits;
  readonly #waiting = new Map<string, WaitingQuery[]>();
  readonly #scratch = new Uint8Array(TCP_MESSAGE_BYTES);
  #count = 0;
  #bytes = 0;
  #onEmpty: (() => void) | undefined;

  /** @param requestLoad must lead to one call of {@link loaded} with the same zone, whatever becomes of the load. */
  constructor(answerer: Answerer, requestLoad: (zone: string) => void, limits: PendingLimits) {
    this.#answerer = answerer;
    this.#requestLoad = requestLoad;
    this.#limits = limits;
  }

  /** Keeps a copy of the packet and its client's address until its zone is loaded; false when the queue is full. */
  hold(zone: string, query: Uint8Array, limit: number, overTcp: boolean, reply: Reply): boolean {
    if (this.#count >= this.#limits.queries || this.#bytes + query.length > this.#limits.bytes) return false;
    this.#count++;
    this.#bytes += query.length;
    const client = Uint8Array.from(this.#answerer.client.octets);
    const waiting = { packet: Uint8Array.from(query), client, limit, overTcp, reply };
    const sameZone = this.#waiting.get(zone);
    if (sameZone !== undefined) {
      sameZone.push(waiting);
    } else {
      this.#waiting.set(zone, [waiting]);
      this.#requestLoad(zone);
    }
    return true;
  }

  /** Answers what waited for the zone; SERVFAIL where it still isn't in memory. */
  loaded(zone: string): void {
    const queries = this.#waiting.get(zone) ?? [];
    this.#waiting.delete(zone);
    this.#answerer.enter(Date.now(), true);
    try {
      for (const query of queries) {
        this.#count--;
        this.#bytes -= query.packet.length;
        this.#answer(query);
      }
    } finally {
      this.#answerer.leave();
    }
    if (this.#count === 0) this.#onEmpty?.();
  }

  /** Resolves as soon as nothing waits. */
  whenEmpty(): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onEmpty = resolve;
    });
  }

  #answer({ packet, client, limit, overTcp, reply }: WaitingQuery): void {
    this.#scratch.set(packet);
    this.#answerer.client.setIpv6(client, 0);
    const length = this.#answerer.answer(this.#scratch, 0, packet.length, limit, overTcp);
    if (length !== NEEDS_ZONE) return reply(this.#scratch, length);
    reply(this.#scratch, this.#answerer.fail(this.#scratch, 0, packet.length, rcode.SERVFAIL, overTcp));
  }
}

/**
 * Sends the answer at the buffer's start back to where its query came from; length 0 when none is due. The buffer is
 * used again as soon as this returns. Never throws, also when the peer has gone.
 */
export type Reply = (buffer: Uint8Array, length: number) => void;

interface WaitingQuery {
  readonly packet: Uint8Array;
  /** Its address, as sixteen octets. */
  readonly client: Uint8Array;
  readonly limit: number;
  readonly overTcp: boolean;
  readonly reply: Reply;
}
