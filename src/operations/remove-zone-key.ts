import type { Domain } from '../model/domain.ts';
import { quoteText } from '../model/quote-text.ts';
import { refused, type Refused, type WriteResult } from '../model/result.ts';
import { commitDomainWrite } from './commit-write.ts';
import { findDelegatingServers } from './find-delegating-servers.ts';
import type { OperationContext } from './operation-context.ts';
import { findPathDomain } from './path-domain.ts';
import { termsOf, type Requester } from './requester.ts';

/**
 * Removes a key of another provider, unless a server of the parent zone has a DS record of it (contract rule 69). If the
 * servers cannot be asked, the caller is trusted to know.
 */
export async function removeZoneKey(
  context: OperationContext,
  caller: Requester,
  domainText: string,
  keyId: string,
): Promise<WriteResult<null>> {
  const found = await findPathDomain(context, caller, domainText);
  if (!found.ok) return found;
  const refusal = await findDelegationRefusal(context, caller, found.value, keyId);
  if (refusal !== undefined) return refusal;
  const { name } = found.value;
  return commitDomainWrite(
    context,
    { kind: 'removeZoneKey', ...termsOf(context, caller), domain: name, keyId },
    caller,
  );
}

async function findDelegationRefusal(
  context: OperationContext,
  { getSignal }: Requester,
  domain: Domain,
  keyId: string,
): Promise<Refused | undefined> {
  const keys = domain.denial === null ? [] : await context.store.signing.zoneKeys(domain);
  const key = keys.find(({ id }) => id === keyId);
  // All others are refused without asking anybody.
  if (key?.origin !== 'foreign') return undefined;
  const having = await findDelegatingServers(context, domain, key, getSignal);
  if (having === undefined) return undefined;
  return refused(
    'dnssec_conflict',
    `The key with tag ${key.tag} of ${quoteText(domain.name)} cannot be removed, because ${having} its DS record: no longer announce the key (zonewright domain dnssec key withdraw), have the DS record removed, and wait for its TTL`,
  );
}
