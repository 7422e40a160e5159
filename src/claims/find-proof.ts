import type { ClaimSight } from '../dns-client/ask-claim.ts';
import type { ClaimProof } from '../model/claim.ts';

/** The proofs that an account can show. */
export interface WantedProof {
  /** The nameservers of the account, sorted. */
  readonly nameservers: readonly string[];
  /** No other account has the same ones: only then a delegation tells whose domain it is. */
  readonly areOwn: boolean;
  /** The value of the challenge. */
  readonly challenge: string;
}

/**
 * Whether an account has shown control of a domain. All servers that have given a usable answer must agree, and one must have
 * given one: a server that is late with a change, or one that was left behind in the delegation, proves nothing alone.
 */
export function findProof(
  { parentServers, nameservers }: ClaimSight,
  wanted: WantedProof,
): Extract<ClaimProof, 'delegation' | 'challenge'> | undefined {
  const delegations = parentServers.flatMap((server) => ('delegatedTo' in server ? [server] : []));
  const isDelegated = delegations.every(({ delegatedTo }) => isSameSet(delegatedTo, wanted.nameservers));
  if (wanted.areOwn && delegations.length > 0 && isDelegated) return 'delegation';
  const answers = nameservers.flatMap((server) => ('challenges' in server ? [server] : []));
  const isChallenged = answers.every(({ challenges }) => challenges.includes(wanted.challenge));
  return answers.length > 0 && isChallenged ? 'challenge' : undefined;
}

/**
 * All of them, and no others: the nameservers of two accounts can overlap, so that a part of them tells nothing. Both are sorted.
 */
export function isSameSet(delegatedTo: readonly string[], nameservers: readonly string[]): boolean {
  return delegatedTo.join() === nameservers.join();
}
