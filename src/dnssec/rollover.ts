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
 * - `algorithm`: the new key signs, is published, is announced; the old key is no longer published and still signs, because
 *   each algorithm of the DNSKEY set has to sign everything (RFC 6840 section 5.11).
 * - `withdrawal`: the domain asks for the removal of its DS records and stays signed until they are gone everywhere.
 */
export const rolloverSteps = {
  key: ['published', 'announced', 'signed'],
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
  return JSON.stringify({ id, kind, step, sinceSeconds, serial, untilSeconds, createdAtSeconds });
}

/** The opposite of `formatRollover`. @throws Error for any other text: only this program writes the column */
export function parseRollover(text: string): Rollover {
  const value: unknown = JSON.parse(text);
  assert(isRollover(value), `a rollover of unknown shape is stored: ${text.slice(0, SHOWN_CHARACTERS)}`);
  return value;
}

/** A little more than a whole rollover has. */
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
};

/** A text with further members comes from a later version, which may mean something else by the others. */
function isRollover(value: unknown): value is Rollover {
  if (typeof value !== 'object' || value === null) return false;
  const members = new Map(Object.entries(value));
  const isWellFormed = Object.entries(checks).every(([name, check]) => check(members.get(name)));
  if (!isWellFormed || members.size !== Object.keys(checks).length) return false;
  const { kind, step } = value as Rollover;
  return rolloverSteps[kind].some((known) => known === step);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
