import { createPublicKey, randomBytes, sign, type KeyObject } from 'node:crypto';
import { newKeyPair } from '../../src/dnssec/key-pair.test-support.ts';

/*
 * Makes X.509 certificates (RFC 5280) that sign themselves, without other programs. Clients that have one as an authority
 * accept it for `localhost` and 127.0.0.1.
 */

export interface TestCertificate {
  /** PEM. */
  readonly certificate: string;
  readonly key: string;
}

export interface TestCertificateOptions {
  /** In the subject, to tell certificates apart. */
  readonly name?: string;
  /** From now; negative: in the past. */
  readonly startsInDays?: number;
  readonly endsInDays?: number;
}

const DAY_MS = 86_400_000;

export function makeTestCertificate(options: TestCertificateOptions = {}): TestCertificate {
  const { name = 'localhost', startsInDays = -1, endsInDays = 30 } = options;
  const { privateKey } = newKeyPair('ec', { namedCurve: 'prime256v1' });
  const subject = sequence(tagged(0x31, sequence(identifier('2.5.4.3'), tagged(0x0c, Buffer.from(name)))));
  const algorithm = sequence(identifier('1.2.840.10045.4.3.2'));
  const serial = Buffer.concat([Buffer.of(1), randomBytes(8)]);
  const body = sequence(
    tagged(0xa0, tagged(0x02, Buffer.of(2))),
    tagged(0x02, serial),
    algorithm,
    subject,
    sequence(time(startsInDays), time(endsInDays)),
    subject,
    publicKeyOf(privateKey),
    tagged(0xa3, sequence(alternativeNames)),
  );
  const signature = tagged(0x03, Buffer.concat([Buffer.of(0), sign('sha256', body, privateKey)]));
  return {
    certificate: pem('CERTIFICATE', sequence(body, algorithm, signature)),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}

/** subjectAltName: the name localhost and the address 127.0.0.1. */
const alternativeNames = sequence(
  identifier('2.5.29.17'),
  tagged(0x04, sequence(tagged(0x82, Buffer.from('localhost')), tagged(0x87, Buffer.of(127, 0, 0, 1)))),
);

function publicKeyOf(key: KeyObject): Buffer {
  return createPublicKey(key).export({ type: 'spki', format: 'der' });
}

/** UTCTime, with two digits of the year and whole seconds. */
function time(days: number): Buffer {
  const text = new Date(Date.now() + days * DAY_MS).toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return tagged(0x17, Buffer.from(text.slice(2)));
}

/** An object identifier (X.690 section 8.19). */
function identifier(text: string): Buffer {
  const [first, second, ...rest] = text.split('.').map(Number) as [number, number, ...number[]];
  return tagged(0x06, Buffer.concat([40 * first + second, ...rest].map(base128)));
}

function base128(value: number): Buffer {
  const octets = [value & 0x7f];
  for (let left = value >> 7; left > 0; left >>= 7) octets.unshift((left & 0x7f) | 0x80);
  return Buffer.from(octets);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

/** One element of DER: tag, length, content. */
function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
