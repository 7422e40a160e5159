import type { RolloverKind, RolloverStep } from '../dnssec/rollover.ts';
import { ALL_USES, keyUse } from '../dnssec/zone-key.ts';

const { PUBLISHED, SIGNS_ZONE, SIGNS_KEYS, ANNOUNCED } = keyUse;
const UNANNOUNCED = PUBLISHED | SIGNS_ZONE | SIGNS_KEYS;

/** The uses of both keys during a step. */
export interface RolloverUses {
  readonly old: number;
  readonly incoming: number;
}

type ExchangeKind = Exclude<RolloverKind, 'withdrawal'>;

type UsesBySteps = Readonly<Partial<Record<RolloverStep, RolloverUses>>>;

/**
 * The uses of the old and the incoming key at each step. The key that the DS record at the parent zone names signs the sets
 * of keys at every step, whichever of both it is.
 */
const ofSameAlgorithm: UsesBySteps = {
  published: { old: ALL_USES, incoming: PUBLISHED | SIGNS_KEYS },
  announced: { old: UNANNOUNCED, incoming: PUBLISHED | SIGNS_KEYS | ANNOUNCED },
  signed: { old: PUBLISHED, incoming: ALL_USES },
};

const usesOf: Readonly<Record<ExchangeKind, UsesBySteps>> = {
  key: ofSameAlgorithm,
  // The old key stays known, without any use, as long as others publish it.
  shared: { ...ofSameAlgorithm, unpublished: { old: 0, incoming: ALL_USES } },
  algorithm: {
    signing: { old: ALL_USES, incoming: SIGNS_ZONE },
    published: { old: ALL_USES, incoming: UNANNOUNCED },
    announced: { old: UNANNOUNCED, incoming: ALL_USES },
    unpublished: { old: SIGNS_ZONE, incoming: ALL_USES },
  },
};

/** Undefined for a step that the kind of rollover does not have. */
export function usesAt(kind: ExchangeKind, step: RolloverStep): RolloverUses | undefined {
  return usesOf[kind][step];
}
