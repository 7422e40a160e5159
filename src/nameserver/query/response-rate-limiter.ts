/**
 * Response rate limiting. Queries with a forged source make us send responses to a victim, so equal responses to one
 * network are counted, and above a rate most of them are not sent. All threads share one table; never allocates.
 *
 *     client prefix below the rate in total?     send, and count nothing else
 *     client prefix and response class           within the rate, and
 *     client prefix within ten times the rate?   send
 *     otherwise                                  limited
 *
 * A bucket is one number: the time at which it will have drained. Limited responses also fill it, so a flood is limited
 * for as long as it lasts and for a while after. Threads may occasionally overwrite each other's count: one response
 * more or less does not matter.
 */

import type { ClientAddress } from './client-address.ts';

/** The fate of a response. */
export const rateVerdict = {
  send: 0,
  drop: 1,
  /** Send a reply no larger than the query, which leads a real client to TCP or to a cookie. */
  slip: 2,
} as const;
export type RateVerdict = (typeof rateVerdict)[keyof typeof rateVerdict];

/**
 * Every second limited response slips through: half of a flood's responses are dropped, half cost only the query's
 * size.
 */
const SLIP_EVERY = 2;

/** A network may receive this many times the rate in total: zones have many names, and resolvers have many users. */
const PREFIX_FACTOR = 10;

/**
 * A burst of half a second's responses, at least one, is sent at once; a quiet network may get twice that for one
 * class.
 */
const BURST_US = 500_000;
/** How far a flood can fill a bucket: it is forgotten four seconds after the flood ends. */
const FULL_US = 5_000_000;
/**
 * A thread that is late with a batch may see buckets that others have filled since, but by no more than a scheduler's
 * pause.
 */
const LATE_US = 1_000_000;

/**
 * An empty bucket may be forgotten, and a quiet network's bucket is empty within milliseconds. 5,000 networks flooded
 * at once, with three buckets each, are a million queries per second; and 256 KiB fit into a core's L2 cache.
 */
const BUCKETS = 16_384;
/** Possible places of a bucket: four of them are one cache line. */
const WAYS = 4;
/** Layout of a bucket in words; the fourth word aligns it within a cache line. */
const bucket = { key: 0, drainedAtUs: 1, limited: 2, words: 4 } as const;
const SET_WORDS = WAYS * bucket.words;
const SET_MASK = BUCKETS / WAYS - 1;

export function createRateTable(): SharedArrayBuffer {
  return new SharedArrayBuffer(BUCKETS * bucket.words * 4);
}

export class ResponseRateLimiter {
  private readonly table: Int32Array;
  private readonly seed: number;
  private readonly classIntervalUs: number;
  private readonly prefixIntervalUs: number;
  /** Index of the bucket that was counted in last. */
  private at = 0;

  /**
   * @param seed 32 bits that outsiders cannot guess: they must not be able to share a bucket with others
   * @param perSecond equal responses per second for each prefix: 1 to 100,000
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
   * @param responseClass 32 bits that are the same for responses that count as equal
   * @param nowUs the time in microseconds, modulo 2^32
   */
  count(client: ClientAddress, responseClass: number, nowUs: number): RateVerdict {
    const prefix = this.prefixHash(client);
    // A network below the rate in total cannot exceed it for any class: one table access for most queries.
    if (this.fill(prefix, this.classIntervalUs, nowUs)) return rateVerdict.send;
    const isSent =
      this.fill(scramble(prefix ^ responseClass), this.classIntervalUs, nowUs) &&
      this.fill(~prefix, this.prefixIntervalUs, nowUs);
    if (isSent) return rateVerdict.send;
    const limited = ++this.table[this.at + bucket.limited];
    return limited % SLIP_EVERY === 0 ? rateVerdict.slip : rateVerdict.drop;
  }

  /** IPv4 /24 or IPv6 /56: forging the neighbours of a victim would still flood it. */
  private prefixHash(client: ClientAddress): number {
    const { words } = client;
    if (client.isIpv4) return scramble(this.seed ^ (words[3] & IPV4_PREFIX_WORD));
    return scramble(scramble(this.seed ^ words[0]) ^ (words[1] & IPV6_PREFIX_WORD));
  }

  /** Adds one response to the bucket; returns false if that exceeds the limit. */
  private fill(key: number, intervalUs: number, nowUs: number): boolean {
    const { table } = this;
    const set = (key & SET_MASK) * SET_WORDS;
    let at = set;
    let leastUs = FULL_US + LATE_US + 1;
    for (let place = set; place < set + SET_WORDS; place += bucket.words) {
      // Times long ago, and times far ahead after the clock was set back, both mean an empty bucket.
      const restUs = (table[place + bucket.drainedAtUs] - nowUs) | 0;
      const levelUs = restUs > 0 && restUs <= FULL_US + LATE_US ? restUs : 0;
      if (table[place] === key) return this.raise(place, levelUs, intervalUs, nowUs);
      if (levelUs >= leastUs) continue;
      leastUs = levelUs;
      at = place;
    }
    // The emptiest bucket is replaced: forgetting it costs least.
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

/** Mixes every input bit into the whole word. */
function scramble(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x45d9f3b5);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 14);
}

function maskOf(...octets: readonly number[]): number {
  return new Int32Array(Uint8Array.from(octets).buffer)[0];
}

/** In host byte order, like the words of the address. */
const IPV4_PREFIX_WORD = maskOf(255, 255, 255, 0);
const IPV6_PREFIX_WORD = maskOf(255, 255, 255, 0);
