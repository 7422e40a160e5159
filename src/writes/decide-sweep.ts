// The domains of an account that is suspended or deleted are withheld, and served again when it is not any more: by name, so
// many in each slice. Nothing else of the account can change meanwhile, or the sweep has begun again.
import { isSameStanding, withholdsDomains } from '../model/account-standing.ts';
import { withoutReason, withReason } from '../model/withholding.ts';
import { written, type WriteResult } from '../model/result.ts';
import type { AccountSlice } from './account-command.ts';
import type { CommandOf } from './command.ts';
import { changeStanding } from './decide-standing.ts';
import type { PendingBatch } from './pending-batch.ts';

/** Domains of one slice, each with a row that is changed and an entry of the feed: some milliseconds. */
export const SWEEP_DOMAINS = 100;

export function decideSweepDomains(
  { accountId, seen }: CommandOf<'sweepDomains'>,
  batch: PendingBatch,
): WriteResult<AccountSlice> {
  const account = batch.findAccount(accountId);
  const { standing } = account ?? {};
  const sweep = standing?.sweep ?? null;
  if (account === undefined || standing === undefined || sweep === null || !isSameStanding(standing, seen))
    return written({ moved: false, account: account ?? null }, false);
  const names = batch.accounts.domainNamesAfter(accountId, sweep.after, SWEEP_DOMAINS);
  const change = withholdsDomains(standing) ? withReason : withoutReason;
  for (const name of names) {
    const domain = batch.findDomain(name);
    if (domain?.accountId !== accountId) continue;
    const withheld = change(domain.withheld, 'suspended');
    if (withheld !== domain.withheld) batch.withhold(domain, withheld);
  }
  const last = names.at(-1);
  const isOver = last === undefined || names.length < SWEEP_DOMAINS;
  const next = isOver ? null : { ...sweep, after: last, done: sweep.done + names.length };
  return written({ moved: true, account: changeStanding(account, { sweep: next }, batch) });
}
