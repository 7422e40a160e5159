// Reads about the control of domains, for both engines: which are unverified, and the nameservers that accounts have of their
// own.
import { parseClaim } from '../model/claim.ts';
import type { ZoneName } from '../model/domain.ts';

/** All use an index and read few rows. They reject with StoreUnavailable. */
export interface ClaimReads {
  /** Unverified domains of all accounts, by id from `afterId` on. Deleted ones are left out. */
  unverifiedDomains(limit: number, afterId: number): Promise<readonly UnverifiedDomain[]>;
  /** The nameservers of its own that an account was given, sorted; undefined: none. */
  findNameservers(accountId: string): Promise<readonly string[] | undefined>;
  /** Whether another account was given the same nameservers. @param names sorted */
  isNameserverSetShared(names: readonly string[], accountId: string): Promise<boolean>;
  /** Returns the first of these sets, each sorted, that no account was given; undefined: all are taken. */
  findFreeNameserverSet(sets: readonly (readonly string[])[]): Promise<readonly string[] | undefined>;
}

export interface UnverifiedDomain {
  readonly id: number;
  readonly accountId: string;
  readonly name: ZoneName;
  /** Since when nobody has shown control of it. */
  readonly sinceSeconds: number;
}

/** The condition on a row of domains, or of deleted ones, that keeps its name from other accounts. */
export const HOLDS_NAME = "(withheld IS NULL OR withheld = 'suspended')";

export type UnverifiedRow = [id: number, accountId: string, name: ZoneName, claim: string | null];

/** A query whose rows are `UnverifiedRow`. The condition is that of the index. */
export function unverifiedQuery(afterId: string, limit: string): string {
  return `SELECT id, account_id, name, claim FROM domains
    WHERE withheld IN ('unverified', 'suspended unverified') AND id > ${afterId} ORDER BY id LIMIT ${limit}`;
}

export function toUnverifiedDomain([id, accountId, name, claim]: UnverifiedRow): UnverifiedDomain {
  return { id, accountId, name, sinceSeconds: parseClaim(claim)?.sinceSeconds ?? 0 };
}

/** The text that a store keeps. @param names sorted */
export function formatNameserverSet(names: readonly string[]): string {
  return names.join(' ');
}

/** A query that finds a row if an account was given the names and is not this one. */
export function sharingQuery(names: string, accountId: string): string {
  return `SELECT 1 FROM account_nameservers AS other
    WHERE other.names = ${names} AND other.account_id <> ${accountId} LIMIT 1`;
}

/** @param taken texts of `formatNameserverSet` */
export function firstFree(
  sets: readonly (readonly string[])[],
  taken: readonly string[],
): readonly string[] | undefined {
  const known = new Set(taken);
  return sets.find((names) => !known.has(formatNameserverSet(names)));
}

/** @param text of `formatNameserverSet` */
export function parseNameserverSet(text: string): readonly string[] {
  return text.split(' ');
}
