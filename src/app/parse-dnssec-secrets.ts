import { malformed, parsed, type Parsed } from '../base/parsed.ts';

/** A 128-bit secret in hexadecimal digits: HKDF makes a key of it, but no weak secret strong (RFC 5869 section 4). */
const MIN_SECRET_CHARACTERS = 32;

/** Twice 64 octets in hexadecimal digits, more than anybody has a use for. */
const MAX_SECRET_CHARACTERS = 256;

/** The one in use and the one before it, and as many again for a rotation that begins before the last one has ended. */
const MAX_SECRETS = 4;

const WANTED = `${MIN_SECRET_CHARACTERS} to ${MAX_SECRET_CHARACTERS} printable ASCII characters without spaces, as \`openssl rand -base64 32\` prints them`;

/**
 * Parses the secrets that encrypt the keys of signed domains, separated by commas: the first one encrypts, all decrypt. A
 * problem names the place of the secret that is wrong, and never repeats it.
 */
export function parseDnssecSecrets(text: string): Parsed<readonly string[]> {
  const secrets = text.split(',').map((part) => part.trim());
  if (secrets.length > MAX_SECRETS)
    return malformed(`there are ${secrets.length} secrets, more than ${MAX_SECRETS}`);
  for (const [index, secret] of secrets.entries()) {
    const which = secrets.length === 1 ? 'the secret' : `secret ${index + 1} of ${secrets.length}`;
    if (secret.length < MIN_SECRET_CHARACTERS || secret.length > MAX_SECRET_CHARACTERS)
      return malformed(`${which} has ${secret.length} characters: a secret has ${WANTED}`);
    if (!/^[!-~]+$/.test(secret)) return malformed(`${which} has unusual characters: a secret has ${WANTED}`);
    if (secrets.indexOf(secret) < index) return malformed(`${which} is the same as an earlier one`);
  }
  return parsed(secrets);
}
