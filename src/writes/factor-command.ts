// How the factors of a user are used and changed. Each says what it expects, so that of two requests with the same code or
// challenge one is refused.
import type { OneTimeCode, Passkey, UsedChallenge } from '../model/user-factors.ts';

/** The proof of who a user is, besides a password, that a log-in has shown and that was verified. */
export type FactorUse =
  | {
      readonly kind: 'passkey';
      readonly id: string;
      /** As the passkey has counted it. */
      readonly counter: number;
      readonly challenge: UsedChallenge;
      readonly atSeconds: number;
    }
  | {
      readonly kind: 'oneTimeCode';
      /** That of the secret. */
      readonly id: string;
      /** The time step of the code. */
      readonly step: number;
      readonly atMs: number;
    }
  | { readonly kind: 'recoveryCode'; readonly hash: string; readonly atMs: number };

export type FactorChange =
  | { readonly kind: 'addPasskey'; readonly passkey: Passkey; readonly challenge: UsedChallenge }
  | { readonly kind: 'renamePasskey'; readonly id: string; readonly name: string }
  | { readonly kind: 'removePasskey'; readonly id: string }
  /** A new secret, which counts for nothing until it is confirmed. */
  | { readonly kind: 'prepareOneTimeCode'; readonly code: OneTimeCode }
  | {
      /** The user has shown a code of the pending secret. */
      readonly kind: 'confirmOneTimeCode';
      readonly id: string;
      readonly step: number;
      /** The hashes of new recovery codes, which replace all others. */
      readonly recoveryCodes: readonly string[];
    }
  /** The recovery codes go with it. */
  | { readonly kind: 'removeOneTimeCode' }
  | { readonly kind: 'replaceRecoveryCodes'; readonly recoveryCodes: readonly string[] }
  /** The user signs in with passkeys only. */
  | { readonly kind: 'removePassword' };
