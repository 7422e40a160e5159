// An authenticator in software, with the part of the browser in front of it (WebAuthn level 3 sections 6 and 5). Independent of the
// library that checks what it makes.
import { createHash, randomBytes, sign, type KeyObject } from 'node:crypto';
import type { PasskeySite, SentAssertion, SentRegistration } from './passkey.ts';
import { newKeyPair } from '../dnssec/key-pair.test-support.ts';

/** Bits of the flags (section 6.1). */
const flagBits = { present: 1, verified: 4, attested: 64 } as const;

/** How a ceremony differs from a right one. */
export interface Misbehaviour {
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly crossOrigin?: boolean;
  /** The user is there, but has not shown a PIN or finger. */
  readonly isUnverified?: true;
  readonly counter?: number;
}

export interface AuthenticatorOptions {
  readonly algorithm?: 'p256' | 'rsa' | 'ed25519';
  /** The counter stays 0, as with passkeys that are synchronised. */
  readonly countsNothing?: true;
  readonly idOctets?: number;
  readonly modulusBits?: number;
}

/** Has one passkey. */
export class SoftwareAuthenticator {
  readonly id: string;
  private readonly options: AuthenticatorOptions;
  private readonly privateKey: KeyObject;
  private readonly coseKey: Buffer;
  private counter = 0;
  private userHandle = '';

  constructor(options: AuthenticatorOptions = {}) {
    this.options = options;
    this.id = randomBytes(options.idOctets ?? 32).toString('base64url');
    const { privateKey, publicKey } = makeKeyPair(options);
    this.privateKey = privateKey;
    this.coseKey = toCose(publicKey);
  }

  register(
    { challenge, userHandle }: { readonly challenge: string; readonly userHandle: string },
    site: PasskeySite,
    wrong: Misbehaviour = {},
    attestation: { readonly format: string; readonly statement: Buffer } = noAttestation,
  ): SentRegistration {
    this.userHandle = userHandle;
    const id = Buffer.from(this.id, 'base64url');
    const idLength = Buffer.alloc(2);
    idLength.writeUInt16BE(id.length);
    const attested = Buffer.concat([Buffer.alloc(16), idLength, id, this.coseKey]);
    const data = this.authenticatorData(site, wrong, flagBits.attested, attested);
    const object = encodeMap([
      [encodeText('fmt'), encodeText(attestation.format)],
      [encodeText('attStmt'), attestation.statement],
      [encodeText('authData'), encodeBytes(data)],
    ]);
    return {
      id: this.id,
      clientDataJSON: clientData('webauthn.create', challenge, site, wrong),
      attestationObject: object.toString('base64url'),
      transports: ['internal', 'hybrid'],
    };
  }

  sign(challenge: string, site: PasskeySite, wrong: Misbehaviour = {}): SentAssertion {
    if (this.options.countsNothing !== true) this.counter++;
    const data = this.authenticatorData(site, wrong, 0, Buffer.alloc(0));
    const client = clientData('webauthn.get', challenge, site, wrong);
    const signed = Buffer.concat([data, sha256(Buffer.from(client, 'base64url'))]);
    return {
      id: this.id,
      clientDataJSON: client,
      authenticatorData: data.toString('base64url'),
      signature: sign(this.hash(), signed, this.privateKey).toString('base64url'),
      userHandle: Buffer.from(this.userHandle).toString('base64url'),
    };
  }

  private hash(): string | null {
    return this.options.algorithm === 'ed25519' ? null : 'sha256';
  }

  private authenticatorData(
    { rpId }: PasskeySite,
    wrong: Misbehaviour,
    furtherFlags: number,
    attested: Buffer,
  ): Buffer {
    const verified = wrong.isUnverified ? 0 : flagBits.verified;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(wrong.counter ?? this.counter);
    const flags = Buffer.from([flagBits.present | verified | furtherFlags]);
    return Buffer.concat([sha256(Buffer.from(wrong.rpId ?? rpId)), flags, counter, attested]);
  }
}

function clientData(type: string, challenge: string, { origin }: PasskeySite, wrong: Misbehaviour): string {
  const { crossOrigin = false } = wrong;
  const data = { type: wrong.type ?? type, challenge, origin: wrong.origin ?? origin, crossOrigin };
  return Buffer.from(JSON.stringify(data)).toString('base64url');
}

function makeKeyPair({ algorithm = 'p256', modulusBits: modulusLength = 2048 }: AuthenticatorOptions) {
  switch (algorithm) {
    case 'p256':
      return newKeyPair('ec', { namedCurve: 'P-256' });
    case 'rsa':
      return newKeyPair('rsa', { modulusLength });
    case 'ed25519':
      return newKeyPair('ed25519', {});
  }
}

/** COSE (RFC 9053 section 7, RFC 8230 section 4). */
function toCose(publicKey: KeyObject): Buffer {
  const { kty, x = '', y = '', n = '', e = '' } = publicKey.export({ format: 'jwk' });
  const value = (text: string): Buffer => encodeBytes(Buffer.from(text, 'base64url'));
  if (kty === 'EC')
    return encodeKey([
      [1, encodeInteger(2)],
      [3, encodeInteger(-7)],
      [-1, encodeInteger(1)],
      [-2, value(x)],
      [-3, value(y)],
    ]);
  if (kty === 'RSA')
    return encodeKey([
      [1, encodeInteger(3)],
      [3, encodeInteger(-257)],
      [-1, value(n)],
      [-2, value(e)],
    ]);
  return encodeKey([
    [1, encodeInteger(1)],
    [3, encodeInteger(-8)],
    [-1, encodeInteger(6)],
    [-2, value(x)],
  ]);
}

function encodeKey(members: readonly (readonly [number, Buffer])[]): Buffer {
  return encodeMap(members.map(([name, value]) => [encodeInteger(name), value]));
}

/** CBOR (RFC 8949 section 3), as much as is needed. */
function encodeHead(major: number, argument: number): Buffer {
  const first = major << 5;
  if (argument < 24) return Buffer.from([first | argument]);
  if (argument < 256) return Buffer.from([first | 24, argument]);
  return Buffer.from([first | 25, argument >> 8, argument & 255]);
}

export function encodeInteger(value: number): Buffer {
  return value < 0 ? encodeHead(1, -1 - value) : encodeHead(0, value);
}

export function encodeBytes(octets: Buffer): Buffer {
  return Buffer.concat([encodeHead(2, octets.length), octets]);
}

export function encodeText(text: string): Buffer {
  return Buffer.concat([encodeHead(3, text.length), Buffer.from(text)]);
}

export function encodeList(items: readonly Buffer[]): Buffer {
  return Buffer.concat([encodeHead(4, items.length), ...items]);
}

export function encodeMap(members: readonly (readonly [Buffer, Buffer])[]): Buffer {
  return Buffer.concat([encodeHead(5, members.length), ...members.flat()]);
}

const noAttestation = { format: 'none', statement: encodeMap([]) };

function sha256(octets: Buffer): Buffer {
  return createHash('sha256').update(octets).digest();
}
