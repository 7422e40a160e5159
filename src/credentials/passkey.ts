// The answers of browsers about passkeys (WebAuthn level 3), as far as they can be read before the passkey is found.
import { malformed, parsed, type Parsed } from '../base/parsed.ts';

/** The place where passkeys are used. A browser signs with one only on pages of its site, and says from which page. */
export interface PasskeySite {
  /** `https://dns.example.net` */
  readonly origin: string;
  /** The RP ID: the host name of the site. */
  readonly rpId: string;
}

/** The parts of a `RegistrationResponseJSON` that count. */
export interface SentRegistration {
  readonly id: string;
  readonly clientDataJSON: string;
  readonly attestationObject: string;
  readonly transports: readonly string[];
}

/** The parts of an `AuthenticationResponseJSON` that count. */
export interface SentAssertion {
  readonly id: string;
  readonly clientDataJSON: string;
  readonly authenticatorData: string;
  readonly signature: string;
  /** The id of the user, as it was given at the registration. */
  readonly userHandle: string;
}

/** Real ones have a few hundred characters; an attestation object can hold an ID and a public key of the longest kind. */
const MAX_PART_CHARACTERS = 4096;

/** 64 octets (WebAuthn level 3 section 5.4.3). */
const MAX_HANDLE_CHARACTERS = 86;

const BASE64URL = /^[A-Za-z0-9_-]+$/;

/**
 * Returns the challenge that was signed, if the browser says that it was signed on a page of the site. That is proved later, by
 * the signature.
 */
export function readChallenge(
  { clientDataJSON }: Pick<SentAssertion, 'clientDataJSON'>,
  { origin }: PasskeySite,
): Parsed<string> {
  const client = readClientData(clientDataJSON);
  if (client === undefined || typeof client['challenge'] !== 'string')
    return malformed('clientDataJSON must be JSON with a challenge, in base64url');
  // The operator who has set another address than that of the page has to learn it.
  if (client['origin'] !== origin) return malformed(`Passkeys of this service are used at ${origin} only`);
  if (client['crossOrigin'] === true) return malformed('A passkey cannot be used in a frame of another page');
  return parsed(client['challenge']);
}

/** Returns the id of the user that an authenticator says it belongs to; undefined: it says none. */
export function readUserHandle({ userHandle }: Pick<SentAssertion, 'userHandle'>): string | undefined {
  const isHandle = userHandle.length <= MAX_HANDLE_CHARACTERS && BASE64URL.test(userHandle);
  return isHandle ? Buffer.from(userHandle, 'base64url').toString('latin1') : undefined;
}

export function findMalformedPart(parts: Readonly<Record<string, string>>): string | undefined {
  const [name] =
    Object.entries(parts).find(([, part]) => part.length > MAX_PART_CHARACTERS || !BASE64URL.test(part)) ??
    [];
  return name && `${name} must be at most ${MAX_PART_CHARACTERS} characters of base64url`;
}

function readClientData(text: string): Readonly<Record<string, unknown>> | undefined {
  if (findMalformedPart({ text }) !== undefined) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
