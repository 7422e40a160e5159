import { rrType } from '../codes.ts';
import { ipv4Address } from '../field-codecs/address.ts';
import { uint16 } from '../field-codecs/integer.ts';
import type { RecordType } from '../record-type.ts';

export const l32 = {
  number: rrType.L32,
  mnemonic: 'L32',
  reference: 'RFC 6742 section 2.2',
  help: 'A 32-bit ILNP locator of a node.',
  example: '10 10.1.2.0',
  fields: [
    { name: 'preference', codec: uint16 },
    { name: 'locator', codec: ipv4Address },
  ],
} satisfies RecordType;
