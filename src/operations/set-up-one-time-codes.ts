// A user sets up one-time codes: gets a secret for its app, shows a code of it, and gets recovery codes.
import {
  formatOneTimeCodeSetup,
  newOneTimeCodeSecret,
  type OneTimeCodeSetup,
} from '../credentials/one-time-code.ts';
import { newRecoveryCodes } from '../credentials/recovery-codes.ts';
import { refused, success, type Result } from '../model/result.ts';
import { parseUserFactors } from '../model/user-factors.ts';
import { sealCodeSecret } from './one-time-code-secret.ts';
import type { OperationContext } from './operation-context.ts';
import { changeFactors, readUser } from './own-factors.ts';
import { getSignedIn } from './own-sessions.ts';
import { findStep } from './prove-code.ts';
import type { Requester } from './requester.ts';

/** The answer alone shows the secret. It counts once `confirmOneTimeCodes` has seen a code of it. */
export async function startOneTimeCodes(
  context: OperationContext,
  requester: Requester,
): Promise<Result<OneTimeCodeSetup>> {
  const { codeSecrets } = context.factors;
  if (codeSecrets === undefined)
    return refused(
      'factor_unavailable',
      'One-time codes are not possible yet: the operator has to set the secret that encrypts them, ZONEWRIGHT_DNSSEC_SECRET',
    );
  const { user } = getSignedIn(requester);
  const secret = newOneTimeCodeSecret();
  const createdAtSeconds = Math.floor(context.clock.nowMs() / 1000);
  const sealed = sealCodeSecret(secret, user.id, codeSecrets);
  const code = { id: context.newId(), ...sealed, createdAtSeconds, lastStep: 0 };
  const changed = await changeFactors(context, requester, { kind: 'prepareOneTimeCode', code });
  if (!changed.ok) return changed;
  return success(formatOneTimeCodeSetup(secret, issuerOf(context), user.email));
}

/** Returns the recovery codes, which the answer alone shows. */
export async function confirmOneTimeCodes(
  context: OperationContext,
  requester: Requester,
  code: string,
): Promise<Result<readonly string[]>> {
  const user = await readUser(context, requester);
  const { pendingCode } = parseUserFactors(user.factors);
  if (pendingCode === null)
    return refused('factor_conflict', 'Ask for a secret first (POST /v2/user/one_time_code)');
  const step = findStep(context, user.id, pendingCode, code.replaceAll(/\s/g, ''));
  if (!step.ok) return step;
  const { texts, hashes: recoveryCodes } = newRecoveryCodes();
  const about = { id: pendingCode.id, step: step.value, recoveryCodes };
  const changed = await changeFactors(context, requester, { kind: 'confirmOneTimeCode', ...about });
  return changed.ok ? success(texts) : changed;
}

/** All former ones are good for nothing. */
export async function replaceRecoveryCodes(
  context: OperationContext,
  requester: Requester,
): Promise<Result<readonly string[]>> {
  const { texts, hashes: recoveryCodes } = newRecoveryCodes();
  const changed = await changeFactors(context, requester, { kind: 'replaceRecoveryCodes', recoveryCodes });
  return changed.ok ? success(texts) : changed;
}

/** The name of the service in the user's app. */
function issuerOf({ settings: { publicUrl } }: Pick<OperationContext, 'settings'>): string {
  return publicUrl === undefined ? 'Zonewright' : `Zonewright ${new URL(publicUrl).host}`;
}
