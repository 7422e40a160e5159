import { assert } from '../base/assert.ts';

/**
 * How control of a domain was shown: its parent zone delegates it to the nameservers of the account, or a challenge stands at
 * its nameservers; or it was taken for granted, because an administrator says so, or because the domain is inside another one
 * of the account that is served.
 */
export type ClaimProof = 'delegation' | 'challenge' | 'administrator' | 'parent';

/** Whether control of a domain was shown; a domain without a claim is one of which nobody had to show it. */
export interface Claim {
  /** Null: nothing was shown, and the domain is withheld as unverified. */
  readonly proof: ClaimProof | null;
  /** Since when. */
  readonly sinceSeconds: number;
}

/** Unverified domains are deleted after so many days: a registrar takes some, and others want the name, too. */
export const UNVERIFIED_DAYS = 28;

export const UNVERIFIED_SECONDS = UNVERIFIED_DAYS * 86_400;

export function isUnverified({ claim }: { readonly claim: Claim | null }): boolean {
  return claim !== null && claim.proof === null;
}

/** The text that a store keeps. */
export function formatClaim(claim: Claim | null): string | null {
  return claim === null ? null : `${claim.proof ?? UNVERIFIED} ${claim.sinceSeconds}`;
}

/** @param text of `formatClaim` */
export function parseClaim(text: string | null): Claim | null {
  if (text === null) return null;
  const [word, since] = text.split(' ');
  const proof = word === UNVERIFIED ? null : proofs.find((candidate) => candidate === word);
  assert(proof !== undefined, `a stored claim names a proof: ${text}`);
  return { proof, sinceSeconds: Number(since) };
}

const UNVERIFIED = 'unverified';

const proofs: readonly ClaimProof[] = ['delegation', 'challenge', 'administrator', 'parent'];
