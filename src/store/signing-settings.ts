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

/** When a write is decided, as the main thread tells the threads that decide. */
export interface SigningMoment {
  readonly atMs: number;
  /** See `BatchSigning`. */
  readonly clockFault?: string | undefined;
}

export interface SigningClock {
  readonly clock: Clock;
  /** Absent: the clock is always right. */
  readonly findClockFault?: (() => string | undefined) | undefined;
}

export function signingMoment({ clock, findClockFault }: SigningClock): SigningMoment {
  return { atMs: clock.nowMs(), clockFault: findClockFault?.() };
}

/** Returns how the next batch signs; undefined: it cannot. */
export type NextSigning = () => BatchSigning | undefined;

/** Each thread that decides writes has a signer, which keeps the keys that it has opened. */
export function openSigning(
  settings: SigningSettings | undefined,
  findMoment: () => SigningMoment,
): NextSigning {
  if (settings === undefined) return () => undefined;
  const signer = createZoneSigner(openKeySecrets(settings.secrets));
  const { soa, limits = sliceLimits } = settings;
  return () => {
    const { atMs, clockFault } = findMoment();
    return { signer, soa, limits, nowSeconds: Math.floor(atMs / 1000), clockFault };
  };
}
