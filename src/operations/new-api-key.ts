// API keys: drawing them and hashing them. What a key looks like is in the model.
import { hash, randomBytes } from 'node:crypto';
import { API_KEY_ALPHABET, API_KEY_RANDOM_CHARACTERS, formatApiKey } from '../model/api-key.ts';

/** Bytes from here on would favour the alphabet's first characters (256 is no multiple of 62): they are drawn again. */
const FIRST_BIASED_BYTE = 256 - (256 % API_KEY_ALPHABET.length);

/** A key's whole text, for whoever asked for it. It is never kept readable. */
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

/** What the store keeps of a key: SHA-256 of its text, 64 lower-case hex digits. A slow hash adds nothing to 190 random bits. */
export function hashApiKey(text: string): string {
  return hash('sha256', text, 'hex');
}
