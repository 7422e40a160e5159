import type { Domain } from '../model/domain.ts';
import { quoteText } from '../model/quote-text.ts';
import { refused, type Refused, type WriteResult } from '../model/result.ts';
import { findSigningCostRefusal } from './account-limits.ts';
import { commitDomainWrite } from './commit-write.ts';
import { findDelegatingServers } from './find-delegating-servers.ts';
import type { OperationContext } from './operation-context.ts';
import { findPathDomain } from './path-domain.ts';
import { termsOf, type Requester } from './requester.ts';

/**
 * Takes back a rollover, as long as no server of the parent zone has the DS record of the new key (contract rule 65). What
 * the servers have can be known from up to 30 seconds ago, see `ParentLooks`.
 */
export async function cancelRollover(
  context: OperationContext,
  caller: Requester,
  domainText: string,
  id: string,
): Promise<WriteResult<null>> {
  const found = await findPathDomain(context, caller, domainText);
  if (!found.ok) return found;
  const domain = found.value;
  const refusal =
    (await findSigningCostRefusal(context, caller, domain)) ??
    (await findDelegationRefusal(context, caller, domain, id));
  if (refusal !== undefined) return refusal;
  return commitDomainWrite(
    context,
    { kind: 'cancelRollover', ...termsOf(context, caller), domain: domain.name, id },
    caller,
  );
}

/** The parent zone is asked only in the step in which the DS record of the new key is asked for. */
async function findDelegationRefusal(
  context: OperationContext,
  caller: Requester,
  domain: Domain,
  id: string,
): Promise<Refused | undefined> {
  const keys = domain.denial === null ? [] : await context.store.signing.zoneKeys(domain);
  const incoming = keys.find(({ rollover }) => rollover?.id === id);
  if (incoming?.rollover?.step !== 'announced') return undefined;
  const having = await findDelegatingServers(context, domain, incoming, caller.getSignal);
  if (having === undefined) return undefined;
  return refused(
    'dnssec_conflict',
    `The rollover of ${quoteText(domain.name)} cannot be cancelled, because ${having} the DS record of the new key: have it replaced by the old one first, or let the rollover go on`,
  );
}
