import { challengeOf } from '../claims/challenge.ts';
import { findProof } from '../claims/find-proof.ts';
import type { ClaimProof } from '../model/claim.ts';
import type { ZoneName } from '../model/domain.ts';
import { APEX, ownerDomainName } from '../model/record-name.ts';
import { refused, type Refused } from '../model/result.ts';
import type { OperationContext } from './operation-context.ts';
import type { Requester } from './requester.ts';
import { wantedProofOf } from './wanted-proof.ts';

/**
 * Looks whether an account controls a name that another one holds without having shown control of it.
 *
 * @returns the proof, or the refusal that says how to show it
 */
export async function contestClaim(
  context: OperationContext,
  { accountId, getSignal }: Requester,
  name: ZoneName,
): Promise<Refused | { readonly ok: true; readonly proof: ClaimProof }> {
  const look = await context.claimLooks.look(accountId, ownerDomainName(APEX, name), name, getSignal);
  const wanted = await wantedProofOf(context, { accountId, name });
  const proof = look.kind === 'asked' ? findProof(look.sight, wanted) : undefined;
  if (proof !== undefined) return { ok: true, proof };
  const { name: owner, value } = challengeOf(accountId, name);
  // The domain comes last: an error that is too long is cut.
  return refused(
    'domain_claimed',
    `Set a TXT record "${value}" at ${owner} and repeat the request: another account, which has not shown control of it, claims ${name}`,
    'domain',
  );
}
