import { createHash } from 'node:crypto';
import { parseDomainName, type DomainName } from '../dns/name.ts';
import type { ZoneName } from '../model/domain.ts';

/** A TXT record that only the holder of the domain can set. */
export interface Challenge {
  /** The full name of the record, without the final dot. */
  readonly name: string;
  /** Undefined if it would be longer than a name can be. */
  readonly owner: DomainName | undefined;
  readonly value: string;
}

export const CHALLENGE_LABEL = '_zonewright-challenge';

/** All values begin with it, so that people find out later what the record was for. */
export const CHALLENGE_PREFIX = 'zonewright-claim=';

/** 160 bits: nobody finds two accounts that share one. */
const TOKEN_DIGITS = 40;

/**
 * Returns the challenge of an account for a domain: another one for each account and domain, and the same one every time. Ids of
 * accounts have 74 random bits, so that nobody guesses the challenge of another; but setting it is the proof, not knowing it.
 */
export function challengeOf(accountId: string, domain: ZoneName): Challenge {
  const name = `${CHALLENGE_LABEL}.${domain}`;
  const parsed = parseDomainName(`${name}.`);
  const digest = createHash('sha256').update(`${accountId} ${domain}`).digest('hex');
  const value = `${CHALLENGE_PREFIX}${digest.slice(0, TOKEN_DIGITS)}`;
  return { name, owner: parsed.ok ? parsed.value : undefined, value };
}

/** The name of the challenge for a domain, whichever account asks for it. */
export function challengeOwner(domain: ZoneName): DomainName | undefined {
  return challengeOf('', domain).owner;
}
