import { rrType } from '../codes.ts';
import { halfIpv6Address } from '../field-codecs/hex-groups.ts';
import { uint16 } from '../field-codecs/integer.ts';
import type { RecordType } from '../record-type.ts';

export const l64 = {
  number: rrType.L64,
  mnemonic: 'L64',
  reference: 'RFC 6742 section 2.3',
  help: 'A 64-bit ILNP locator of a node.',
  example: '10 2001:0db8:1140:1000',
  fields: [
    { name: 'preference', codec: uint16 },
    { name: 'locator', codec: halfIpv6Address },
  ],
} satisfies RecordType;
