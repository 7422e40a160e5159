import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';

/** The kinds of keys of `generateKeyPairSync`, with the option that each needs. */
export interface KeyPairOptions {
  readonly ed25519: object;
  readonly ed448: object;
  readonly ec: { readonly namedCurve: string };
  readonly rsa: { readonly modulusLength: number; readonly publicExponent?: number };
}

/**
 * Makes a new random private key, as JWK (RFC 7517).
 *
 * Node 20 never returns from `generateKeyPairSync(…).privateKey.export(…)` once in some thousand times: the key and the
 * job that made it share a lock. If memory runs short while the export holds the lock, the garbage collector destroys the
 * job, which waits for the lock on the same thread. A key that the job itself exports has no such lock.
 */
export function generateJwk<T extends keyof KeyPairOptions>(type: T, options: KeyPairOptions[T]): JsonWebKey {
  const encoding = { format: 'jwk' };
  return generate(type, { ...options, publicKeyEncoding: encoding, privateKeyEncoding: encoding }).privateKey;
}

/** The types of Node lack the format. */
const generate = generateKeyPairSync as unknown as (
  type: string,
  options: object,
) => { readonly privateKey: JsonWebKey };
