import type { AccountLimits, AccountUsage } from '../model/account-limits.ts';

interface Limits {
  readonly limits: AccountLimits;
  readonly usage: AccountUsage;
  readonly trailOctets: number;
  /** The work of this minute. */
  readonly cost: number;
}

/** `{"limits":{"domains":{"limit","use"},…}}`, contract rule 58. */
export function formatLimitsReply(overview: Limits): string {
  return `{"limits":${formatLimits(overview)}}`;
}

/** `{"dry_run":true,"limits":{…}}`: the limits that would be set. */
export function formatLimitsPlan(overview: Limits): string {
  return `{"dry_run":true,"limits":${formatLimits(overview)}}`;
}

function formatLimits({ limits, usage, trailOctets, cost }: Limits): string {
  // A deleted row of an earlier version may not have been counted, and a number below zero would puzzle.
  const one = (limit: number, use: number) => ({ limit, use: Math.max(0, use) });
  return JSON.stringify({
    domains: one(limits.domains, usage.domains),
    records: one(limits.records, usage.records),
    records_per_domain: { limit: limits.recordsPerDomain, use: null },
    octets: one(limits.octets, usage.octets),
    history_octets: one(limits.historyOctets, usage.historyOctets),
    outcome_octets: one(limits.outcomeOctets, usage.outcomeOctets),
    trail_octets: one(limits.trailOctets, trailOctets),
    keys: one(limits.keys, usage.keys),
    cost_per_minute: one(limits.costPerMinute, cost),
  });
}
