// The secrets of one-time codes, sealed: the store alone shows no code.
import type { KeySecrets } from '../dnssec/key-secrets.ts';
import type { OneTimeCode } from '../model/user-factors.ts';

/** Bound to the user, so that nobody gets the codes of another user by exchanging rows. */
function contextOf(userId: string): Uint8Array {
  return Buffer.from(`one-time codes of ${userId}`);
}

export function sealCodeSecret(
  secret: Uint8Array,
  userId: string,
  secrets: KeySecrets,
): Pick<OneTimeCode, 'sealed' | 'secretId'> {
  const sealed = secrets.seal(secret, contextOf(userId));
  return { sealed: Buffer.from(sealed).toString('base64url'), secretId: secrets.secretId };
}

/** Returns undefined if the secret that sealed it is not there. */
export function openCodeSecret(
  { sealed, secretId }: Pick<OneTimeCode, 'sealed' | 'secretId'>,
  userId: string,
  secrets: KeySecrets,
): Uint8Array | undefined {
  return secrets.open(Buffer.from(sealed, 'base64url'), contextOf(userId), secretId);
}
