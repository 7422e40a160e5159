// The shapes of the DNSSEC keys of a domain, for the OpenAPI document and typed clients.
import { bodyShape, optionalFlag, optionalText } from './body-shape.ts';
import { Type, type Static } from './schema.ts';
import { keyOrigins } from './signing-status-shape.ts';

const EXAMPLE_DNSKEY =
  '257 3 13 mdsswUyr3DPW132mOi8V9xESWE8jTo0dxCjjnopKl+GqJxpVXckHAeF+KkxLbxILfDLUT0rAK9iUzy1L53eKGQ==';
const EXAMPLE_DS = '27933 13 2 E2D3C916F6DEEAC73294E8268FB5885044A833FC5459588F4A9184CFC41A5766';

/** One of both members is required. */
export const zoneKeyBody = bodyShape(
  Type.Object(
    {
      private_key: optionalText(
        'The private key with which the domain is signed elsewhere: a .private file of BIND or Knot, or PEM; algorithm 13, 15, 8 or 10 (RSA with 2048 bits)',
      ),
      dnskey: optionalText('DNSKEY data of another provider that signs the domain as well', [EXAMPLE_DNSKEY]),
    },
    { description: 'Either private_key or dnskey', examples: [{ dnskey: EXAMPLE_DNSKEY }] },
  ),
);

export const announcedBody = bodyShape(
  Type.Object(
    { announced: optionalFlag('Whether CDS and CDNSKEY ask for the DS record of the key') },
    { examples: [{ announced: false }] },
  ),
);

const zoneKeyShape = Type.Object({
  id: Type.String({ format: 'uuid', examples: ['0193489f-8a3b-7abc-8def-0123456789ab'] }),
  tag: Type.Integer({ examples: [27933] }),
  algorithm: Type.Integer({ description: '13: ECDSA P-256; 15: Ed25519', examples: [13] }),
  flags: Type.Integer({ description: '257, or 256 for a key that no DS record names', examples: [257] }),
  origin: Type.Enum(keyOrigins, {
    description: 'foreign: a key of another provider; file: a key of a zone that another signer has signed',
  }),
  dnskey: Type.String({ description: 'Data of its DNSKEY record', examples: [EXAMPLE_DNSKEY] }),
  ds: Type.Union([Type.String(), Type.Null()], {
    description: 'Data of its DS record (SHA-256); null with flags 256',
    examples: [EXAMPLE_DS],
  }),
  announced: Type.Boolean({ description: 'CDS and CDNSKEY ask the parent zone for its DS record' }),
  date_created: Type.String({ format: 'date-time', examples: ['2026-11-20T09:03:31+00:00'] }),
});

export const zoneKeyReply = Type.Object({ key: zoneKeyShape });

export const zoneKeysReply = Type.Object({ keys: Type.Array(zoneKeyShape) });

/** A key of a signed domain, without its private part. */
export type ZoneKeyJson = Readonly<Static<typeof zoneKeyShape>>;
