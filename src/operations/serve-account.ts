// Ends the answers for all domains of an account, or lets them begin again, in slices between which others write.
import { success, type Result } from '../model/result.ts';
import type { WithholdReason } from '../model/withholding.ts';
import type { Store } from '../store/store.ts';
import type { Author } from '../writes/command.ts';
import { MAX_WITHHELD_AT_ONCE } from '../writes/decide-withholding.ts';
import { commitWrite } from './commit-write.ts';

export interface AccountServing {
  readonly accountId: string;
  /** Other reasons for which domains are withheld stay. */
  readonly reason: Exclude<WithholdReason, 'unverified'>;
  readonly author: Author;
  /** Aborted: the rest is left as it is, and can be done later. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Each slice is served like any write before the next one begins. Safe to repeat: domains that are right already cost a read.
 * A domain that the account gets meanwhile may be passed over.
 *
 * @returns the number of domains that were changed
 */
export function withholdAccount(
  context: { readonly store: Pick<Store, 'write' | 'listDomains'> },
  serving: AccountServing,
): Promise<Result<number>> {
  return changeAll(context, 'withholdDomains', serving);
}

/** As `withholdAccount`. */
export function releaseAccount(
  context: { readonly store: Pick<Store, 'write' | 'listDomains'> },
  serving: AccountServing,
): Promise<Result<number>> {
  return changeAll(context, 'releaseDomains', serving);
}

async function changeAll(
  context: { readonly store: Pick<Store, 'write' | 'listDomains'> },
  kind: 'withholdDomains' | 'releaseDomains',
  { accountId, reason, author, signal }: AccountServing,
): Promise<Result<number>> {
  let changed = 0;
  for (let key: string | null = null, isLast = false; !isLast && signal?.aborted !== true;) {
    const page = { direction: 'after', key, limit: MAX_WITHHELD_AT_ONCE } as const;
    const { rows, hasAfter } = await context.store.listDomains(accountId, page);
    isLast = !hasAfter;
    key = rows.at(-1)?.name ?? key;
    const hasReason = kind === 'withholdDomains';
    const domains = rows
      .filter(({ withheld }) => withheld.includes(reason) !== hasReason)
      .map(({ id, name }) => ({ id, name }));
    if (domains.length === 0) continue;
    const result = await commitWrite(context, { kind, author, reason, domains });
    if (!result.ok) return result;
    changed += result.value.changed;
  }
  return success(changed);
}
