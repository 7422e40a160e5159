/**
 * Whether an account may write, and what becomes of its domains:
 *
 *     active ─▶ suspended    by an operator: nothing can be changed, and its domains are answered for or not
 *            ─▶ deleted      by an operator or an owner: nothing can be changed or is answered, until it is restored …
 *                 └ removing … or its time has passed: domains, keys and people go in slices, and the account at the end
 *
 * The note is a column of the account. Both can be so at once: a suspended account stays suspended when it is restored.
 */
import { assert } from '../base/assert.ts';
import type { Refusal } from './refusal.ts';

export interface AccountStanding {
  /** Null: the account is not suspended. */
  readonly suspension: Suspension | null;
  /** Null: the account is not deleted. */
  readonly deletion: Deletion | null;
  /** Null: all domains are withheld, or none is, as the account has to have them. */
  readonly sweep: DomainSweep | null;
}

/** Whether the nameservers go on to answer for the domains of a suspended account. */
export type SuspendedAnswers = (typeof suspendedAnswers)[number];

export const suspendedAnswers = ['go_on', 'stop'] as const;

export interface Suspension {
  /** A sentence of the operator for the people of the account. */
  readonly reason: string;
  readonly answers: SuspendedAnswers;
  readonly atMs: number;
}

export interface Deletion {
  readonly atMs: number;
  /** It can be restored until then. */
  readonly heldUntilMs: number;
  /** The slices in which its parts have been removed; null: all is there, and it can be restored. */
  readonly slices: number | null;
  /** Since when nothing is left of it but its row; null: something is. */
  readonly emptiedAtMs: number | null;
}

/** Domains of the account that are withheld, or served again, by name and in slices. */
export interface DomainSweep {
  /** The last name that the sweep has passed; empty at its beginning. */
  readonly after: string;
  /** Domains that it has passed. */
  readonly done: number;
  /** Those that the account had when it began. */
  readonly total: number;
}

/** The text of the operator is shown in one sentence with ours, within 300 characters. */
export const MAX_REASON_CHARACTERS = 200;

/** For so long, processes may still know a key of an account of which nothing is left: several times as long as they do. */
const EMPTY_ROW_MS = 60_000;

/** Why nobody gets into a deleted account, with a key or a session. */
export const deletedAccount: Refusal = {
  code: 'account_suspended',
  message: 'This account was deleted; ask the operator of the service to restore it',
};

/** Whether the domains of the account are to be withheld. */
export function withholdsDomains({ suspension, deletion }: AccountStanding): boolean {
  return deletion !== null || suspension?.answers === 'stop';
}

/** When the service itself has to do something about the account; null: never. */
export function dueAtMs({ deletion, sweep }: AccountStanding): number | null {
  if (deletion !== null && deletion.emptiedAtMs !== null) return deletion.emptiedAtMs + EMPTY_ROW_MS;
  if (sweep !== null || (deletion !== null && deletion.slices !== null)) return 0;
  return deletion?.heldUntilMs ?? null;
}

export function isSameStanding(a: AccountStanding, b: AccountStanding): boolean {
  return formatStanding(a) === formatStanding(b);
}

/** JSON text for a column of a database. */
export function formatStanding({ suspension, deletion, sweep }: AccountStanding): string {
  return JSON.stringify({ suspension, deletion, sweep });
}

/** The opposite of `formatStanding`. @throws Error for any other text: only this program writes the column */
export function parseStanding(text: string): AccountStanding {
  const value: unknown = JSON.parse(text);
  assert(isStanding(value), `the standing of an account has an unknown shape: ${text.slice(0, 256)}`);
  return value;
}

function isStanding(value: unknown): value is AccountStanding {
  if (typeof value !== 'object' || value === null) return false;
  const { suspension, deletion, sweep } = value as Partial<AccountStanding>;
  if (suspension === undefined || deletion === undefined || sweep === undefined) return false;
  const isKnown = suspension === null || suspendedAnswers.includes(suspension.answers);
  return isKnown && (deletion === null || Number.isSafeInteger(deletion.heldUntilMs));
}
