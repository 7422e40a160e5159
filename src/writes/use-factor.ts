import { unreachable } from '../base/assert.ts';
import { addFailure, delayAfter, wrongCodeDelays } from '../model/login-delay.ts';
import { refuseCode, refuseDelayed, refusePasskey } from '../model/refuse-login.ts';
import { success, type Result } from '../model/result.ts';
import {
  MAX_USED_CHALLENGES,
  type Passkey,
  type UsedChallenge,
  type UserFactors,
} from '../model/user-factors.ts';
import type { FactorUse } from './factor-command.ts';

/** Returns the factors after a log-in; refused if another log-in has used the same proof first, or the factor is gone. */
export function useFactor(factors: UserFactors, use: FactorUse): Result<UserFactors> {
  if (use.kind === 'passkey') return usePasskey(factors, use);
  // A code that was right while the user is delayed says so as little as a wrong one.
  const waitMs = codeDelay(factors, use.atMs);
  if (waitMs > 0) return refuseDelayed(waitMs);
  switch (use.kind) {
    case 'oneTimeCode': {
      const code = factors.oneTimeCode;
      if (code?.id !== use.id || code.lastStep >= use.step) return refuseCode();
      return success({ ...factors, oneTimeCode: { ...code, lastStep: use.step }, wrongCodes: null });
    }
    case 'recoveryCode': {
      const left = factors.recoveryCodes.filter((hash) => hash !== use.hash);
      if (left.length === factors.recoveryCodes.length) return refuseCode();
      return success({ ...factors, recoveryCodes: left, wrongCodes: null });
    }
    default:
      return unreachable(use);
  }
}

/** Counts a wrong code; refused while earlier ones delay the user, because a right one would be, too. */
export function countWrongCode(factors: UserFactors, atMs: number): Result<UserFactors> {
  const waitMs = codeDelay(factors, atMs);
  if (waitMs > 0) return refuseDelayed(waitMs);
  return success({ ...factors, wrongCodes: addFailure(factors.wrongCodes, atMs) });
}

/** Returns for how long no code of the user is accepted. */
export function codeDelay({ wrongCodes }: UserFactors, nowMs: number): number {
  return wrongCodes === null ? 0 : delayAfter(wrongCodes, wrongCodeDelays, nowMs);
}

function usePasskey(
  factors: UserFactors,
  { id, counter, challenge, atSeconds }: FactorUse & { readonly kind: 'passkey' },
): Result<UserFactors> {
  const passkey = factors.passkeys.find((known) => known.id === id);
  if (passkey === undefined || !hasRisen(passkey, counter)) return refusePasskey();
  const used = rememberChallenge(factors, challenge, atSeconds);
  if (!used.ok) return used;
  const passkeys = factors.passkeys.map((known) =>
    known === passkey ? { ...passkey, counter, usedAtSeconds: atSeconds } : known,
  );
  return success({ ...used.value, passkeys });
}

/** A device that counts shows each number once; one that does not shows 0. */
function hasRisen(passkey: Passkey, counter: number): boolean {
  return counter > passkey.counter || (counter === 0 && passkey.counter === 0);
}

/** Challenges that have expired are forgotten. */
export function rememberChallenge(
  factors: UserFactors,
  challenge: UsedChallenge,
  nowSeconds: number,
): Result<UserFactors> {
  const kept = factors.usedChallenges.filter(({ expiresAtSeconds }) => expiresAtSeconds > nowSeconds);
  if (challenge.expiresAtSeconds <= nowSeconds || kept.some(({ id }) => id === challenge.id))
    return refusePasskey();
  if (kept.length >= MAX_USED_CHALLENGES) {
    const [{ expiresAtSeconds }] = kept;
    return refuseDelayed((expiresAtSeconds - nowSeconds) * 1000);
  }
  return success({ ...factors, usedChallenges: [...kept, challenge] });
}
