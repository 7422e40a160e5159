import type { Domain } from '../model/domain.ts';
import { checkRevision } from '../writes/revision.ts';
import type { OperationContext } from './operation-context.ts';
import { findPathDomain } from './path-domain.ts';
import type { WriteResult } from '../model/result.ts';
import type { Requester } from './requester.ts';

/** Handles a write that requests no change, but checks its preconditions. */
export async function writeNothing(
  context: OperationContext,
  caller: Requester,
  domainText: string,
): Promise<WriteResult<Domain>> {
  const found = await findPathDomain(context, caller, domainText);
  if (!found.ok) return found;
  const { terms = {} } = caller;
  const refusal = checkRevision(found.value, terms);
  if (refusal !== undefined) return { ok: false, refusal };
  const unchanged = { ...found, changed: false };
  if (!terms.dryRun) return unchanged;
  return { ...unchanged, difference: { created: [], updated: [], deleted: [], unchanged: 1 }, warnings: [] };
}
