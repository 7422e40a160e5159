// Generates and hashes API keys. The model defines their format.
import { hash, randomBytes } from 'node:crypto';
import { API_KEY_ALPHABET, API_KEY_RANDOM_CHARACTERS, formatApiKey } from '../model/api-key.ts';

/** Bytes from here on are rejected: 256 is not a multiple of 62, so they would favour the alphabet's first characters. */
const FIRST_BIASED_BYTE = 256 - (256 % API_KEY_ALPHABET.length);

/** Returns the text of a new key. It is never stored as plain text. */
export function newApiKey(): string {
  let characters = '';
  while (characters.length < API_KEY_RANDOM_CHARACTERS) {
    for (const byte of randomBytes(API_KEY_RANDOM_CHARACTERS)) {
      if (byte >= FIRST_BIASED_BYTE) continue;
      characters += API_KEY_ALPHABET.charAt(byte % API_KEY_ALPHABET.length);
    }
  }
  return formatApiKey(characters.slice(0, API_KEY_RANDOM_CHARACTERS));
}

/** Returns the SHA-256 of a key as 64 lower-case hex digits, for the store. 190 random bits need no slow hash. */
export function hashApiKey(text: string): string {
  return hash('sha256', text, 'hex');
}
