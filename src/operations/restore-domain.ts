import type { Domain } from '../model/domain.ts';
import { quoteText } from '../model/quote-text.ts';
import { refused, success, type Result, type WriteResult } from '../model/result.ts';
import { refuseUnknownDeleted } from '../model/refuse-unknown.ts';
import type { CommandOf } from '../writes/command.ts';
import { findCostRefusal } from './account-limits.ts';
import { commitDomainWrite } from './commit-write.ts';
import { nameTermsOf } from './name-terms.ts';
import type { OperationContext } from './operation-context.ts';
import { parsePathDomain } from './path-domain.ts';
import { termsOf, type Requester } from './requester.ts';
import { withShare } from './with-share.ts';
import { zoneWeight } from './work-weights.ts';

/**
 * Restores a deleted domain with everything it had.
 *
 * @param deletedId an id from the list of deleted domains; if undefined, the most recently deleted domain of that name
 */
export async function restoreDomain(
  context: OperationContext,
  caller: Requester,
  domain: string,
  deletedId?: string,
): Promise<WriteResult<Domain>> {
  const name = parsePathDomain(domain);
  if (!name.ok) return name;
  const id = deletedId === undefined ? success(undefined) : parseDeletedId(deletedId, name.value);
  if (!id.ok) return id;
  const command = {
    kind: 'restoreDomain',
    ...termsOf(context, caller),
    ...nameTermsOf(context, caller, name.value),
    name: name.value,
    id: id.value,
  } as const;
  return command.dryRun === true
    ? listRestored(context, caller, command)
    : commitDomainWrite(context, command);
}

/** A dry run reads all records of the domain; restoring reads none. */
async function listRestored(
  context: OperationContext,
  caller: Requester,
  command: CommandOf<'restoreDomain'>,
): Promise<WriteResult<Domain>> {
  const found = await context.store.findDeletedDomain(caller.accountId, command.name, command.id);
  if (found !== undefined) {
    const refusal = await findCostRefusal(context, caller, { rows: found.recordCount, octets: found.octets });
    if (refusal !== undefined) return refusal;
  }
  const octets = found === undefined ? 0 : zoneWeight(found);
  return withShare(context, caller, octets, (sharing) => commitDomainWrite(context, command, sharing));
}

/** A number that is too large for an id is reported as an unknown deleted domain. */
function parseDeletedId(text: string, name: string): Result<number> {
  if (!/^[0-9]+$/.test(text)) {
    return refused('invalid_request', `id must be a string of digits, not ${quoteText(text)}`, 'id');
  }
  const id = Number(text);
  return Number.isSafeInteger(id) && String(id) === text ? success(id) : refuseUnknownDeleted(name, text);
}
