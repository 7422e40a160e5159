import { createZoneKey } from '../dnssec/private-key.ts';
import type { MadeAlgorithm, ZoneKey } from '../dnssec/zone-key.ts';
import { refused, success, type Refused, type Result } from '../model/result.ts';
import type { OperationContext } from './operation-context.ts';
import type { SigningTerms } from './signing-terms.ts';

export interface MadeKey {
  readonly key: ZoneKey;
  readonly denial: SigningTerms['denial'];
}

export interface WantedKey {
  /** The member of the request that asks for the key. */
  readonly field?: string;
  /** The keys that the domain has already: two of them may not have the same tag. */
  readonly others?: readonly ZoneKey[];
}

/** Makes a key that can sign a domain. */
export function makeZoneKey(
  { signing, clock, newId }: OperationContext,
  algorithm: MadeAlgorithm,
  { field, others }: WantedKey = {},
): Result<MadeKey> {
  if (signing === undefined) return refuseWithoutSecret(field);
  const createdAtSeconds = Math.floor(clock.nowMs() / 1000);
  const key = createZoneKey({ id: newId(), algorithm, createdAtSeconds }, signing.secrets, others);
  return success({ key, denial: signing.denial });
}

export function refuseWithoutSecret(field?: string): Refused {
  return refused(
    'dnssec_unavailable',
    'This service cannot sign domains yet: its operator has to set the secret that encrypts their keys (ZONEWRIGHT_DNSSEC_SECRET)',
    field,
  );
}
