import type { Counters } from './batch-writes.ts';

/** The numbers that a batch adds. */
interface AddedNumbers {
  readonly changes: number;
  /** The last id that any domain has got. */
  readonly lastDomainId: number;
  readonly accounts: number;
  readonly keys: number;
  readonly domains: number;
}

/** The counters after a batch; null if it leaves them as they are. */
export function countersAfter(
  { lastSeq, accountCount, keyCount, domainCount }: Counters,
  { changes, lastDomainId, accounts, keys, domains }: AddedNumbers,
): Counters | null {
  if (changes === 0 && accounts === 0 && keys === 0) return null;
  return {
    lastSeq: lastSeq + changes,
    lastDomainId,
    accountCount: accountCount + accounts,
    keyCount: keyCount + keys,
    domainCount: domainCount + domains,
  };
}
