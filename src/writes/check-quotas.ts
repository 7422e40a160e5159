// Whether the current command of a batch exceeds a limit of an account. A command that does not raise a number is never
// refused for it, so that an account that is over a limit can always reduce.
import {
  defaultLimits,
  effectiveLimits,
  noUsage,
  type AccountLimits,
  type AccountUsage,
  type CountedName,
  type LimitOverrides,
} from '../model/account-limits.ts';
import type { AccountStanding } from '../model/account-standing.ts';
import { refused, type Refused } from '../model/result.ts';
import { MAX_WRITTEN_OCTETS } from '../model/write-limits.ts';
import type { PendingUsage } from './pending-usage.ts';

/** The limits of the service that a batch checks. */
export interface Quotas {
  /** The limits of each account, unless an administrator has overridden them. */
  readonly limits: AccountLimits;
  /** The names that the directory of the zone memory holds, of all accounts together. */
  readonly hostedDomains: number;
}

export const defaultQuotas: Quotas = { limits: defaultLimits, hostedDomains: Infinity };

/** The committed usage of an account, and what administrators have decided about it. */
export interface StoredQuota {
  readonly usage: AccountUsage;
  /** Their limits for it. */
  readonly overrides: LimitOverrides;
  /** See `Account.standing`. */
  readonly standing?: AccountStanding | undefined;
}

/** Limits whose excess refuses a command; history is removed instead. */
const refusing = {
  domains: 'domains',
  records: 'records',
  octets: 'octets of records',
  outcomeOctets: 'octets of kept outcomes of requests with an Idempotency-Key',
  keys: 'API keys',
} as const satisfies Partial<Record<CountedName, string>>;

const refusingNames = Object.keys(refusing) as (keyof typeof refusing)[];

/** @param quotaOf is called only for accounts that the command adds something to */
export function findAccountRefusal(
  usage: PendingUsage,
  { limits: defaults }: Quotas,
  quotaOf: (accountId: string) => StoredQuota | undefined,
): Refused | undefined {
  for (const accountId of usage.touchedAccounts()) {
    const grown = refusingNames.filter((name) => usage.ofCommand(accountId, name) > 0);
    if (grown.length === 0) continue;
    const stored = quotaOf(accountId) ?? { usage: noUsage, overrides: {} };
    const limits = effectiveLimits(defaults, stored.overrides);
    for (const name of grown) {
      const after = stored.usage[name] + usage.ofBatch(accountId, name);
      if (after > limits[name]) return refuseExcess('account', after, limits[name], refusing[name]);
    }
  }
  return undefined;
}

/** @param recordCount of the domain after the command */
export function findDomainRefusal(
  accountId: string,
  recordCount: number,
  usage: PendingUsage,
  { limits: defaults }: Quotas,
  quotaOf: (accountId: string) => StoredQuota | undefined,
): Refused | undefined {
  if (usage.ofCommand(accountId, 'records') <= 0) return undefined;
  const { recordsPerDomain } = effectiveLimits(defaults, quotaOf(accountId)?.overrides ?? {});
  if (recordCount <= recordsPerDomain) return undefined;
  return refuseExcess('domain', recordCount, recordsPerDomain, 'records');
}

/** @param committed the domains of all accounts before the batch */
export function findServiceRefusal(
  committed: number,
  usage: PendingUsage,
  { hostedDomains }: Quotas,
): Refused | undefined {
  const isAdding = usage.touchedAccounts().some((accountId) => usage.ofCommand(accountId, 'domains') > 0);
  const after = committed + usage.total('domains');
  if (!isAdding || after <= hostedDomains) return undefined;
  return refused(
    'quota_exceeded',
    `The service would have ${after} domains, and its zone memory has room for ${hostedDomains}: its operator can raise ZONEWRIGHT_ZONE_MEMORY`,
  );
}

/** @param octets what the command adds to the store */
export function findSizeRefusal(octets: number): Refused | undefined {
  if (octets <= MAX_WRITTEN_OCTETS) return undefined;
  return refused(
    'invalid_request',
    `This write would add ${octets} octets to the store, records and history together, and one write can add ${MAX_WRITTEN_OCTETS}`,
  );
}

function refuseExcess(place: 'account' | 'domain', after: number, limit: number, what: string): Refused {
  return refused('quota_exceeded', `This ${place} would have ${after} ${what}, and its limit is ${limit}`);
}
