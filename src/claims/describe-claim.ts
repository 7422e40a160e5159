/** Describes whether control of a domain was shown, and the next step of its owner, in words. Pure. */
import type { ServerAnswer } from '../dns-client/ask-each-server.ts';
import type { FoundChallenges, FoundDelegation } from '../dns-client/ask-claim.ts';
import { UNVERIFIED_SECONDS, type ClaimProof } from '../model/claim.ts';
import type { Domain } from '../model/domain.ts';
import type { Challenge } from './challenge.ts';
import type { ClaimLook } from './claim-looks.ts';
import { isSameSet, type WantedProof } from './find-proof.ts';

export type ClaimState = 'open' | 'unverified' | 'verified';

export interface ClaimStatus {
  readonly state: ClaimState;
  readonly how: ClaimProof | null;
  /** A sentence for people, without a full stop. */
  readonly nextStep: string;
  /** Those that the parent zone has to name. */
  readonly nameservers: readonly string[];
  /** Null if its name would be too long. */
  readonly challenge: Pick<Challenge, 'name' | 'value'> | null;
  readonly seen: readonly SeenServer[];
  /** Null if the servers were not asked. */
  readonly checkedAtMs: number | null;
  readonly verifiedAtSeconds: number | null;
  /** When an unverified domain is deleted. */
  readonly expiresAtSeconds: number | null;
}

/** One address of a server of the parent zone, or of a nameserver of the domain. */
export interface SeenServer {
  readonly role: 'parent' | 'nameserver';
  readonly server: string;
  readonly address: string | null;
  /** Those that a server of the parent zone names; null: not known, or it is none. */
  readonly delegatedTo: readonly string[] | null;
  /** Whether a nameserver has the challenge; null: not known, or it is none. */
  readonly hasChallenge: boolean | null;
  readonly problem: string | null;
}

export interface ClaimFacts {
  readonly domain: Pick<Domain, 'name' | 'claim'>;
  readonly wanted: WantedProof;
  readonly challenge: Challenge;
  /** Undefined: nobody has looked lately. */
  readonly look: ClaimLook | undefined;
}

export function describeClaim({ domain, wanted, challenge, look }: ClaimFacts): ClaimStatus {
  const { claim } = domain;
  const state = claim === null ? 'open' : claim.proof === null ? 'unverified' : 'verified';
  const isSought = state === 'unverified';
  const seen = isSought && look?.kind === 'asked' ? seenBy(look, wanted) : [];
  return {
    state,
    how: claim?.proof ?? null,
    nextStep: isSought ? findNextStep({ domain, wanted, challenge, look }, seen) : 'Nothing has to be done',
    nameservers: wanted.nameservers,
    challenge: challenge.owner === undefined ? null : { name: challenge.name, value: challenge.value },
    seen,
    checkedAtMs: isSought && look?.kind === 'asked' ? look.atMs : null,
    verifiedAtSeconds: state === 'verified' ? (claim?.sinceSeconds ?? null) : null,
    expiresAtSeconds: isSought ? (claim?.sinceSeconds ?? 0) + UNVERIFIED_SECONDS : null,
  };
}

function seenBy({ sight }: Extract<ClaimLook, { kind: 'asked' }>, wanted: WantedProof): SeenServer[] {
  return [
    ...sight.parentServers.map((server) => seenAtParent(server)),
    ...sight.nameservers.map((server) => seenAtNameserver(server, wanted)),
  ];
}

function seenAtParent(server: ServerAnswer<FoundDelegation>): SeenServer {
  const { name, address = null } = server;
  const about = { role: 'parent', server: name, address, hasChallenge: null } as const;
  return 'delegatedTo' in server
    ? { ...about, delegatedTo: server.delegatedTo, problem: null }
    : { ...about, delegatedTo: null, problem: server.problem.message };
}

function seenAtNameserver(server: ServerAnswer<FoundChallenges>, { challenge }: WantedProof): SeenServer {
  const { name, address = null } = server;
  const about = { role: 'nameserver', server: name, address, delegatedTo: null } as const;
  return 'challenges' in server
    ? { ...about, hasChallenge: server.challenges.includes(challenge), problem: null }
    : { ...about, hasChallenge: null, problem: server.problem.message };
}

function findNextStep(facts: ClaimFacts, seen: readonly SeenServer[]): string {
  const steps = [describeChallenge(facts.challenge), describeDelegation(facts)];
  const wish = capitalised(steps.filter((step) => step !== undefined).join('; or '));
  if (wish === '') return 'Ask the operator of this service to verify the domain';
  const observed = describeSeen(facts, seen);
  return observed === undefined ? wish : `${wish}. ${observed}`;
}

function describeChallenge({ owner, name, value }: Challenge): string | undefined {
  if (owner === undefined) return undefined;
  return `Set the TXT record of ${name} to "${value}" at the present nameservers of the domain`;
}

function describeDelegation({ domain, wanted }: ClaimFacts): string | undefined {
  if (!wanted.areOwn) return undefined;
  return `have the parent zone delegate ${domain.name} to ${listOf(wanted.nameservers)}, and to no others`;
}

/** The first server that stands in the way. */
function describeSeen({ wanted, look }: ClaimFacts, seen: readonly SeenServer[]): string | undefined {
  if (look === undefined) return undefined;
  if (look.kind === 'unknown') return `It is not known what stands there: ${look.reason}`;
  const partly = seen.filter(({ hasChallenge }) => hasChallenge !== null);
  const lacking = partly.find(({ hasChallenge }) => hasChallenge === false);
  if (lacking !== undefined && partly.some(({ hasChallenge }) => hasChallenge === true))
    return `${lacking.server} does not have the record yet`;
  const other = seen.find(
    ({ delegatedTo }) => delegatedTo !== null && !isSameSet(delegatedTo, wanted.nameservers),
  );
  if (other?.delegatedTo !== null && other?.delegatedTo !== undefined) {
    const { server, delegatedTo } = other;
    return delegatedTo.length === 0
      ? `${server} does not delegate the domain`
      : `${server} delegates it to ${listOf(delegatedTo)}`;
  }
  if (partly.length === 0 && seen.every(({ delegatedTo }) => delegatedTo === null))
    return 'None of the servers gave a usable answer';
  return undefined;
}

function capitalised(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

function listOf(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}
