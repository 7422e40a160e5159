import type { KeySecrets } from '../dnssec/key-secrets.ts';
import type { Denial } from '../dns/proven-types.ts';

/** The operator signs new domains with these. */
export interface SigningTerms {
  readonly secrets: KeySecrets;
  readonly denial: Denial;
}
