import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { generateJwk, type KeyPairOptions } from './generate-jwk.ts';

/** In place of `generateKeyPairSync`; `generateJwk` says why. */
export function newKeyPair<T extends keyof KeyPairOptions>(
  type: T,
  options: KeyPairOptions[T],
): { readonly privateKey: KeyObject; readonly publicKey: KeyObject } {
  const privateKey = createPrivateKey({ format: 'jwk', key: generateJwk(type, options) });
  return { privateKey, publicKey: createPublicKey(privateKey) };
}
