/**
 * Reads private keys that other programs made, so that a domain can keep its key when it moves here:
 *
 *     BIND    Private-key-format: v1.3 … (files K<zone>+<algorithm>+<tag>.private; Knot's keymgr writes and reads them as well)
 *     PEM     PKCS #8 (RFC 5958), or the older forms for elliptic curves (RFC 5915) and RSA (PKCS #1)
 *
 * Writes none: keys never leave the service.
 */
import { createECDH, createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import { parseBase64 } from '../dns/base64.ts';
import { exportPrivateKey, type KeyMaterial } from './private-key.ts';
import { decodeRsaKey, findRsaProblem, modulusBits, SIGNING_MODULUS_BITS } from './rsa-public-key.ts';
import {
  isRsa,
  madeAlgorithm,
  type MadeAlgorithm,
  rsaAlgorithm,
  type RsaAlgorithm,
  SIGNING_ALGORITHMS_TEXT,
  signingAlgorithm,
  type SigningAlgorithm,
} from './zone-key.ts';

/** A key of RSA with 4096 bits, which is refused by its bits rather than its length, has 3,300 characters. */
export const MAX_PRIVATE_KEY_CHARACTERS = 8192;

/** The private part of both algorithms of elliptic curves. */
const PRIVATE_KEY_OCTETS = 32;

/** A problem never repeats the text, which is secret. */
export function readPrivateKey(text: string): Parsed<KeyMaterial> {
  if (text.length > MAX_PRIVATE_KEY_CHARACTERS) {
    return malformed(`the private key is longer than ${MAX_PRIVATE_KEY_CHARACTERS} characters`);
  }
  if (/^\s*-----BEGIN /.test(text)) return readPem(text);
  if (/^\s*Private-key-format:/i.test(text)) return readBindFile(text);
  return malformed('the private key must be a file of BIND (Private-key-format: v1.3) or PEM');
}

function readBindFile(text: string): Parsed<KeyMaterial> {
  const fields = new Map<string, string>();
  for (const line of text.split('\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) fields.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  // Versions differ in optional fields: v1.3 added times.
  const version = fields.get('private-key-format') ?? '';
  if (!/^v1\.\d+$/.test(version)) return malformed('the Private-key-format must be v1.3');
  const algorithm = findAlgorithm(Number.parseInt(fields.get('algorithm') ?? '', 10));
  if (algorithm === undefined) return malformed(OTHER_ALGORITHM);
  if (isRsa(algorithm)) return readRsaFields(algorithm, fields);
  const octets = parseBase64(fields.get('privatekey') ?? '');
  if (!octets.ok || octets.value.length > PRIVATE_KEY_OCTETS) return malformed(NOT_BASE64);
  // The scalar of P-256 is a number, which older programs write without its leading zero octets.
  const privateKey = new Uint8Array(PRIVATE_KEY_OCTETS);
  privateKey.set(octets.value, PRIVATE_KEY_OCTETS - octets.value.length);
  const isNumber = algorithm === madeAlgorithm.ECDSAP256SHA256;
  if (!isNumber && octets.value.length < PRIVATE_KEY_OCTETS) return malformed(NOT_BASE64);
  const publicKey = publicKeyOf(algorithm, privateKey);
  if (publicKey === undefined) return malformed('the field PrivateKey is no private key of P-256');
  return parsed({ algorithm, privateKey, publicKey });
}

function readPem(text: string): Parsed<KeyMaterial> {
  let key: KeyObject;
  try {
    key = createPrivateKey(text);
  } catch {
    return malformed('the PEM text is not a private key without a passphrase');
  }
  const { asymmetricKeyType: kind, asymmetricKeyDetails: details } = key;
  if (kind === 'ed25519') return parsed(exportPrivateKey(key, madeAlgorithm.ED25519));
  if (kind === 'ec' && details?.namedCurve === 'prime256v1') {
    return parsed(exportPrivateKey(key, madeAlgorithm.ECDSAP256SHA256));
  }
  // PEM does not say the hash. The usual one is SHA-256; files of BIND say it.
  if (kind === 'rsa') return checkRsaKey(exportPrivateKey(key, rsaAlgorithm.RSASHA256), key);
  return malformed(OTHER_ALGORITHM);
}

/** The fields of an RSA key in a file of BIND, and as JWK calls them (RFC 7518 section 6.3). */
const rsaFields = {
  n: 'modulus',
  e: 'publicexponent',
  d: 'privateexponent',
  p: 'prime1',
  q: 'prime2',
  dp: 'exponent1',
  dq: 'exponent2',
  qi: 'coefficient',
} as const;

function readRsaFields(algorithm: RsaAlgorithm, fields: ReadonlyMap<string, string>): Parsed<KeyMaterial> {
  const jwk: Record<string, string> = {};
  for (const [member, field] of Object.entries(rsaFields)) {
    const octets = parseBase64(fields.get(field) ?? '');
    if (!octets.ok || octets.value.length === 0) return malformed(NOT_RSA);
    jwk[member] = Buffer.from(octets.value).toString('base64url');
  }
  try {
    const key = createPrivateKey({ format: 'jwk', key: { kty: 'RSA', ...jwk } });
    return checkRsaKey(exportPrivateKey(key, algorithm), key);
  } catch {
    return malformed(NOT_RSA);
  }
}

/** OpenSSL takes any numbers for a key: those that do not fit together make signatures that nobody accepts. */
function checkRsaKey(material: KeyMaterial, key: KeyObject): Parsed<KeyMaterial> {
  const numbers = decodeRsaKey(material.publicKey);
  if (numbers === undefined) return malformed(NOT_RSA);
  const bits = modulusBits(numbers);
  if (bits !== SIGNING_MODULUS_BITS) {
    return malformed(
      `the RSA key has ${bits} bits, and domains are signed here with ${SIGNING_MODULUS_BITS} only, because smaller ones are weak, and signatures of larger ones take 4 ms and make most answers too large for UDP: exchange the key for one of ${SIGNING_MODULUS_BITS} bits, or better of algorithm 13, where it is now`,
    );
  }
  const problem = findRsaProblem(numbers);
  if (problem !== undefined) return malformed(problem);
  return isConsistent(key) ? parsed(material) : malformed(NOT_RSA);
}

function isConsistent(key: KeyObject): boolean {
  const data = new Uint8Array(1);
  try {
    return verify('sha256', data, createPublicKey(key), sign('sha256', data, key));
  } catch {
    return false;
  }
}

const NOT_BASE64 = `the field PrivateKey must be base64 of ${PRIVATE_KEY_OCTETS} octets`;
const NOT_RSA = 'the fields of the file are no RSA key';
const OTHER_ALGORITHM = `the algorithm must be ${SIGNING_ALGORITHMS_TEXT}`;

function findAlgorithm(number: number): SigningAlgorithm | undefined {
  return Object.values(signingAlgorithm).find((algorithm) => algorithm === number);
}

/** Undefined if the octets are no private key: 0, or not below the order of the curve. */
function publicKeyOf(algorithm: MadeAlgorithm, privateKey: Uint8Array): Uint8Array | undefined {
  if (algorithm === madeAlgorithm.ED25519) {
    const der = Buffer.concat([ED25519_PKCS8_HEAD, privateKey]);
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    return exportPrivateKey(key, algorithm).publicKey;
  }
  const curve = createECDH('prime256v1');
  try {
    curve.setPrivateKey(privateKey);
  } catch {
    return undefined;
  }
  return new Uint8Array(curve.getPublicKey().subarray(POINT_FORM_OCTETS));
}

/** The DER of a private key of Ed25519 up to its octets (RFC 8410 section 7). */
const ED25519_PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
/** An uncompressed point begins with the octet 4 (SEC 1 section 2.3.3), which DNSKEY records leave out. */
const POINT_FORM_OCTETS = 1;
