import type { Author, CommandSuccess } from './command.ts';

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
  outcome: CommandSuccess,
): KeptOutcome | undefined {
  if (idempotency === undefined) return undefined;
  const text = encodeOutcome(outcome);
  const kept = text.length <= MAX_KEPT_CHARACTERS ? text : encodeOutcome(shorten(outcome));
  return { keyId, key: idempotency.key, hash: idempotency.hash, outcome: kept, atMs };
}

/**
 * JSON, with RDATA as base64. `changed` is stored under its former name `created`: another process on the same database
 * may run the version before.
 */
function encodeOutcome({ changed, ...outcome }: CommandSuccess): string {
  return JSON.stringify({ ...outcome, created: changed }, (_member, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
  );
}

export function decodeOutcome(text: string): CommandSuccess {
  const { created, ...outcome } = JSON.parse(text, (member, value: unknown) =>
    member === 'rdata' && typeof value === 'string' ? Uint8Array.from(Buffer.from(value, 'base64')) : value,
  ) as Omit<CommandSuccess, 'changed'> & { readonly created: boolean };
  return { ...outcome, changed: created };
}

function shorten(outcome: CommandSuccess): CommandSuccess {
  const { value } = outcome;
  if (value === null || !('unchanged' in value)) return outcome;
  const { created, updated, unchanged } = value;
  const count = created.length + updated.length + unchanged;
  return { ...outcome, value: { created: [], updated: [], deleted: [], unchanged: count } };
}
