/**
 * Response rate limiting: who asks in somebody else's name makes us send to that somebody, so equal responses to one
 * network are counted, and above a rate most of them aren't sent. One table for all threads; never allocates.
 *
 *     client's prefix below the rate in all?  sent, and nothing else is counted
 *     its prefix and the response's class     within the rate, and
 *     its prefix within ten times the rate?   sent
 *     else                                    limited
 *
 * A bucket is one number, the moment at which it will have drained. What is limited fills it further, so a flood is
 * limited as long as it lasts, and a while after. Threads may overwrite each other's count now and then: a response
 * more or less doesn't matter.
 */

import type { ClientAddress } from './client-address.ts';

/** What becomes of a response. */
export const rateVerdict = {
  send: 0,
  drop: 1,
  /** Send something no larger than the query, by which a real client finds the way: over TCP, or with a cookie. */
  slip: 2,
} as const;
export type RateVerdict = (typeof rateVerdict)[keyof typeof rateVerdict];

/** Every second limited response slips through: half of what a flood brings is dropped, half costs its own size. */
const SLIP_EVERY = 2;

/** A network may get this many times the rate in all: names of a zone are many, and so are the users of a resolver. */
const PREFIX_FACTOR = 10;

/** Half a second's worth of responses may come at once, at least one; from a quiet network, for one class, twice that. */
const BURST_US = 500_000;
/** How far a flood can fill a bucket: four seconds after its end all is forgotten. */
const FULL_US = 5_000_000;
/** A thread that is late with a batch may see what others have filled since; by more than a scheduler's pauses it isn't. */
const LATE_US = 1_000_000;

/**
 * An empty bucket may be forgotten, and a quiet network's is empty after milliseconds. 5,000 networks flooded at once,
 * three buckets each, are a million queries a second; and 256 KiB stay in a core's second cache.
 */
const BUCKETS = 16_384;
/** Places where a bucket may stand: four of them are one cache line. */
const WAYS = 4;
/** Words of a bucket; the fourth keeps it inside a cache line. */
const bucket = { key: 0, drainedAtUs: 1, limited: 2, words: 4 } as const;
const SET_WORDS = WAYS * bucket.words;
const SET_MASK = BUCKETS / WAYS - 1;

/** Memory that all threads of a process share. */
export function createRateTable(): SharedArrayBuffer {
  return new SharedArrayBuffer(BUCKETS * bucket.words * 4);
}

export class ResponseRateLimiter {
  private readonly table: Int32Array;
  private readonly seed: number;
  private readonly classIntervalUs: number;
  private readonly prefixIntervalUs: number;
  /** Where the last bucket stands that was counted in. */
  private at = 0;

  /**
   * @param seed 32 bits that outsiders can't guess: they must not be able to share buckets with others
   * @param perSecond equal responses a second for each prefix: 1 to 100,000
   */
  constructor(table: SharedArrayBuffer, seed: number, perSecond: number) {
    this.table = new Int32Array(table);
    this.seed = seed;
    this.classIntervalUs = Math.round(1_000_000 / perSecond);
    this.prefixIntervalUs = Math.round(1_000_000 / perSecond / PREFIX_FACTOR);
  }

  /**
   * Counts a response.
   *
   * @param responseClass any 32 bits that are the same for responses that count as equal
   * @param nowUs the time in microseconds, modulo 2^32
   */
  count(client: ClientAddress, responseClass: number, nowUs: number): RateVerdict {
    const prefix = this.prefixHash(client);
    // No class of a network that stays below the rate in all can be above it: one look at the table for most.
    if (this.fill(prefix, this.classIntervalUs, nowUs)) return rateVerdict.send;
    const isSent =
      this.fill(scramble(prefix ^ responseClass), this.classIntervalUs, nowUs) &&
      this.fill(~prefix, this.prefixIntervalUs, nowUs);
    if (isSent) return rateVerdict.send;
    const limited = ++this.table[this.at + bucket.limited];
    return limited % SLIP_EVERY === 0 ? rateVerdict.slip : rateVerdict.drop;
  }

  /** An IPv4 /24 or IPv6 /56: what one who spoofs a victim's neighbours would still be flooding. */
  private prefixHash(client: ClientAddress): number {
    const { words } = client;
    if (client.isIpv4) return scramble(this.seed ^ (words[3] & IPV4_PREFIX_WORD));
    return scramble(scramble(this.seed ^ words[0]) ^ (words[1] & IPV6_PREFIX_WORD));
  }

  /** Adds one response to the bucket; false when that is over the limit. */
  private fill(key: number, intervalUs: number, nowUs: number): boolean {
    const { table } = this;
    const set = (key & SET_MASK) * SET_WORDS;
    let at = set;
    let leastUs = FULL_US + LATE_US + 1;
    for (let place = set; place < set + SET_WORDS; place += bucket.words) {
      // Long ago and, after the clock was set back, far ahead: both are empty buckets.
      const restUs = (table[place + bucket.drainedAtUs] - nowUs) | 0;
      const levelUs = restUs > 0 && restUs <= FULL_US + LATE_US ? restUs : 0;
      if (table[place] === key) return this.raise(place, levelUs, intervalUs, nowUs);
      if (levelUs >= leastUs) continue;
      leastUs = levelUs;
      at = place;
    }
    // The emptiest makes way: forgetting it gives away least.
    table[at] = key;
    table[at + bucket.limited] = 0;
    return this.raise(at, 0, intervalUs, nowUs);
  }

  private raise(at: number, levelUs: number, intervalUs: number, nowUs: number): boolean {
    const raisedUs = levelUs + intervalUs;
    this.at = at;
    this.table[at + bucket.drainedAtUs] = nowUs + (raisedUs > FULL_US ? FULL_US : raisedUs);
    return raisedUs <= BURST_US || levelUs === 0;
  }
}

/** Spreads every bit of the input over the whole word. */
function scramble(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x45d9f3b5);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 14);
}

function maskOf(...octets: readonly number[]): number {
  return new Int32Array(Uint8Array.from(octets).buffer)[0];
}

/** In the machine's own order of octets, as the address's words are. */
const IPV4_PREFIX_WORD = maskOf(255, 255, 255, 0);
const IPV6_PREFIX_WORD = maskOf(255, 255, 255, 0);
