import type { Author, CommandResults } from './command.ts';
import type { Outcome } from '../model/refusal.ts';

/** How a command ended that was carried out. */
export type OkOutcome = Extract<Outcome<CommandResults[keyof CommandResults]>, { readonly ok: true }>;

/** What an idempotency key was answered, for whoever repeats the request. */
export interface KeptOutcome {
  /** The API key's id. */
  readonly keyId: string;
  /** The idempotency key. */
  readonly key: string;
  /** Of the request. */
  readonly hash: string;
  /** As `decodeOutcome` reads it. */
  readonly outcome: string;
  readonly atMs: number;
}

/**
 * Of a longer outcome only the number of records is kept, as what is unchanged: it is what the same request would find.
 * A batch of as many changes as one may have stays below it.
 */
const MAX_KEPT_CHARACTERS = 8 * 1024 * 1024;

/** Undefined where the author gave no key. */
export function keepOutcome(
  { keyId, idempotency, atMs }: Author,
  outcome: OkOutcome,
): KeptOutcome | undefined {
  if (idempotency === undefined) return undefined;
  const text = encodeOutcome(outcome);
  const kept = text.length <= MAX_KEPT_CHARACTERS ? text : encodeOutcome(shorten(outcome));
  return { keyId, key: idempotency.key, hash: idempotency.hash, outcome: kept, atMs };
}

/** RDATA as base64: the rest is plain JSON. */
function encodeOutcome(outcome: OkOutcome): string {
  return JSON.stringify(outcome, (_member, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
  );
}

export function decodeOutcome(text: string): OkOutcome {
  return JSON.parse(text, (member, value: unknown) =>
    member === 'rdata' && typeof value === 'string' ? Uint8Array.from(Buffer.from(value, 'base64')) : value,
  ) as OkOutcome;
}

function shorten(outcome: OkOutcome): OkOutcome {
  const { value } = outcome;
  if (value === null || !('unchanged' in value)) return outcome;
  const { created, updated, unchanged } = value;
  const count = created.length + updated.length + unchanged;
  return { ...outcome, value: { created: [], updated: [], deleted: [], unchanged: count } };
}
