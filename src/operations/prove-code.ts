// The second factor of a log-in with a password: a one-time code, or a recovery code in its place.
import { findCodeStep, isOneTimeCode } from '../credentials/one-time-code.ts';
import { hashRecoveryCode } from '../credentials/recovery-codes.ts';
import { refuseCode, refuseDelayed, refuseWithoutCode } from '../model/refuse-login.ts';
import { refused, success, type Refused, type Result } from '../model/result.ts';
import type { User } from '../model/user.ts';
import { parseUserFactors, type OneTimeCode, type UserFactors } from '../model/user-factors.ts';
import type { FactorUse } from '../writes/factor-command.ts';
import { codeDelay } from '../writes/use-factor.ts';
import { commitWrite } from './commit-write.ts';
import { openCodeSecret } from './one-time-code-secret.ts';
import type { OperationContext } from './operation-context.ts';

type CodeContext = Pick<OperationContext, 'factors' | 'clock'>;

/**
 * Returns the code as it is used by the log-in; undefined if the user needs none. Called only once the password was right.
 *
 * Wrong codes are counted by user, wherever they come from and whichever process they reach: three of a million codes are right at
 * any time, and a person who has the password cannot be told from the user otherwise. Nobody else can have a user delayed so, or
 * the service write. The delay is decided where the count is written, so that of guesses at once those beyond it count for nothing.
 */
export async function proveCode(
  context: CodeContext & Pick<OperationContext, 'store'>,
  user: User,
  code: string | undefined,
): Promise<Result<FactorUse | undefined>> {
  const factors = parseUserFactors(user.factors);
  const { oneTimeCode } = factors;
  if (oneTimeCode === null) return success(undefined);
  if (code === undefined) return refuseWithoutCode();
  const atMs = context.clock.nowMs();
  const waitMs = codeDelay(factors, atMs);
  if (waitMs > 0) return refuseDelayed(waitMs);
  const proven = findUse(context, user, { ...factors, oneTimeCode }, code.replaceAll(/\s/g, ''));
  if (proven.ok || proven.refusal.code === 'factor_unavailable') return proven;
  const noted = await commitWrite(context, { kind: 'noteWrongCode', userId: user.id, atMs });
  return noted.ok ? proven : noted;
}

function findUse(
  context: CodeContext,
  user: User,
  { oneTimeCode, recoveryCodes }: UserFactors & { readonly oneTimeCode: OneTimeCode },
  code: string,
): Result<FactorUse> {
  const atMs = context.clock.nowMs();
  if (isOneTimeCode(code)) {
    const step = findStep(context, user.id, oneTimeCode, code);
    return step.ok ? success({ kind: 'oneTimeCode', id: oneTimeCode.id, step: step.value, atMs }) : step;
  }
  const hash = hashRecoveryCode(code);
  if (hash === undefined || !recoveryCodes.includes(hash)) return refuseCode();
  return success({ kind: 'recoveryCode', hash, atMs });
}

/** Returns the time step of a code that is right and was not used. */
export function findStep(
  { factors: { codeSecrets }, clock }: Pick<OperationContext, 'factors' | 'clock'>,
  userId: string,
  oneTimeCode: OneTimeCode,
  code: string,
): Result<number> {
  const secret = codeSecrets && openCodeSecret(oneTimeCode, userId, codeSecrets);
  if (secret === undefined) return refuseUnopened();
  const step = findCodeStep(secret, code, oneTimeCode.lastStep, clock.nowMs());
  return step === undefined ? refuseCode() : success(step);
}

function refuseUnopened(): Refused {
  return refused(
    'factor_unavailable',
    'One-time codes cannot be checked, because the operator has to put back the secret that opens them; use a recovery code or a passkey',
  );
}
