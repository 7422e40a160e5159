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
  return service.session.signInWithPasskey(await askForPasskey());
}

/** Proves again who the user is. */
export async function confirmWithPasskey(): Promise<SessionReplyJson> {
  return service.session.confirm({ credential: await askForPasskey() });
}

async function askForPasskey(): Promise<object> {
  const options = await service.session.startPasskey();
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return toJson(await navigator.credentials.get({ publicKey }));
}

/** Needs a session whose user has just proved who it is. */
export async function createPasskey(name = nameOfDevice()): Promise<void> {
  const options = await service.factors.startAddingPasskey();
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await navigator.credentials.create({ publicKey });
  await service.factors.addPasskey(toJson(credential), name);
}

function toJson(credential: Credential | null): object {
  if (!(credential instanceof PublicKeyCredential)) throw new DOMException('', 'NotAllowedError');
  return credential.toJSON();
}

/** By which the user recognises it in a list. */
export function nameOfDevice(): string {
  const { userAgent } = navigator;
  const known = ['iPhone', 'iPad', 'Android', 'Macintosh', 'Windows', 'Linux'];
  return known.find((name) => userAgent.includes(name)) ?? 'Browser';
}
