import type { FairSemaphore, Release } from '../base/fair-semaphore.ts';
import { refuseUnknownAccount } from '../model/refuse-unknown.ts';
import { refused, success, type Result } from '../model/result.ts';
import { StoreUnavailable } from '../writes/store-errors.ts';
import { findCostRefusal, getLimits } from './account-limits.ts';
import { readAccountParts, type AccountParts } from './account-parts.ts';
import type { OperationContext } from './operation-context.ts';
import type { Requester } from './requester.ts';

/** Ten million records to a client at 10 Mbit/s; one that reads as slowly as it may does not keep others out for days. */
const MAX_EXPORT_MS = 3_600_000;

export interface ExportedAccount {
  readonly accountId: string;
  readonly atMs: number;
  /** The caller must read it to the end, or call `return`. Rejects with `StoreUnavailable`, also after an hour. */
  readonly parts: AccountParts;
}

/** Exports all that the caller's account has. One account has one export at a time. */
export async function exportAccount(
  context: OperationContext,
  caller: Requester,
): Promise<Result<ExportedAccount>> {
  const { accountExports } = context;
  const release = accountExports.tryAcquire(caller.accountId);
  if (release === undefined) return refused('busy', describeBusy(accountExports, caller.accountId));
  try {
    const opened = await beginExport(context, caller, release);
    if (!opened.ok) release();
    return opened;
  } catch (error) {
    release();
    throw error;
  }
}

function describeBusy(exports: FairSemaphore, accountId: string): string {
  return exports.heldBy(accountId) > 0
    ? 'This account is being exported already; try again when that has ended'
    : 'Too many accounts are being exported; try again';
}

async function beginExport(
  context: OperationContext,
  caller: Requester,
  release: Release,
): Promise<Result<ExportedAccount>> {
  const { accountId, getSignal } = caller;
  const account = await context.store.findAccount(accountId);
  const overview = await getLimits(context, accountId);
  if (account === undefined || !overview.ok) return refuseUnknownAccount(accountId);
  const { records, octets, historyOctets } = overview.value.usage;
  // Each record is read as a record, and for the zone file.
  const trailOctets = await context.store.trail.octets(accountId);
  const work = { rows: 2 * records, octets: 2 * octets + historyOctets + trailOctets };
  const refusal = await findCostRefusal(context, caller, work);
  if (refusal !== undefined) return refusal;
  const gone = getSignal?.() ?? new AbortController().signal;
  // Also if nothing of it is ever read.
  gone.addEventListener('abort', release);
  const atMs = context.clock.nowMs();
  context.trail.note(caller, { accountId, action: 'account.export', object: accountId });
  const parts = async function* (): AccountParts {
    try {
      yield { kind: 'account', account, overview: overview.value, atMs };
      yield* withinTime(context, readAccountParts(context, accountId, gone));
    } finally {
      release();
    }
  };
  return success({ accountId, atMs, parts: parts() });
}

async function* withinTime({ monotonic }: OperationContext, parts: AccountParts): AccountParts {
  const untilMs = monotonic.elapsedMs() + MAX_EXPORT_MS;
  for await (const part of parts) {
    if (monotonic.elapsedMs() > untilMs) throw new StoreUnavailable('the export has taken more than an hour');
    yield part;
  }
}
