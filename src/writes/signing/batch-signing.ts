import type { ZoneSigner } from '../../dnssec/zone-signer.ts';
import type { SoaDefaults } from '../../model/soa.ts';
import type { SliceLimits } from './slice-limits.ts';

/** Everything that signing the domains of a batch needs and that is not in the store. */
export interface BatchSigning {
  readonly signer: ZoneSigner;
  readonly soa: SoaDefaults;
  /** Signatures begin and end relative to it. */
  readonly nowSeconds: number;
  readonly limits: SliceLimits;
  /** Why the time cannot be used to sign, such as "has gone back by 48 hours"; undefined if it can. */
  readonly clockFault?: string | undefined;
}
