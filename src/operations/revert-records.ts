import type { RecordsChanged } from '../model/record-changes.ts';
import { findCostRefusal } from './account-limits.ts';
import { commitDomainWrite } from './commit-write.ts';
import type { OperationContext } from './operation-context.ts';
import { parsePathDomain } from './path-domain.ts';
import type { WriteResult } from '../model/result.ts';
import { termsOf, type Requester } from './requester.ts';
import { withShare } from './with-share.ts';
import { zoneWeight } from './work-weights.ts';

/** Restores the records and SOA fields of an earlier serial. The revert is a change itself and can be reverted. */
export async function revertRecords(
  context: OperationContext,
  caller: Requester,
  domain: string,
  to: number,
): Promise<WriteResult<RecordsChanged>> {
  const zone = parsePathDomain(domain);
  if (!zone.ok) return zone;
  const found = await context.store.findDomain(caller.accountId, zone.value);
  if (found !== undefined) {
    // All records are read, and in the worst case each is replaced.
    // The history adds at most `MAX_ZONE_OCTETS`.
    const work = { rows: 2 * found.recordCount, octets: 2 * found.octets };
    const refusal = await findCostRefusal(context, caller, work);
    if (refusal !== undefined) return refusal;
  }
  const command = { kind: 'revertRecords', ...termsOf(context, caller), domain: zone.value, to } as const;
  // The result has each record as it was and as it is.
  const octets = found === undefined ? 0 : 2 * zoneWeight(found);
  return withShare(context, caller, octets, (sharing) => commitDomainWrite(context, command, sharing));
}
