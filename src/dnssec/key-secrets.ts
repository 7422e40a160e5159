/**
 * Seals private keys, and the secrets of one-time codes, so that the store can keep them but not use them. Each of the operator's
 * secrets gives one encryption key for each use; the first one seals, and all of them open, so that the secret can be
 * exchanged. Never stores or logs a key or a secret.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { assert } from '../base/assert.ts';

const CIPHER = 'aes-256-gcm';
const SEALING_KEY_OCTETS = 32;
/** Random for each key: 2^32 keys can be sealed with one secret (NIST SP 800-38D section 8.3). */
const NONCE_OCTETS = 12;
const TAG_OCTETS = 16;
/** 64 bits tell an operator's few secrets apart; written as 16 hex digits. */
const SECRET_ID_OCTETS = 8;

export interface KeySecrets {
  /** Names the secret that seals; says nothing about its text. */
  readonly secretId: string;
  /**
   * Returns nonce, ciphertext and tag.
   *
   * @param context to which the sealed octets are bound, so that they cannot be put in another place
   */
  seal(octets: Uint8Array, context: Uint8Array): Uint8Array;
  /** Returns undefined if the secret is not known, or the octets were altered or sealed for another context. */
  open(sealed: Uint8Array, context: Uint8Array, secretId: string): Uint8Array | undefined;
}

/** The kinds of octets that are sealed; nothing that was sealed for one use opens as something else. */
export type SealedUse = 'dnssec' | 'one-time codes';

/** @param masters the texts of the operator's secrets, at least one; each with enough entropy to be no password */
export function openKeySecrets(masters: readonly string[], use: SealedUse = 'dnssec'): KeySecrets {
  const sealingKeys = new Map(masters.map((master) => [secretIdOf(master), sealingKeyOf(master, use)]));
  const [first] = sealingKeys;
  assert(masters.length > 0, 'there is a secret that seals');
  const [firstId, firstKey] = first;
  return {
    secretId: firstId,
    seal: (octets, context) => seal(firstKey, octets, context),
    open(sealed, context, secretId) {
      const sealingKey = sealingKeys.get(secretId);
      return sealingKey && open(sealingKey, sealed, context);
    },
  };
}

function seal(sealingKey: Uint8Array, octets: Uint8Array, context: Uint8Array): Uint8Array {
  const nonce = randomBytes(NONCE_OCTETS);
  const cipher = createCipheriv(CIPHER, sealingKey, nonce, { authTagLength: TAG_OCTETS });
  cipher.setAAD(context);
  const parts = [nonce, cipher.update(octets), cipher.final(), cipher.getAuthTag()];
  return new Uint8Array(Buffer.concat(parts));
}

function open(sealingKey: Uint8Array, sealed: Uint8Array, context: Uint8Array): Uint8Array | undefined {
  if (sealed.length < NONCE_OCTETS + TAG_OCTETS) return undefined;
  const nonce = sealed.subarray(0, NONCE_OCTETS);
  const decipher = createDecipheriv(CIPHER, sealingKey, nonce, { authTagLength: TAG_OCTETS });
  decipher.setAAD(context);
  decipher.setAuthTag(sealed.subarray(-TAG_OCTETS));
  const octets = decipher.update(sealed.subarray(NONCE_OCTETS, -TAG_OCTETS));
  try {
    return new Uint8Array(Buffer.concat([octets, decipher.final()]));
  } catch {
    return undefined;
  }
}

/** HKDF (RFC 5869) without a salt, which secrets of enough entropy do not need (section 3.1). */
function derive(master: string, purpose: string, octets: number): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', master, '', `zonewright ${purpose} 1`, octets));
}

function sealingKeyOf(master: string, use: SealedUse): Uint8Array {
  return derive(master, `${use} sealing key`, SEALING_KEY_OCTETS);
}

/** The same for all uses: it names the secret. */
function secretIdOf(master: string): string {
  return Buffer.from(derive(master, 'dnssec secret id', SECRET_ID_OCTETS)).toString('hex');
}
