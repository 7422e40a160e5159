// The JSON text of passkeys, one-time codes and recovery codes. No answer has a public key or a hash.
import type { Passkey, UserFactors } from '../model/user-factors.ts';
import type { User } from '../model/user.ts';
import type { RegisterOptionsJson, SignOptionsJson } from './factor-shape.ts';
import { formatDate } from './format-date.ts';
import { jsonString } from './json-string.ts';

/** WebAuthn level 3 section 15.1: as long as the challenge is good. */
const TIMEOUT_MS = 300_000;

/** ECDSA P-256 and RSA, by their COSE numbers. */
const algorithms = [-7, -257];

/** `{"factors":{…}}`. */
export function formatFactorsReply({
  hasPassword,
  factors,
}: {
  readonly hasPassword: boolean;
  readonly factors: UserFactors;
}): string {
  const { passkeys, oneTimeCode, recoveryCodes } = factors;
  const code =
    oneTimeCode === null ? 'null' : `{"date_created":"${formatDate(oneTimeCode.createdAtSeconds)}"}`;
  return `{"factors":{"password":${hasPassword},"passkeys":[${passkeys.map(formatPasskey).join()}],"one_time_code":${code},"recovery_codes":${recoveryCodes.length}}}`;
}

/** `{"passkey":{…}}`. */
export function formatPasskeyReply(passkey: Passkey): string {
  return `{"passkey":${formatPasskey(passkey)}}`;
}

function formatPasskey({
  id,
  credentialId,
  name,
  transports,
  createdAtSeconds,
  usedAtSeconds,
}: Passkey): string {
  const used = usedAtSeconds === null ? 'null' : `"${formatDate(usedAtSeconds)}"`;
  return `{"id":"${id}","credential_id":"${credentialId}","name":${jsonString(name)},"transports":${JSON.stringify(transports)},"date_created":"${formatDate(createdAtSeconds)}","date_used":${used}}`;
}

interface Asked {
  readonly site: { readonly rpId: string };
  readonly challenge: string;
}

/** `{"options":{…}}`, by which a browser has a passkey sign. Every passkey knows its user, so that none is named. */
export function formatSignOptionsReply({ site: { rpId }, challenge }: Asked): string {
  const options: SignOptionsJson = {
    challenge,
    timeout: TIMEOUT_MS,
    rpId,
    allowCredentials: [],
    userVerification: 'required',
  };
  return JSON.stringify({ options });
}

/** `{"options":{…}}`, by which a browser has a device make a passkey. */
export function formatRegisterOptionsReply({
  site: { rpId },
  challenge,
  user,
  known,
}: Asked & { readonly user: User; readonly known: readonly Passkey[] }): string {
  const options: RegisterOptionsJson = {
    rp: { id: rpId, name: 'Zonewright' },
    user: { id: toBase64url(user.id), name: user.email, displayName: user.name },
    challenge,
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: TIMEOUT_MS,
    excludeCredentials: known.map(({ credentialId: id, transports }) => ({
      type: 'public-key',
      id,
      transports: [...transports],
    })),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
  };
  return JSON.stringify({ options });
}

/** An id has ASCII characters only. */
function toBase64url(id: string): string {
  return btoa(id).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** `{"one_time_code":{"secret","uri"}}`. */
export function formatCodeSetupReply({
  secret,
  uri,
}: {
  readonly secret: string;
  readonly uri: string;
}): string {
  return JSON.stringify({ one_time_code: { secret, uri } });
}

/** `{"recovery_codes":[…]}`. */
export function formatRecoveryCodesReply(codes: readonly string[]): string {
  return JSON.stringify({ recovery_codes: codes });
}
