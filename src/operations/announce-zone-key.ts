import { refused, type WriteResult } from '../model/result.ts';
import { commitDomainWrite } from './commit-write.ts';
import type { OperationContext } from './operation-context.ts';
import { findPathDomain } from './path-domain.ts';
import { termsOf, type Requester } from './requester.ts';

/**
 * Has CDS and CDNSKEY ask for the DS record of a key, or no longer (contract rule 72). The key stays published, so that
 * resolvers with its DS record go on to validate.
 */
export async function announceZoneKey(
  context: OperationContext,
  caller: Requester,
  domainText: string,
  keyId: string,
  isAnnounced: boolean | undefined,
): Promise<WriteResult<null>> {
  if (isAnnounced === undefined) return refused('invalid_request', 'announced is required', 'announced');
  const found = await findPathDomain(context, caller, domainText);
  if (!found.ok) return found;
  const { name } = found.value;
  return commitDomainWrite(
    context,
    { kind: 'announceZoneKey', ...termsOf(context, caller), domain: name, keyId, isAnnounced },
    caller,
  );
}
