// The limits of accounts and their use (contract rule 58).
import type { ZoneKey } from '../dnssec/zone-key.ts';
import type { Caller } from '../model/account.ts';
import {
  effectiveLimits,
  MAX_LIMIT,
  MIN_TRAIL_OCTETS,
  type AccountLimits,
  type AccountUsage,
  type LimitOverrides,
} from '../model/account-limits.ts';
import {
  refused,
  success,
  written,
  type ReadResult,
  type Refused,
  type WriteResult,
} from '../model/result.ts';
import type { Domain } from '../model/domain.ts';
import { refuseUnknownAccount } from '../model/refuse-unknown.ts';
import type { StoredQuota } from '../writes/check-quotas.ts';
import { signedRowCost } from '../writes/command-weight.ts';
import { MAX_RECORDS_PER_DOMAIN } from '../writes/decide-record.ts';
import { commitWrite } from './commit-write.ts';
import type { OperationContext } from './operation-context.ts';
import { accountTermsOf, type Requester } from './requester.ts';
import { costOf, type Work } from './work-budget.ts';

/** The limits of an account and what it uses of them. */
export interface LimitsOverview {
  readonly limits: AccountLimits;
  readonly usage: AccountUsage;
  /** The octets of its trail. */
  readonly trailOctets: number;
  /** The work that it has used of this minute, in this process. */
  readonly cost: number;
}

/** @param accountId of the caller or, for an administrator, of any account */
export async function getLimits(
  context: OperationContext,
  accountId: string,
): Promise<ReadResult<LimitsOverview>> {
  const quota = await context.store.findQuota(accountId);
  return quota === undefined
    ? refuseUnknownAccount(accountId)
    : success(await overviewOf(context, accountId, quota));
}

async function overviewOf(
  { settings, store, work }: OperationContext,
  accountId: string,
  { usage, overrides }: StoredQuota,
): Promise<LimitsOverview> {
  const limits = effectiveLimits(settings.limits, overrides);
  const trailOctets = await store.trail.octets(accountId);
  return { limits, usage, trailOctets, cost: work.used(accountId, limits.costPerMinute) };
}

/** Replaces the overrides of an account; limits that are absent have the service's defaults again. */
export async function setLimits(
  context: OperationContext,
  caller: Requester,
  accountId: string,
  sent: LimitOverrides,
): Promise<WriteResult<LimitsOverview>> {
  const refusal = findRangeRefusal(sent);
  if (refusal !== undefined) return refusal;
  const terms = accountTermsOf(context, caller);
  const result = await commitWrite(context, {
    kind: 'updateLimits',
    ...terms,
    accountId,
    overrides: sent,
  });
  if (!result.ok) return result;
  const quota = await context.store.findQuota(accountId);
  if (quota === undefined) return refuseUnknownAccount(accountId);
  return written(await overviewOf(context, accountId, { ...quota, overrides: sent }));
}

function findRangeRefusal(sent: LimitOverrides): Refused | undefined {
  for (const [name, value] of Object.entries(sent)) {
    const most = name === 'recordsPerDomain' ? MAX_RECORDS_PER_DOMAIN : MAX_LIMIT;
    const least = name === 'trailOctets' ? MIN_TRAIL_OCTETS : 0;
    if (Number.isSafeInteger(value) && value >= least && value <= most) continue;
    const field = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return refused('invalid_request', `${field} must be an integer from ${least} to ${most}`, field);
  }
  return undefined;
}

/**
 * Debits the caller's budget of work before an expensive request starts. Returns the refusal if the budget is used up.
 *
 * @param work an estimate, in rows and octets
 */
export async function findCostRefusal(
  { store, settings, work: budget }: Pick<OperationContext, 'store' | 'settings' | 'work'>,
  { accountId }: Pick<Caller, 'accountId'>,
  work: Work,
): Promise<Refused | undefined> {
  const cost = costOf(work);
  if (cost <= FREE_COST) return undefined;
  const quota = await store.findQuota(accountId);
  const { costPerMinute } = effectiveLimits(settings.limits, quota?.overrides ?? {});
  const retryAfterSeconds = budget.take(accountId, cost, costPerMinute);
  if (retryAfterSeconds === 0) return undefined;
  const message = `This request costs ${cost} units of work, and this account's ${costPerMinute} of a minute are used up: try again in ${retryAfterSeconds} s`;
  return { ok: false, refusal: { code: 'cost_exceeded', message, retryAfterSeconds } };
}

/**
 * Debits the budget before a domain is signed, signed with another key, or loses its signatures: as a whole, if it comes to that.
 *
 * @param added a key that is to sign beside those of the domain, or in their place
 */
export async function findSigningCostRefusal(
  context: Pick<OperationContext, 'store' | 'settings' | 'work'>,
  caller: Pick<Caller, 'accountId'>,
  domain: Domain,
  added: readonly Pick<ZoneKey, 'algorithm'>[] = [],
): Promise<Refused | undefined> {
  const { recordCount, octets, denial } = domain;
  const keys = denial === null ? [] : await context.store.signing.zoneKeys(domain);
  const rows = recordCount * signedRowCost([...keys, ...added]);
  return findCostRefusal(context, caller, { rows, octets });
}

/** Requests about so few rows cost no more than those that are not counted at all; the rate limit bounds them. */
const FREE_COST = 1000;
