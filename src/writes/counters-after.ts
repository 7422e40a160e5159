import type { BatchWrites, Counters } from './batch-writes.ts';
import type { PendingUsage } from './pending-usage.ts';

/**
 * The counters after a batch; null if it leaves them as they are.
 *
 * @param feed all entries of the batch
 * @param domains with the last id that any domain has got
 */
export function countersAfter(
  { lastSeq, accountCount, keyCount, domainCount }: Counters,
  feed: { readonly all: readonly unknown[] },
  { lastDomainId }: Pick<Counters, 'lastDomainId'>,
  accounts: Pick<BatchWrites, 'createdAccounts' | 'deletedAccountIds' | 'createdKeys' | 'deletedKeyIds'>,
  usage: Pick<PendingUsage, 'total'>,
): Counters | null {
  const keys = accounts.createdKeys.length - accounts.deletedKeyIds.length;
  const accountSteps = accounts.createdAccounts.length - accounts.deletedAccountIds.length;
  if (feed.all.length === 0 && accountSteps === 0 && keys === 0) return null;
  return {
    lastSeq: lastSeq + feed.all.length,
    lastDomainId,
    accountCount: accountCount + accountSteps,
    keyCount: keyCount + keys,
    domainCount: domainCount + usage.total('domains'),
  };
}
