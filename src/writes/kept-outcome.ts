import { served, unsigned } from '../model/domain.ts';
import { assert } from '../base/assert.ts';
import { formatBase64, parseBase64 } from '../dns/base64.ts';
import type { DomainRecord } from '../model/record.ts';
import { textOctets } from '../model/stored-octets.ts';
import type { Author, CommandSuccess } from './command.ts';

/** The result of a command, stored for repeats of the request with the same Idempotency-Key. */
export interface KeptOutcome {
  /** The id of the API key. */
  readonly keyId: string;
  /** The idempotency key. */
  readonly key: string;
  /** The hash of the request. */
  readonly hash: string;
  /** The result as text; `decodeOutcome` reads it. */
  readonly outcome: string;
  readonly atMs: number;
  /** Null if an earlier version kept it. */
  readonly accountId: string | null;
  /** Its share of the account's `outcomeOctets`. */
  readonly octets: number;
}

/** The row of an outcome without its texts: identifiers, the hash, and its entries in two indexes. */
const OUTCOME_ROW_OCTETS = 256;

/**
 * A longer outcome is reduced to the number of records, counted as unchanged: the same request would find just that. A
 * batch with the maximum number of changes stays below the limit.
 */
const MAX_KEPT_CHARACTERS = 8 * 1024 * 1024;

/** Returns undefined if the author gave no idempotency key. */
export function keepOutcome(
  { accountId, keyId, idempotency, atMs }: Author,
  outcome: CommandSuccess,
): KeptOutcome | undefined {
  if (idempotency === undefined) return undefined;
  const { key, hash } = idempotency;
  const text = encodeWithinLimit(outcome);
  const octets = OUTCOME_ROW_OCTETS + 2 * key.length + textOctets(text);
  return { keyId, key, hash, outcome: text, atMs, accountId, octets };
}

/** Encoding a whole zone takes seconds, so an outcome that is certainly too long is not encoded first. */
function encodeWithinLimit(outcome: CommandSuccess): string {
  if (minLengthOf(outcome) <= MAX_KEPT_CHARACTERS) {
    const text = encodeOutcome(outcome);
    if (text.length <= MAX_KEPT_CHARACTERS) return text;
  }
  return encodeOutcome(shorten(outcome));
}

/** Returns a lower bound of the length of `encodeOutcome(outcome)`: JSON escapes only make it longer. */
function minLengthOf({ value }: CommandSuccess): number {
  if (value === null || !('unchanged' in value)) return 0;
  let length = 0;
  for (const record of value.created) length += minRecordLength(record);
  for (const { before, after } of value.updated) length += minRecordLength(before) + minRecordLength(after);
  for (const record of value.deleted) length += minRecordLength(record);
  return length;
}

/** The members of a record as JSON without their strings, each number with one digit. */
const RECORD_FRAME_CHARACTERS =
  '{"id":"","owner":"","name":"","type":1,"data":"","priority":0,"ttl":1,"rdata":""}'.length;

function minRecordLength({ id, owner, name, data, rdata }: DomainRecord): number {
  const base64Characters = Math.ceil(rdata.length / 3) * 4;
  return RECORD_FRAME_CHARACTERS + id.length + owner.length + name.length + data.length + base64Characters;
}

/**
 * JSON, with RDATA as base64. `changed` is stored under its former name `created`: another process on the same database
 * may still run the previous version.
 */
function encodeOutcome({ changed, ...outcome }: CommandSuccess): string {
  return JSON.stringify({ ...outcome, created: changed }, (_member, value: unknown) =>
    value instanceof Uint8Array ? formatBase64(value) : value,
  );
}

export function decodeOutcome(text: string): CommandSuccess {
  const { created, ...outcome } = JSON.parse(text, (member, value: unknown) =>
    member === 'rdata' && typeof value === 'string' ? decodeRdata(value) : value,
  ) as Omit<CommandSuccess, 'changed'> & { readonly created: boolean };
  return { ...outcome, value: completeValue(outcome.value), changed: created };
}

/** Before domains could be signed and withheld, they were kept without these fields. */
function completeValue(value: CommandSuccess['value']): CommandSuccess['value'] {
  if (value === null || !('serial' in value) || 'step' in value) return value;
  return {
    ...{ ...unsigned, ...served, revisedSerial: value.serial },
    ...value,
  };
}

function decodeRdata(text: string): Uint8Array {
  const rdata = parseBase64(text);
  assert(rdata.ok, 'the RDATA of a kept outcome is base64');
  return rdata.value;
}

function shorten(outcome: CommandSuccess): CommandSuccess {
  const { value } = outcome;
  if (value === null || !('unchanged' in value)) return outcome;
  const { created, updated, unchanged } = value;
  const count = created.length + updated.length + unchanged;
  return { ...outcome, value: { created: [], updated: [], deleted: [], unchanged: count } };
}
