import type { PasskeySite, SentAssertion } from '../credentials/passkey.ts';
import type { Result } from '../model/result.ts';
import type { OperationContext } from './operation-context.ts';
import { openSession, type OpenedSession } from './open-session.ts';
import { provePasskey } from './prove-passkey.ts';
import { provePassword, type PasswordProof } from './prove-password.ts';
import type { Sender } from './sender.ts';

/** Opens a session for a user with a password. */
export async function signIn(
  context: OperationContext,
  proof: PasswordProof,
  sender: Sender,
): Promise<Result<OpenedSession>> {
  const proven = await provePassword(context, proof, sender);
  return proven.ok ? openSession(context, proven.value, sender) : proven;
}

/** Opens a session for a user with a passkey. It counts as two factors, so that no code is needed. */
export async function signInWithPasskey(
  context: OperationContext,
  sent: SentAssertion,
  site: PasskeySite | undefined,
  sender: Sender,
): Promise<Result<OpenedSession>> {
  const proven = await provePasskey(context, sent, site, sender);
  return proven.ok ? openSession(context, proven.value, sender) : proven;
}
