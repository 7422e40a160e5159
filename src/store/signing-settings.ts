import type { Clock } from '../base/clock.ts';
import { openKeySecrets } from '../dnssec/key-secrets.ts';
import { createZoneSigner } from '../dnssec/zone-signer.ts';
import type { SoaDefaults } from '../model/soa.ts';
import type { BatchSigning } from '../writes/signing/batch-signing.ts';
import { sliceLimits, type SliceLimits } from '../writes/signing/slice-limits.ts';

/** The secrets are passed to threads, and never logged or stored. */
export interface SigningSettings {
  /** The first one seals the keys of domains; all of them open such keys. */
  readonly secrets: readonly string[];
  /** For the SOA record, which is signed. */
  readonly soa: SoaDefaults;
  /** `sliceLimits` by default. */
  readonly limits?: SliceLimits;
}

/** Returns how the next batch signs; undefined: it cannot. */
export type NextSigning = () => BatchSigning | undefined;

/** Each thread that decides writes has a signer, which keeps the keys that it has opened. */
export function openSigning(settings: SigningSettings | undefined, clock: Clock): NextSigning {
  if (settings === undefined) return () => undefined;
  const signer = createZoneSigner(openKeySecrets(settings.secrets));
  const { soa, limits = sliceLimits } = settings;
  return () => ({ signer, soa, limits, nowSeconds: Math.floor(clock.nowMs() / 1000) });
}
