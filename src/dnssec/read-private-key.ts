/**
 * Reads private keys that other programs made, so that a domain can keep its key when it moves here:
 *
 *     BIND    Private-key-format: v1.3 … (files K<zone>+<algorithm>+<tag>.private; Knot's keymgr writes and reads them as well)
 *     PEM     PKCS #8 (RFC 5958), or the older form for elliptic curves (RFC 5915)
 *
 * Writes none: keys never leave the service.
 */
import { createECDH, createPrivateKey, type KeyObject } from 'node:crypto';
import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import { parseBase64 } from '../dns/base64.ts';
import { exportPrivateKey, type KeyMaterial } from './private-key.ts';
import { signingAlgorithm, type SigningAlgorithm } from './zone-key.ts';

/** A key of RSA with 4096 bits, which is refused by its kind rather than its length, has 3,300 characters. */
export const MAX_PRIVATE_KEY_CHARACTERS = 8192;

/** The private part of both algorithms. */
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
  const octets = parseBase64(fields.get('privatekey') ?? '');
  if (!octets.ok || octets.value.length > PRIVATE_KEY_OCTETS) return malformed(NOT_BASE64);
  // The scalar of P-256 is a number, which older programs write without its leading zero octets.
  const privateKey = new Uint8Array(PRIVATE_KEY_OCTETS);
  privateKey.set(octets.value, PRIVATE_KEY_OCTETS - octets.value.length);
  const isNumber = algorithm === signingAlgorithm.ECDSAP256SHA256;
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
  if (kind === 'ed25519') return parsed(exportPrivateKey(key, signingAlgorithm.ED25519));
  if (kind === 'ec' && details?.namedCurve === 'prime256v1') {
    return parsed(exportPrivateKey(key, signingAlgorithm.ECDSAP256SHA256));
  }
  return malformed(OTHER_ALGORITHM);
}

const NOT_BASE64 = `the field PrivateKey must be base64 of ${PRIVATE_KEY_OCTETS} octets`;
const OTHER_ALGORITHM = 'the algorithm must be 13 (ECDSAP256SHA256) or 15 (ED25519)';

function findAlgorithm(number: number): SigningAlgorithm | undefined {
  return Object.values(signingAlgorithm).find((algorithm) => algorithm === number);
}

/** Undefined if the octets are no private key: 0, or not below the order of the curve. */
function publicKeyOf(algorithm: SigningAlgorithm, privateKey: Uint8Array): Uint8Array | undefined {
  if (algorithm === signingAlgorithm.ED25519) {
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
