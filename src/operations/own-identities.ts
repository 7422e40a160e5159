// Users see and unlink their own identities at providers.
import type { Identity } from '../model/identity.ts';
import { success, type ReadResult, type Result, type WriteResult } from '../model/result.ts';
import { commitWrite } from './commit-write.ts';
import { getOpenIdTerms } from './open-id-terms.ts';
import type { OperationContext } from './operation-context.ts';
import { getSignedIn } from './own-sessions.ts';
import { accountTermsOf, type Requester } from './requester.ts';

/** Those of former providers, too. */
export async function listIdentities(
  { store }: Pick<OperationContext, 'store'>,
  requester: Requester,
): Promise<ReadResult<readonly Identity[]>> {
  const { user } = getSignedIn(requester);
  return success(await store.people.find('identities', 'userId', [user.id]));
}

/** Ends the identity at the provider of the settings. */
export async function unlinkIdentity(
  context: OperationContext,
  requester: Requester,
): Promise<WriteResult<null>> {
  const terms = getOpenIdTerms(context);
  if (!terms.ok) return terms;
  const { user } = getSignedIn(requester);
  const { issuer } = terms.value.provider;
  return commitWrite(context, {
    kind: 'unlinkIdentity',
    ...accountTermsOf(context, requester),
    userId: user.id,
    issuer,
  });
}

/** Null: there is no provider. */
export function findProviderName(context: Pick<OperationContext, 'openId'>): Result<string | null> {
  return success(context.openId?.provider.name ?? null);
}
