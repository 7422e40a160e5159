/**
 * The exchange of the key of a signed domain, or the end of its signing, in steps that validating resolvers survive
 * (RFC 6781 section 4.1, RFC 7583). Each step has a condition that others must meet, such as every nameserver or every
 * server of the parent zone; then a TTL passes, and the next step follows.
 */
import { assert } from '../base/assert.ts';

/**
 * The steps of each kind in their order.
 *
 * - `key`: the new key is published and signs the key sets, it is announced to the parent zone, it signs the zone.
 * - `shared`: the same where other providers sign the domain, too (RFC 8901 model 2): they publish both keys meanwhile, and the
 *   old key is gone only when none of them publishes it any more.
 * - `algorithm`: the new key signs, is published, is announced; the old key is no longer published and still signs, because
 *   each algorithm of the DNSKEY set has to sign everything (RFC 6840 section 5.11).
 * - `withdrawal`: the domain asks for the removal of its DS records and stays signed until they are gone everywhere.
 */
export const rolloverSteps = {
  key: ['published', 'announced', 'signed'],
  shared: ['published', 'announced', 'signed', 'unpublished'],
  algorithm: ['signing', 'published', 'announced', 'unpublished'],
  withdrawal: ['withdrawing'],
} as const;

export type RolloverKind = keyof typeof rolloverSteps;

export type RolloverStep = (typeof rolloverSteps)[RolloverKind][number];

/** A note on the key that comes in; for a withdrawal, on the first key that goes. */
export interface Rollover {
  /** UUIDv7. */
  readonly id: string;
  readonly kind: RolloverKind;
  /** One of the steps of the kind. */
  readonly step: RolloverStep;
  /** When the step began, in seconds since 1970. */
  readonly sinceSeconds: number;
  /** The SOA serial of the domain with which the step began, 32 bits unsigned. */
  readonly serial: number;
  /**
   * Null while the condition of the step is not met; then the time at which the TTL that follows it has passed, in seconds
   * since 1970.
   */
  readonly untilSeconds: number | null;
  /** When the rollover began, in seconds since 1970. */
  readonly createdAtSeconds: number;
  /** The longest TTL with which the parent zone was seen to have DS records during the step; absent: it was seen with none. */
  readonly dsTtlSeconds?: number | undefined;
  /** The owner holds the rollover: no step follows by itself. */
  readonly isHeld?: true | undefined;
  /** The DS records of the parent zone, as the owner has said where the service cannot ask, during the step. */
  readonly seen?: OwnerSeen | undefined;
}

export interface OwnerSeen {
  /** RDATA in presentation format, sorted; empty: the parent zone has none. */
  readonly ds: readonly string[];
  /** The TTL that these have, or had. */
  readonly ttlSeconds: number;
  /** When the owner has said that, in seconds since 1970. */
  readonly atSeconds: number;
}

export function firstStep(kind: RolloverKind): RolloverStep {
  return rolloverSteps[kind][0];
}

/** Undefined after the last step. */
export function stepAfter({ kind, step }: Pick<Rollover, 'kind' | 'step'>): RolloverStep | undefined {
  const steps: readonly RolloverStep[] = rolloverSteps[kind];
  return steps.at(steps.indexOf(step) + 1);
}

/** JSON text for a column of a database. */
export function formatRollover(rollover: Rollover): string {
  const { id, kind, step, sinceSeconds, serial, untilSeconds, createdAtSeconds } = rollover;
  const { dsTtlSeconds, isHeld, seen } = rollover;
  return JSON.stringify({
    ...{ id, kind, step, sinceSeconds, serial, untilSeconds, createdAtSeconds },
    ...{ dsTtlSeconds, isHeld, seen },
  });
}

/** The opposite of `formatRollover`. @throws Error for any other text: only this program writes the column */
export function parseRollover(text: string): Rollover {
  const value: unknown = JSON.parse(text);
  assert(isRollover(value), `a rollover of unknown shape is stored: ${text.slice(0, SHOWN_CHARACTERS)}`);
  return value;
}

/** A little more than a rollover without DS records has. */
const SHOWN_CHARACTERS = 256;

const MAX_SERIAL = 0xffffffff;

const checks: Readonly<Record<keyof Rollover, (value: unknown) => boolean>> = {
  id: (value) => typeof value === 'string' && value !== '',
  kind: (value) => typeof value === 'string' && Object.hasOwn(rolloverSteps, value),
  step: (value) => typeof value === 'string',
  sinceSeconds: isCount,
  serial: (value) => isCount(value) && value <= MAX_SERIAL,
  untilSeconds: (value) => value === null || isCount(value),
  createdAtSeconds: isCount,
  dsTtlSeconds: (value) => value === undefined || isCount(value),
  isHeld: (value) => value === undefined || value === true,
  seen: (value) => value === undefined || isSeen(value),
};

function isSeen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { ds, ttlSeconds, atSeconds } = value as Partial<OwnerSeen>;
  const isList = Array.isArray(ds) && ds.every((one) => typeof one === 'string');
  return isList && isCount(ttlSeconds) && isCount(atSeconds);
}

/** A text with further members comes from a later version, which may mean something else by the others. */
function isRollover(value: unknown): value is Rollover {
  if (typeof value !== 'object' || value === null) return false;
  const members = new Map(Object.entries(value));
  const isWellFormed = Object.entries(checks).every(([name, check]) => check(members.get(name)));
  if (!isWellFormed || [...members.keys()].some((name) => !Object.hasOwn(checks, name))) return false;
  const { kind, step } = value as Rollover;
  return rolloverSteps[kind].some((known) => known === step);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
