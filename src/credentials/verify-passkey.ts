/**
 * Checks what a browser sends after a user has registered a passkey (WebAuthn level 3 section 7.1), or has signed a challenge with
 * one (section 7.2). The library takes 60 ms of processor time to load: import this file when it is needed.
 *
 * No certificate of a device is looked at, because the library would follow the addresses in it.
 */
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import { decodeAttestationObject } from '@simplewebauthn/server/helpers';
import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import {
  MAX_CREDENTIAL_ID_OCTETS,
  MAX_PUBLIC_KEY_OCTETS,
  passkeyTransports,
  type Passkey,
} from '../model/user-factors.ts';
import { findMalformedPart, type PasskeySite, type SentAssertion, type SentRegistration } from './passkey.ts';
import { findPublicKeyProblem, passkeyAlgorithms } from './passkey-public-key.ts';

/** The library's reasons repeat what was sent, and help nobody who did not make it up. */
const REFUSED = 'The passkey was not accepted';

/** @param challenge the one that was checked */
export async function verifyRegistration(
  { id, transports, ...response }: SentRegistration,
  challenge: string,
  site: PasskeySite,
): Promise<Parsed<Pick<Passkey, 'credentialId' | 'publicKey' | 'counter' | 'transports'>>> {
  const problem = findMalformedPart({ id, ...response });
  if (problem !== undefined) return malformed(problem);
  try {
    const attestation = decodeAttestationObject(toOctets(response.attestationObject));
    if (!isWithoutCertificate(attestation.get('fmt'), attestation.get('attStmt')))
      return malformed('The passkey came with a certificate of the device; ask for attestation "none"');
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
      ...expectedOf(challenge, site),
      supportedAlgorithmIDs: [...passkeyAlgorithms],
    });
    const credential = registrationInfo?.credential;
    if (credential?.id !== id) return malformed(REFUSED);
    const keyProblem = findPublicKeyProblem(credential.publicKey) ?? findSizeProblem(credential);
    if (keyProblem !== undefined) return malformed(keyProblem);
    const publicKey = Buffer.from(credential.publicKey).toString('base64url');
    const known = passkeyTransports.filter((transport) => transports.includes(transport));
    return parsed({ credentialId: id, publicKey, counter: credential.counter, transports: known });
  } catch {
    return malformed(REFUSED);
  }
}

/**
 * Returns the counter of the passkey after its use. It is malformed if the counter has not risen although the passkey counts:
 * there is a copy of the private key then (WebAuthn level 3 section 6.1.1).
 *
 * @param challenge the one that was checked
 */
export async function verifyAssertion(
  { id, ...response }: SentAssertion,
  challenge: string,
  site: PasskeySite,
  { publicKey, counter }: Pick<Passkey, 'publicKey' | 'counter'>,
): Promise<Parsed<Pick<Passkey, 'counter'>>> {
  const problem = findMalformedPart({ id, ...response });
  if (problem !== undefined) return malformed(problem);
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
      ...expectedOf(challenge, site),
      credential: { id, publicKey: toOctets(publicKey), counter },
    });
    return verified ? parsed({ counter: authenticationInfo.newCounter }) : malformed(REFUSED);
  } catch {
    return malformed(REFUSED);
  }
}

function expectedOf(challenge: string, { origin, rpId }: PasskeySite) {
  return {
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
  };
}

/** A passkey without attestation, or one that vouches for itself (WebAuthn level 3 sections 8.7 and 8.2). */
function isWithoutCertificate(
  format: string,
  statement: { readonly size: number; get(name: 'x5c'): unknown },
): boolean {
  return format === 'none' || (format === 'packed' && statement.get('x5c') === undefined);
}

function findSizeProblem({
  id,
  publicKey,
}: {
  readonly id: string;
  readonly publicKey: Uint8Array;
}): string | undefined {
  const isLong = toOctets(id).length > MAX_CREDENTIAL_ID_OCTETS || publicKey.length > MAX_PUBLIC_KEY_OCTETS;
  return isLong ? 'The passkey has a longer ID or public key than any device makes' : undefined;
}

function toOctets(text: string): Buffer<ArrayBuffer> {
  return Buffer.from(text, 'base64url');
}
