// Work for expensive requests, shared out by account: an account that has used its minute waits, and others do not.
//
//   const work = context.work.take(accountId, costOf({ rows: domain.recordCount, octets: domain.octets }), limit);
//
// A bucket per account, filled to the limit at first, and by a sixtieth of it each second. Debited by an estimate before
// the work starts. Runs on monotonic time, in the memory of one process: each process on PostgreSQL has its own buckets.

/** Octets of text that cost as much as a row: parsing, comparing and sending them takes about as long. */
const OCTETS_PER_UNIT = 256;

/** Buckets in memory, some 100 octets each. Beyond it full ones are forgotten, which changes nothing. */
const MAX_BUCKETS = 100_000;

const MINUTE_MS = 60_000;

export interface Work {
  readonly rows: number;
  readonly octets: number;
}

/** The cost of a piece of work in units of about a row; at least 1. */
export function costOf({ rows, octets }: Work): number {
  return 1 + rows + Math.ceil(octets / OCTETS_PER_UNIT);
}

interface Bucket {
  /** Below zero after a request that cost more than was left. */
  left: number;
  atMs: number;
  limit: number;
}

export class WorkBudget {
  private readonly buckets = new Map<string, Bucket>();
  private readonly nowMs: () => number;

  /** @param nowMs monotonic time */
  constructor(nowMs: () => number = () => performance.now()) {
    this.nowMs = nowMs;
  }

  /**
   * Debits a request. One that costs more than the limit of a minute is admitted by a full bucket, and delays what follows.
   *
   * @returns 0 if it is admitted; otherwise the seconds after which it can be repeated, and nothing is debited
   */
  take(accountId: string, cost: number, limitPerMinute: number): number {
    const bucket = this.filled(accountId, limitPerMinute);
    const missing = Math.min(cost, limitPerMinute) - bucket.left;
    // With a tolerance for rounding errors of floating-point sums.
    if (missing > 1e-6) return Math.max(1, Math.ceil((missing * 60) / Math.max(limitPerMinute, 1) - 1e-6));
    bucket.left -= cost;
    return 0;
  }

  /** Returns the work that the account has used of its minute. */
  used(accountId: string, limitPerMinute: number): number {
    const { left } = this.filled(accountId, limitPerMinute);
    return Math.ceil(limitPerMinute - left);
  }

  private filled(accountId: string, limit: number): Bucket {
    const nowMs = this.nowMs();
    let bucket = this.buckets.get(accountId);
    if (bucket === undefined) {
      if (this.buckets.size >= MAX_BUCKETS) this.forgetFull(nowMs);
      bucket = { left: limit, atMs: nowMs, limit };
      this.buckets.set(accountId, bucket);
    }
    // A limit that an administrator has just changed moves what is left, not what is used.
    bucket.left += limit - bucket.limit;
    bucket.limit = limit;
    bucket.left = Math.min(limit, bucket.left + ((nowMs - bucket.atMs) / MINUTE_MS) * limit);
    bucket.atMs = nowMs;
    return bucket;
  }

  private forgetFull(nowMs: number): void {
    for (const [accountId, { left, atMs, limit }] of this.buckets) {
      if (left + ((nowMs - atMs) / MINUTE_MS) * limit >= limit) this.buckets.delete(accountId);
    }
  }
}
