// A user registers a passkey: the browser has a device make a key pair, and sends its public key with a signed challenge.
import { readChallenge, type PasskeySite, type SentRegistration } from '../credentials/passkey.ts';
import { refused, success, type Result } from '../model/result.ts';
import { parseUserFactors, type Passkey } from '../model/user-factors.ts';
import type { User } from '../model/user.ts';
import type { OperationContext } from './operation-context.ts';
import { changeFactors, getPasskey, readUser } from './own-factors.ts';
import { getSignedIn } from './own-sessions.ts';
import { parsePasskeyName } from './passkey-name.ts';
import { refuseChallenge, refuseWithoutSite, type PasskeyRequest } from './prove-passkey.ts';
import type { Requester } from './requester.ts';

export interface RegistrationRequest extends PasskeyRequest {
  readonly user: User;
  /** Devices with one of them do not make another one. */
  readonly known: readonly Passkey[];
}

export async function startAddingPasskey(
  context: OperationContext,
  requester: Requester,
  site: PasskeySite | undefined,
): Promise<Result<RegistrationRequest>> {
  if (site === undefined) return refuseWithoutSite();
  const user = await readUser(context, requester);
  const nowSeconds = Math.floor(context.clock.nowMs() / 1000);
  const challenge = context.factors.challenges.issue(purposeOf(user), nowSeconds);
  return success({ site, challenge, user, known: parseUserFactors(user.factors).passkeys });
}

export interface NewPasskey {
  readonly name: string | undefined;
  readonly sent: SentRegistration;
}

export async function addPasskey(
  context: OperationContext,
  requester: Requester,
  { name: text = 'Passkey', sent }: NewPasskey,
  site: PasskeySite | undefined,
): Promise<Result<Passkey>> {
  if (site === undefined) return refuseWithoutSite();
  const name = parsePasskeyName(text);
  if (!name.ok) return name;
  const signed = readChallenge(sent, site);
  if (!signed.ok) return refused('invalid_request', signed.problem, 'credential');
  const createdAtSeconds = Math.floor(context.clock.nowMs() / 1000);
  const purpose = purposeOf(getSignedIn(requester).user);
  const challenge = context.factors.challenges.check(signed.value, purpose, createdAtSeconds);
  if (challenge === undefined) return refuseChallenge();
  const { verifyRegistration } = await import('../credentials/verify-passkey.ts');
  const verified = await verifyRegistration(sent, signed.value, site);
  if (!verified.ok) return refused('invalid_request', verified.problem, 'credential');
  const id = context.newId();
  const passkey = { id, ...verified.value, name: name.value, createdAtSeconds, usedAtSeconds: null };
  const changed = await changeFactors(context, requester, { kind: 'addPasskey', passkey, challenge });
  return changed.ok ? success(getPasskey(changed.value, id)) : changed;
}

/** A challenge for one user is good for no other. */
function purposeOf({ id }: Pick<User, 'id'>): string {
  return `add a passkey to ${id}`;
}
