import { quoteText } from '../model/quote-text.ts';
import { refused, written, type WriteResult } from '../model/result.ts';
import type { CommandOf } from './command.ts';
import { getOwnDomain } from './decide-domain.ts';
import type { PendingBatch } from './pending-batch.ts';
import { refuseUnfinished } from './refuse-unfinished.ts';
import { refuseUnavailable } from './signing/find-signing-refusal.ts';

/** Both kinds of chain prove as much: caches may have answers of either, so that nothing has to be waited for. */
export function decideChangeDenial(
  { domain: name, author, denial }: CommandOf<'changeDenial'>,
  batch: PendingBatch,
): WriteResult<null> {
  const found = getOwnDomain(name, author, batch);
  if (!found.ok) return found;
  const domain = found.value;
  if (domain.denial === null && domain.signingWork?.kind !== 'sign') {
    return refused(
      'dnssec_conflict',
      `Domain ${quoteText(name)} is not signed: it proves nothing that could be proven otherwise`,
      'denial',
    );
  }
  if (domain.signingWork !== null) {
    // A repeat of the request that began the change.
    if (domain.signingWork.kind === 'denial' && domain.signingWork.denial === denial)
      return written(null, false);
    return refuseUnfinished(domain, 'denial');
  }
  if (domain.denial === denial) return written(null, false);
  if (!batch.signing.canSign(domain)) return refuseUnavailable();
  batch.updateDomain(domain, {});
  batch.signing.changeDenial(domain, denial);
  return written(null);
}
