// The answers of browsers about passkeys, as `PublicKeyCredential.toJSON()` makes them (WebAuthn level 3 section 5.1). Only the
// members that count are named; all others are ignored.
import { success, type Result } from '../model/result.ts';
import { bodyShape, optionalText, optionalTexts } from './body-shape.ts';
import { Type } from './schema.ts';

const base64url = (description: string) => Type.String({ description: `${description}, in base64url` });

const registeredShape = bodyShape(
  Type.Object({
    clientDataJSON: base64url('What the browser has had the device sign'),
    attestationObject: base64url('The new passkey'),
    transports: optionalTexts('How the device can be reached', [['internal', 'hybrid']]),
  }),
);

const signedShape = bodyShape(
  Type.Object({
    clientDataJSON: base64url('What the browser has had the device sign'),
    authenticatorData: base64url('What the device says about itself'),
    signature: base64url('Of both'),
    userHandle: optionalText('The id of the user, in base64url'),
  }),
);

const ID = base64url('The credential ID');

export const registrationShape = bodyShape(Type.Object({ id: ID, response: registeredShape.schema }));
export const assertionShape = bodyShape(Type.Object({ id: ID, response: signedShape.schema }));

export interface RegistrationInput {
  readonly id: string;
  readonly clientDataJSON: string;
  readonly attestationObject: string;
  readonly transports: readonly string[];
}

export interface AssertionInput {
  readonly id: string;
  readonly clientDataJSON: string;
  readonly authenticatorData: string;
  readonly signature: string;
  /** Empty if the device says none. */
  readonly userHandle: string;
}

/** @param credential the member of a body */
export function readRegistration(credential: unknown): Result<RegistrationInput> {
  const outer = registrationShape.check(credential, 'credential');
  if (!outer.ok) return outer;
  const inner = registeredShape.check(outer.value.response, 'credential.response');
  return inner.ok ? success({ id: outer.value.id, transports: [], ...inner.value }) : inner;
}

/** @param credential the member of a body */
export function readAssertion(credential: unknown): Result<AssertionInput> {
  const outer = assertionShape.check(credential, 'credential');
  if (!outer.ok) return outer;
  const inner = signedShape.check(outer.value.response, 'credential.response');
  return inner.ok ? success({ id: outer.value.id, userHandle: '', ...inner.value }) : inner;
}
