import type { AccountLimits } from '../model/account-limits.ts';
import type { Quotas } from '../writes/check-quotas.ts';
import { maxHostedNames } from '../zone/zone-directory.ts';
import type { Config } from './config-settings.ts';

/** The limits of accounts for which an administrator has set no others. */
export function limitsOf(config: Config): AccountLimits {
  return {
    domains: config.limitDomains,
    records: config.limitRecords,
    recordsPerDomain: config.limitDomainRecords,
    octets: config.limitOctets,
    historyOctets: config.limitHistoryOctets,
    outcomeOctets: config.limitOutcomeOctets,
    trailOctets: config.limitTrailOctets,
    keys: config.limitKeys,
    costPerMinute: config.limitCost,
  };
}

/** The limits that each write is checked against. */
export function quotasOf(config: Config): Quotas {
  return { limits: limitsOf(config), hostedDomains: maxHostedNames(config.zoneMemory) };
}
