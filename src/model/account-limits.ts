// The limits of an account, and its use of them (contract rule 58).

export interface AccountLimits {
  readonly domains: number;
  /** In all its domains. */
  readonly records: number;
  readonly recordsPerDomain: number;
  /** The octets of the records of its domains, as `recordOctets` counts them. */
  readonly octets: number;
  /** The octets of its history and of deleted domains that can be restored; the oldest history beyond it is removed. */
  readonly historyOctets: number;
  /** The octets of outcomes that are kept for repeats with an Idempotency-Key. */
  readonly outcomeOctets: number;
  /** The octets of its trail; the oldest entries of its most frequent actions beyond it are removed. */
  readonly trailOctets: number;
  readonly keys: number;
  /** Work for expensive requests, as `WorkBudget` counts it. */
  readonly costPerMinute: number;
}

export type LimitName = keyof AccountLimits;

/** An administrator's limits for one account; members that are absent have the service's defaults. */
export type LimitOverrides = Readonly<Partial<AccountLimits>>;

/** The limits whose use is counted for each write, in the transaction that changes it. That of the trail is counted apart. */
export type CountedName = Exclude<LimitName, 'recordsPerDomain' | 'trailOctets' | 'costPerMinute'>;

export type AccountUsage = Readonly<Record<CountedName, number>>;

export const countedNames: readonly CountedName[] = [
  'domains',
  'records',
  'octets',
  'historyOctets',
  'outcomeOctets',
  'keys',
];

export const noUsage: AccountUsage = {
  domains: 0,
  records: 0,
  octets: 0,
  historyOctets: 0,
  outcomeOctets: 0,
  keys: 0,
};

const MIB = 2 ** 20;
const GIB = 2 ** 30;

/** The lowest limit of the trail: nobody can lower it to make upkeep remove what it did. 3,000 entries. */
export const MIN_TRAIL_OCTETS = MIB;

/**
 * Far above what customers use, low enough that one of them cannot fill a disk or the directory of hosted names: a third of
 * the names that the smallest zone memory holds; four zones of a million records, twice the largest that people or tools
 * edit; 1 KiB for each of these records; as much history as records; a gigabyte of outcomes for bulk copies, which send a
 * key with each batch; a trail of 200,000 entries; more keys than machines.
 */
export const defaultLimits: AccountLimits = {
  domains: 100_000,
  records: 4_000_000,
  recordsPerDomain: 2_000_000,
  octets: 4 * GIB,
  historyOctets: 4 * GIB,
  outcomeOctets: GIB,
  trailOctets: 64 * MIB,
  keys: 1000,
  // About a minute of one processor: 50 zones of 200,000 records.
  costPerMinute: 10_000_000,
};

/** Numbers in JSON and in both databases stay exact. */
export const MAX_LIMIT = Number.MAX_SAFE_INTEGER;

export function effectiveLimits(defaults: AccountLimits, overrides: LimitOverrides): AccountLimits {
  return { ...defaults, ...overrides };
}
