// Recovery codes: each lets a user in once in place of a one-time code, when the app is lost. The store has only their hashes.
import { hash, randomInt } from 'node:crypto';

export const RECOVERY_CODES = 10;

/** Base32 of Crockford: no letter looks like a digit. */
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';

const GROUPS = 4;
/** 100 bits in all, so that the hashes need no slow function and no salt. */
const GROUP_DIGITS = 5;

const form = new RegExp(`^[${DIGITS}]{${GROUPS * GROUP_DIGITS}}$`);

export interface NewRecoveryCodes {
  /** `k7c2m-…`, shown once. */
  readonly texts: readonly string[];
  readonly hashes: readonly string[];
}

export function newRecoveryCodes(): NewRecoveryCodes {
  const texts = Array.from({ length: RECOVERY_CODES }, newText);
  return { texts, hashes: texts.map((text) => hashDigits(text.replaceAll('-', ''))) };
}

/** Returns the hash of a code as a person types it: in any case, with or without separators. Undefined: it cannot be one. */
export function hashRecoveryCode(text: string): string | undefined {
  const digits = text.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
  return form.test(digits) ? hashDigits(digits) : undefined;
}

function newText(): string {
  const newGroup = (): string => Array.from({ length: GROUP_DIGITS }, newDigit).join('');
  return Array.from({ length: GROUPS }, newGroup).join('-');
}

function newDigit(): string {
  return DIGITS[randomInt(DIGITS.length)];
}

/** SHA-256 in base64url: 43 characters. */
function hashDigits(digits: string): string {
  return hash('sha256', digits, 'base64url');
}
