/** Reads DNSKEY records of other providers that sign the same zone (RFC 8901). */
import { createPublicKey } from 'node:crypto';
import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import { rrType } from '../dns/codes.ts';
import { parseRdata } from '../dns/rdata/rdata.ts';
import {
  decodeRsaKey,
  findRsaProblem,
  MAX_PUBLISHED_MODULUS_BITS,
  MIN_PUBLISHED_MODULUS_BITS,
  modulusBits,
} from './rsa-public-key.ts';
import {
  DNSKEY_HEAD_OCTETS,
  isRsa,
  KEY_FLAGS,
  keyTag,
  madeAlgorithm,
  SIGNING_ALGORITHMS_TEXT,
  signingAlgorithm,
  foreignUses,
  ZONE_KEY_FLAGS,
  type MadeAlgorithm,
  type ZoneKey,
} from './zone-key.ts';

/** A key of an elliptic curve has 100 characters, one of RSA with 4096 bits 700. */
export const MAX_DNSKEY_CHARACTERS = 2048;

/** The parts of a DNSKEY record that has its form and a usable public key. */
type ForeignKeyData = Pick<ZoneKey, 'algorithm' | 'flags' | 'dnskey'>;

/** @param text RDATA in presentation format: `257 3 13 mdss…`; spaces in the key are left out */
export function readDnskey(text: string): Parsed<ForeignKeyData> {
  if (text.length > MAX_DNSKEY_CHARACTERS) {
    return malformed(`the DNSKEY data is longer than ${MAX_DNSKEY_CHARACTERS} characters`);
  }
  const rdata = parseRdata(rrType.DNSKEY, text.trim());
  if (!rdata.ok)
    return malformed(`${rdata.problem}; DNSKEY data is flags, 3, algorithm and key: 257 3 13 mdss…`);
  const dnskey = rdata.value;
  const flags = (dnskey[0] << 8) | dnskey[1];
  // A revoked key (RFC 5011) would have another bit.
  if (flags !== KEY_FLAGS && flags !== ZONE_KEY_FLAGS) return malformed('the flags must be 256 or 257');
  const algorithm = Object.values(signingAlgorithm).find((known) => known === dnskey[ALGORITHM_AT]);
  if (algorithm === undefined) {
    return malformed(`the algorithm must be ${SIGNING_ALGORITHMS_TEXT}, and the same as here`);
  }
  const publicKey = dnskey.subarray(DNSKEY_HEAD_OCTETS);
  const problem = isRsa(algorithm) ? findRsaKeyProblem(publicKey) : findCurveProblem(algorithm, publicKey);
  return problem === undefined ? parsed({ algorithm, flags, dnskey }) : malformed(problem);
}

/** The key as it is stored: without a private part. @param id UUIDv7 */
export function foreignKey(data: ForeignKeyData, id: string, createdAtSeconds: number): ZoneKey {
  const origin = 'foreign';
  return {
    id,
    ...data,
    tag: keyTag(data.dnskey),
    sealed: new Uint8Array(),
    secretId: '',
    createdAtSeconds,
    uses: foreignUses(data),
    origin,
    rollover: null,
  };
}

/** The algorithm stands in the fourth octet (RFC 4034 section 2.1). */
const ALGORITHM_AT = 3;

/** Both coordinates (RFC 6605 section 4), or the key (RFC 8080 section 3). */
const publicKeyOctets: Readonly<Record<MadeAlgorithm, number>> = { 13: 64, 15: 32 };

function findCurveProblem(algorithm: MadeAlgorithm, publicKey: Uint8Array): string | undefined {
  const octets = publicKeyOctets[algorithm];
  if (publicKey.length !== octets) {
    return `the public key must have ${octets} octets, and has ${publicKey.length}`;
  }
  return isPoint(algorithm, publicKey) ? undefined : 'the public key is no point of the curve P-256';
}

function findRsaKeyProblem(publicKey: Uint8Array): string | undefined {
  const numbers = decodeRsaKey(publicKey);
  if (numbers === undefined) return 'the public key is no exponent and modulus of RSA (RFC 3110)';
  const bits = modulusBits(numbers);
  if (bits < MIN_PUBLISHED_MODULUS_BITS || bits > MAX_PUBLISHED_MODULUS_BITS) {
    return `the RSA key must have ${MIN_PUBLISHED_MODULUS_BITS} to ${MAX_PUBLISHED_MODULUS_BITS} bits, and has ${bits}`;
  }
  return findRsaProblem(numbers);
}

/** Any 32 octets are taken for a key of Ed25519. */
function isPoint(algorithm: MadeAlgorithm, publicKey: Uint8Array): boolean {
  if (algorithm !== madeAlgorithm.ECDSAP256SHA256) return true;
  const half = publicKey.length / 2;
  const [x, y] = [publicKey.subarray(0, half), publicKey.subarray(half)];
  const text = (octets: Uint8Array): string => Buffer.from(octets).toString('base64url');
  try {
    createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x: text(x), y: text(y) } });
    return true;
  } catch {
    return false;
  }
}
