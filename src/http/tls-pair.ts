// A certificate and its private key, as the operator's files have them, and whether they can be used.
import { constants, createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { malformed, parsed, type Parsed } from '../base/parsed.ts';

export interface TlsPair {
  /** PEM: the certificate, then those that signed it. */
  readonly certificate: string;
  /** PEM. */
  readonly key: string;
  readonly validFromMs: number;
  readonly validToMs: number;
}

/**
 * Checks that a key belongs to a certificate and that TLS accepts both. The time is not checked: an expired certificate is
 * better than none.
 */
export function parseTlsPair(certificate: string, key: string): Parsed<TlsPair> {
  const leaf = parseCertificate(certificate);
  if (!leaf.ok) return leaf;
  const privateKey = parseKey(key);
  if (!privateKey.ok) return privateKey;
  if (!leaf.value.checkPrivateKey(privateKey.value))
    return malformed('the key does not belong to the first certificate');
  const [validFromMs, validToMs] = [leaf.value.validFrom, leaf.value.validTo].map(Date.parse);
  const pair = { certificate, key, validFromMs, validToMs };
  try {
    createSecureContext(secureContextOf(pair));
  } catch (error) {
    return malformed(`TLS does not accept them (${(error as Error).message})`);
  }
  return parsed(pair);
}

/** TLS 1.3, and of TLS 1.2 what HTTP/2 allows (RFC 9113 appendix A): forward secrecy and authenticated encryption. */
const ciphers = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
];

/** How connections with this pair are encrypted; undefined: there is no pair, and every handshake fails. */
export function secureContextOf(pair: TlsPair | undefined): SecureContextOptions {
  return {
    cert: pair?.certificate,
    key: pair?.key,
    minVersion: 'TLSv1.2',
    ciphers: ciphers.join(':'),
    // All of them are strong: a client without AES in its processor may choose.
    honorCipherOrder: false,
    // A client could make the service pay for handshakes on one connection.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  };
}

/** Reads the first certificate, which is that of the service. */
function parseCertificate(text: string): Parsed<X509Certificate> {
  if (!text.includes('-----BEGIN CERTIFICATE-----'))
    return malformed('the certificate file has no certificate in PEM format');
  try {
    return parsed(new X509Certificate(text));
  } catch (error) {
    return malformed(`the certificate cannot be read (${(error as Error).message})`);
  }
}

function parseKey(text: string): Parsed<KeyObject> {
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text))
    return malformed('the key file has no private key in PEM format');
  // RFC 7468 section 11, and the older form of OpenSSL.
  if (/BEGIN ENCRYPTED PRIVATE KEY|^Proc-Type: 4,ENCRYPTED/m.test(text))
    return malformed('the key is encrypted, and must not be');
  try {
    return parsed(createPrivateKey(text));
  } catch (error) {
    return malformed(`the key cannot be read (${(error as Error).message})`);
  }
}
