// Reads of the trail: by pages, and as a whole.
import type { GetSignal } from '../base/fair-semaphore.ts';
import { defaultLimits } from '../model/account-limits.ts';
import type { Caller } from '../model/account.ts';
import { refuseUnknownAccount } from '../model/refuse-unknown.ts';
import { success, type ReadResult, type Result } from '../model/result.ts';
import { TRAIL_ROW_OCTETS, type NumberedTrailEntry } from '../model/trail-entry.ts';
import type { PageRequest } from '../store/store.ts';
import { TRAIL_PAGE_ENTRIES } from '../store/trail-page.ts';
import type { TrailFilter, TrailPage, TrailPlace } from '../store/trail-reads.ts';
import { findCostRefusal } from './account-limits.ts';
import { authorise } from './authorise.ts';
import { noteForeignRead } from './note-foreign-read.ts';
import type { OperationContext } from './operation-context.ts';
import type { Requester } from './requester.ts';
import type { Work } from './work-budget.ts';

export interface TrailChoice extends Omit<TrailFilter, 'accountId'> {
  /** Absent: the caller's own; null: all, and what no account sees. */
  readonly account?: string | null | undefined;
}

/** Latest first. A page may have fewer entries than it could, or none, and others follow. */
export async function listTrail(
  context: OperationContext,
  caller: Requester,
  { account, ...filter }: TrailChoice,
  page: PageRequest,
  getSignal?: GetSignal,
): Promise<ReadResult<TrailPage>> {
  const scope = await findTrailAccount(context, caller, account);
  if (!scope.ok) return scope;
  const accountId = scope.value;
  if (Object.values(filter).some((value) => value !== undefined)) {
    const { octets } = await weighTrail(context, accountId);
    const rows = Math.min(TRAIL_PAGE_ENTRIES, octets / TRAIL_ROW_OCTETS);
    const refusal = await findCostRefusal(context, caller, searched(rows));
    if (refusal !== undefined) return refusal;
  }
  if (accountId !== undefined) noteForeignRead(context, caller, accountId, 'listTrail');
  return success(await context.store.trail.list(readerOf(caller), { ...filter, accountId }, page, getSignal));
}

/**
 * All that the filter shows, earliest first, up to the time of the request. Each slice is a short read of its own, so that a slow
 * client holds up nobody. The export is itself noted.
 */
export async function exportTrail(
  context: OperationContext,
  caller: Requester,
  { account, ...filter }: TrailChoice,
): Promise<ReadResult<AsyncGenerator<readonly NumberedTrailEntry[], void, undefined>>> {
  const scope = await findTrailAccount(context, caller, account);
  if (!scope.ok) return scope;
  const accountId = scope.value;
  const refusal = await findCostRefusal(context, caller, await weighTrail(context, accountId));
  if (refusal !== undefined) return refusal;
  const { action, actor, object, address, fromMs, untilMs } = filter;
  const [from, to] = [fromMs, untilMs].map((ms) =>
    ms === undefined ? undefined : new Date(ms).toISOString(),
  );
  context.trail.note(caller, {
    accountId: accountId ?? '',
    action: 'trail.export',
    object: accountId ?? '',
    detail: {
      action,
      actor,
      object,
      address,
      from,
      to,
      accounts: accountId === undefined ? 'all' : undefined,
    },
  });
  const nowMs = context.clock.nowMs();
  const until = Math.min(untilMs ?? nowMs, nowMs);
  return success(readSlices(context, caller, { ...filter, accountId, untilMs: until }));
}

async function* readSlices(
  { store }: OperationContext,
  caller: Requester,
  filter: TrailFilter,
): AsyncGenerator<readonly NumberedTrailEntry[], void, undefined> {
  const signal = caller.getSignal?.();
  for (let from: TrailPlace | null = { atMs: 0, id: 0 }; from !== null && signal?.aborted !== true;) {
    const slice = await store.trail.slice(readerOf(caller), filter, from, caller.getSignal);
    if (slice.entries.length > 0) yield slice.entries;
    from = slice.next;
  }
}

/** Returns the id of the account whose trail a request reads; undefined: all of them. */
async function findTrailAccount(
  context: OperationContext,
  caller: Caller,
  named: string | null | undefined,
): Promise<Result<string | undefined>> {
  const accountId = named === undefined ? caller.accountId : named;
  const isOwn = accountId === caller.accountId;
  const missing = isOwn && accountId === '' ? caller.signedIn?.accountRefusal : undefined;
  const needs = isOwn ? (['trail:read', 'accounts:read'] as const) : ('accounts:read' as const);
  const refusal = missing ?? authorise(caller, { needs });
  if (refusal !== undefined) return { ok: false, refusal };
  if (accountId === null) return success(undefined);
  if (isOwn || (await context.store.findAccount(accountId)) !== undefined) return success(accountId);
  return refuseUnknownAccount(accountId);
}

/** An export of the trails of all accounts counts as one of a trail at the limit by default. Only operators can make it. */
const workOfAllAccounts: Work = { rows: 0, octets: defaultLimits.trailOctets };

async function weighTrail({ store }: OperationContext, accountId: string | undefined): Promise<Work> {
  return accountId === undefined
    ? workOfAllAccounts
    : { rows: 0, octets: await store.trail.octets(accountId) };
}

/** An entry that is only compared takes a quarter of the time of one that is sent. */
function searched(rows: number): Work {
  return { rows: Math.ceil(rows / 4), octets: 0 };
}

/** Operators need not belong to an account; each of them has a share of its own. */
function readerOf({ accountId, keyId }: Caller): string {
  return accountId === '' ? keyId : accountId;
}
