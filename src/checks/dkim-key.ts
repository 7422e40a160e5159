// Checks that the key of a DKIM record (RFC 6376 section 3.6.1) decodes and is complete.
import { parseBase64 } from '../dns/base64.ts';

interface DkimFault {
  readonly isShort: boolean;
  /** One sentence. */
  readonly message: string;
}

/** RFC 8301 section 3.2: verifiers accept keys of at least this length. */
const MIN_RSA_BITS = 1024;
const ED25519_OCTETS = 32;
const DER_SEQUENCE = 0x30;

/** Returns undefined if the key is valid or revoked, or if the text is not a key record. */
export function checkDkimKey(content: string): DkimFault | undefined {
  const tags = readTags(content);
  const key = tags.get('p')?.replaceAll(/\s/g, '');
  if (key === undefined) {
    const isKeyRecord = tags.get('v') === 'DKIM1' || tags.has('k');
    return isKeyRecord ? broken('The DKIM record has no key (p=)') : undefined;
  }
  if (key === '') return undefined;
  const octets = parseBase64(key);
  if (!octets.ok) return broken(`The DKIM key does not decode: ${octets.problem}`);
  if (tags.get('k') === 'ed25519') {
    return octets.value.length === ED25519_OCTETS
      ? undefined
      : broken(`The DKIM key has ${octets.value.length} octets, but an Ed25519 key has ${ED25519_OCTETS}`);
  }
  return checkRsaKey(octets.value);
}

/** A DER sequence states its length: a key that was truncated is shorter. */
function checkRsaKey(key: Uint8Array): DkimFault | undefined {
  const length = derLength(key);
  if (key[0] !== DER_SEQUENCE || length === undefined) return broken('The DKIM key is not an RSA public key');
  if (key.length < length) {
    return broken(`The DKIM key is truncated: it should have ${length} octets, and has ${key.length}`);
  }
  if (key.length > length) {
    return broken(`The DKIM key should have ${length} octets, and ${key.length - length} more follow`);
  }
  // Besides the modulus there are about 34 octets: algorithm, exponent and lengths.
  const bits = (key.length - 34) * 8;
  if (bits >= MIN_RSA_BITS - 64) return undefined;
  return {
    isShort: true,
    message: `The DKIM key has about ${bits} bits; mail servers ignore keys of less than ${MIN_RSA_BITS}`,
  };
}

/** The length of the value including its header (X.690 section 8.1.3), for lengths up to 65,535. */
function derLength(der: Uint8Array): number | undefined {
  const [, first, second, third] = der;
  if (der.length < 4) return undefined;
  if (first < 0x80) return 2 + first;
  if (first === 0x81) return 3 + second;
  return first === 0x82 ? 4 + ((second << 8) | third) : undefined;
}

function readTags(content: string): ReadonlyMap<string, string> {
  const tags = new Map<string, string>();
  for (const part of content.split(';')) {
    const equals = part.indexOf('=');
    if (equals > 0) tags.set(part.slice(0, equals).trim(), part.slice(equals + 1).trim());
  }
  return tags;
}

function broken(message: string): DkimFault {
  return { isShort: false, message };
}
