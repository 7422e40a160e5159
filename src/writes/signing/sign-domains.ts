// Signing at the end of a batch: what is decided is brought into the rows that only the service writes.
//
//   commands ─▶ PendingDomain (records, wanted denial, keys) ─▶ signDomains ─▶ generated rows: hash, feed, writes
//
// Signs with the functions that it is given: it holds no private key, and knows no cryptography.
import type { Steps } from '../../base/steps.ts';
import type { PendingDomain } from '../pending-domain.ts';
import type { PendingFeed } from '../pending-feed.ts';
import type { BatchSigning } from './batch-signing.ts';
import { signDomain } from './sign-domain.ts';

/**
 * Signs all domains that the batch has touched. Call it once, after the last command: what it writes cannot be undone.
 *
 * @param signing undefined: no command has touched a signed domain
 */
export function* signDomains(
  touched: readonly PendingDomain[],
  feed: PendingFeed,
  signing: BatchSigning | undefined,
): Steps<void> {
  const errors: unknown[] = [];
  for (const domain of touched) {
    if (!domain.needsSigning()) continue;
    try {
      yield* signDomain(domain, signing);
    } catch (error) {
      // As in `visitAll`: the rows that all domains need are found in one go.
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  for (const domain of touched) addWrites(domain, feed, signing);
}

/** An entry for each row, in the order in which followers apply them: a former row goes first. */
function addWrites(domain: PendingDomain, feed: PendingFeed, signing: BatchSigning | undefined): void {
  const atMs = 1000 * (signing?.nowSeconds ?? 0);
  for (const [before, after] of domain.generated.writes()) {
    domain.rehash(after ?? undefined, before ?? undefined);
    if (before !== null) feed.addGenerated(domain.current, 'recordDelete', before, atMs);
    if (after !== null) feed.addGenerated(domain.current, 'recordPut', after, atMs);
  }
}
