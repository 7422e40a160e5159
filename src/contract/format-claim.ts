// The JSON text of the control of a domain, as contract rule 85 defines it.
import type { claimProofs, claimStates } from './claim-shape.ts';
import { formatDate } from './format-date.ts';

export interface ShownClaim {
  readonly state: (typeof claimStates)[number];
  readonly how: (typeof claimProofs)[number] | null;
  readonly nextStep: string;
  readonly nameservers: readonly string[];
  readonly challenge: { readonly name: string; readonly value: string } | null;
  readonly seen: readonly ShownServer[];
  readonly checkedAtMs: number | null;
  readonly verifiedAtSeconds: number | null;
  readonly expiresAtSeconds: number | null;
}

export interface ShownServer {
  readonly role: 'parent' | 'nameserver';
  readonly server: string;
  readonly address: string | null;
  readonly delegatedTo: readonly string[] | null;
  readonly hasChallenge: boolean | null;
  readonly problem: string | null;
}

/** `{"claim":{"state","how","next_step","nameservers":[…],"challenge","seen":[…],"date_checked","date_verified","date_expires"}}`. */
export function formatClaimReply(claim: ShownClaim): string {
  return JSON.stringify({ claim: toJson(claim) });
}

export function formatClaimPlan(claim: ShownClaim): string {
  return JSON.stringify({ dry_run: true, claim: toJson(claim) });
}

/** `{"nameservers":[…]}`. */
export function formatAccountNameservers(nameservers: readonly string[]): string {
  return JSON.stringify({ nameservers });
}

function toJson(claim: ShownClaim): object {
  const { state, how, nextStep, nameservers, challenge, seen } = claim;
  const { checkedAtMs, verifiedAtSeconds, expiresAtSeconds } = claim;
  return {
    state,
    how,
    next_step: nextStep,
    nameservers,
    challenge: challenge && { name: challenge.name, type: 'TXT', data: challenge.value },
    seen: seen.map(({ role, server, address, delegatedTo, hasChallenge, problem }) => ({
      role,
      server,
      address,
      nameservers: delegatedTo,
      challenge: hasChallenge,
      problem,
    })),
    date_checked: checkedAtMs === null ? null : formatDate(Math.floor(checkedAtMs / 1000)),
    date_verified: verifiedAtSeconds === null ? null : formatDate(verifiedAtSeconds),
    date_expires: expiresAtSeconds === null ? null : formatDate(expiresAtSeconds),
  };
}
