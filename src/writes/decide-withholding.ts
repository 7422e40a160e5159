import { withoutReason, withReason } from '../model/withholding.ts';
import { written, type WriteResult } from '../model/result.ts';
import type { CommandOf } from './command.ts';
import type { PendingBatch } from './pending-batch.ts';
import type { DomainsWithheld } from './serving-command.ts';

/** Domains in a command: below `LARGE_ROWS` with a row and an entry of the feed each, so that it holds nobody up. */
export const MAX_WITHHELD_AT_ONCE = 100;

/** Adds a reason to domains, or takes it from them. Those that are other ones than were seen are passed over. */
export function decideWithholding(
  { kind, domains, reason }: CommandOf<'withholdDomains' | 'releaseDomains'>,
  batch: PendingBatch,
): WriteResult<DomainsWithheld> {
  const change = kind === 'withholdDomains' ? withReason : withoutReason;
  let changed = 0;
  // All are found first: a reader that has to fetch missing rows learns of them in one go.
  const found = domains.map(({ id, name }) => {
    const domain = batch.findDomain(name);
    return domain?.id === id ? domain : undefined;
  });
  for (const domain of found) {
    if (domain === undefined) continue;
    const withheld = change(domain.withheld, reason);
    if (withheld === domain.withheld) continue;
    batch.withhold(domain, withheld);
    changed++;
  }
  return written({ changed }, changed > 0);
}
