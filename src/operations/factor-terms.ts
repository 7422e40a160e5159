import { openChallenges, type Challenges } from '../credentials/challenges.ts';
import { openKeySecrets, type KeySecrets } from '../dnssec/key-secrets.ts';

/** Users prove who they are with these, besides passwords. */
export interface FactorTerms {
  readonly challenges: Challenges;
  /** Undefined: there is no secret that seals those of one-time codes. */
  readonly codeSecrets: KeySecrets | undefined;
}

/** @param masters the texts of the operator's secrets; empty if there are none */
export function openFactorTerms(masters: readonly string[]): FactorTerms {
  return {
    challenges: openChallenges(masters),
    codeSecrets: masters.length === 0 ? undefined : openKeySecrets(masters, 'one-time codes'),
  };
}
