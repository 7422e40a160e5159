import type { SessionReplyJson } from '../../../src/contract/session-shape.ts';
import { service } from '../service/service-client.ts';

/** The conversions of WebAuthn level 3 between JSON and what the browser takes. */
export function hasPasskeys(): boolean {
  return (
    typeof PublicKeyCredential === 'function' &&
    typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function'
  );
}

/** The person gave up, or the device has no passkey for this site. */
export function isCancelled(error: unknown): boolean {
  return error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'AbortError');
}

export async function signInWithPasskey(): Promise<SessionReplyJson> {
  const options = await service.session.startPasskey();
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await navigator.credentials.get({ publicKey });
  return service.session.signInWithPasskey(toJson(credential));
}

/** Needs a session whose user has just proved who it is. */
export async function createPasskey(): Promise<void> {
  const options = await service.factors.startAddingPasskey();
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await navigator.credentials.create({ publicKey });
  await service.factors.addPasskey(toJson(credential), nameOfDevice());
}

function toJson(credential: Credential | null): object {
  if (!(credential instanceof PublicKeyCredential)) throw new DOMException('', 'NotAllowedError');
  return credential.toJSON();
}

/** By which the user recognises it in a list. */
function nameOfDevice(): string {
  const { userAgent } = navigator;
  const known = ['iPhone', 'iPad', 'Android', 'Macintosh', 'Windows', 'Linux'];
  return known.find((name) => userAgent.includes(name)) ?? 'Browser';
}
