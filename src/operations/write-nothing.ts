import type { Domain } from '../model/domain.ts';
import { refused } from '../model/refusal.ts';
import { revisionOf } from '../model/revision.ts';
import { quoteText } from '../model/quote-text.ts';
import type { Written } from './commit-write.ts';
import type { OperationContext } from './operation-context.ts';
import { findPathDomain } from './path-domain.ts';
import type { Requester } from './requester.ts';

/** A write that asks for no change: its terms count all the same. */
export async function writeNothing(
  context: OperationContext,
  caller: Requester,
  domainText: string,
): Promise<Written<Domain>> {
  const found = await findPathDomain(context, caller, domainText);
  if (!found.ok) return found;
  const { ifMatch, dryRun } = caller.terms ?? {};
  const { value: domain } = found;
  if (ifMatch !== undefined && !ifMatch.includes('*') && !ifMatch.includes(revisionOf(domain))) {
    return refused(
      'precondition_failed',
      `Domain ${quoteText(domain.name)} has been changed meanwhile: its revision is ${revisionOf(domain)}`,
    );
  }
  if (!dryRun) return found;
  return { ...found, difference: { created: [], updated: [], deleted: [], unchanged: 1 }, warnings: [] };
}
