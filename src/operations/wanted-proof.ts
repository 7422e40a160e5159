import { challengeOf } from '../claims/challenge.ts';
import type { WantedProof } from '../claims/find-proof.ts';
import type { Domain } from '../model/domain.ts';
import type { OperationContext } from './operation-context.ts';

/** Returns the proofs by which an account can show control of a domain. */
export async function wantedProofOf(
  { nameserverSets }: Pick<OperationContext, 'nameserverSets'>,
  { accountId, name }: Pick<Domain, 'accountId' | 'name'>,
): Promise<WantedProof> {
  const nameservers = await nameserverSets.of(accountId);
  const areOwn = await nameserverSets.areOwn(accountId, nameservers);
  return { nameservers, areOwn, challenge: challengeOf(accountId, name).value };
}
