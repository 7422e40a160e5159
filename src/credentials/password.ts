// Passwords: the rules for new ones, and their hashes. Never stores or logs one.
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/**
 * The parameters of scrypt (RFC 7914) for new hashes, one of the sets that OWASP's cheat sheet on storing passwords counts as
 * equal. N = 2^17 with p = 1 takes as long, but four times the memory: 128 MB for a log-in are too much for a small machine.
 */
const COST_LOG2 = 15;
const BLOCK_SIZE = 8;
const PARALLEL = 3;

const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** The work needs 128 · N · r octets and a little more. */
const MAX_MEMORY_BYTES = 2 * 128 * 2 ** COST_LOG2 * BLOCK_SIZE;

export const MIN_PASSWORD_CHARACTERS = 12;
/** A longer text is no better, and takes longer to hash. */
export const MAX_PASSWORD_CHARACTERS = 256;

/** Returns `scrypt$15$8$3$salt$hash`, with salt and hash in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt);
  const parts = [COST_LOG2, BLOCK_SIZE, PARALLEL, salt.toString('base64url'), hash.toString('base64url')];
  return ['scrypt', ...parts].join('$');
}

const noSalt = Buffer.alloc(SALT_BYTES);

/**
 * Takes as long without a hash, so that the time does not tell whether a user exists.
 *
 * @param stored undefined: there is no such user, or the user has no password
 */
export async function verifyPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [kind, cost, blockSize, parallel, salt = '', hash = ''] = stored?.split('$') ?? [];
  const isKnown =
    kind === 'scrypt' &&
    cost === String(COST_LOG2) &&
    blockSize === String(BLOCK_SIZE) &&
    parallel === String(PARALLEL);
  const expected = Buffer.from(hash, 'base64url');
  const derived = await derive(password, isKnown ? Buffer.from(salt, 'base64url') : noSalt);
  return isKnown && expected.length === derived.length && timingSafeEqual(expected, derived);
}

/** Runs on a thread of libuv's pool: `PasswordWork` bounds how many there are at once. */
function derive(password: string, salt: Uint8Array): Promise<Buffer> {
  const options = { N: 2 ** COST_LOG2, r: BLOCK_SIZE, p: PARALLEL, maxmem: MAX_MEMORY_BYTES };
  return new Promise((resolve, reject) => {
    // NFKC: the same keys give the same text on every system (NIST SP 800-63B section 5.1.1.2).
    scrypt(password.normalize('NFKC'), salt, HASH_BYTES, options, (error, derived) => {
      if (error === null) resolve(derived);
      else reject(error);
    });
  });
}

/** Says what is wrong with a new password; undefined if it is acceptable. */
export function checkPassword(password: string, email: string): string | undefined {
  // Code points, as a person would count most texts.
  const length = Array.from(password).length;
  if (length < MIN_PASSWORD_CHARACTERS || length > MAX_PASSWORD_CHARACTERS)
    return `password must have ${MIN_PASSWORD_CHARACTERS} to ${MAX_PASSWORD_CHARACTERS} characters`;
  const plain = password.toLowerCase();
  const [name] = email.split('@');
  if (plain === email || plain === name + name) return 'password must not be the e-mail address';
  if (new Set(plain).size < MIN_DIFFERENT_CHARACTERS || common.some((word) => isRepeated(plain, word)))
    return 'password is one of the first that an attacker would try';
  return undefined;
}

const MIN_DIFFERENT_CHARACTERS = 5;

/** Beginnings of common passwords; long ones are these, repeated or with some digits at the end. */
const common = [
  'password',
  'passwort',
  'qwertyuiop',
  'qwertzuiop',
  '1234567890',
  'letmein',
  'iloveyou',
  'zonewright',
];

function isRepeated(text: string, word: string): boolean {
  return text.replaceAll(word, '').replaceAll(/[\d!.]/g, '') === '';
}
