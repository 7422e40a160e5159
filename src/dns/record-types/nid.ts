import { rrType } from '../codes.ts';
import { halfIpv6Address } from '../field-codecs/hex-groups.ts';
import { uint16 } from '../field-codecs/integer.ts';
import type { RecordType } from '../record-type.ts';

export const nid = {
  number: rrType.NID,
  mnemonic: 'NID',
  reference: 'RFC 6742 section 2.1',
  help: 'The 64-bit ILNP identifier of a node.',
  example: '10 0014:4fff:ff20:ee64',
  fields: [
    { name: 'preference', codec: uint16 },
    { name: 'node identifier', codec: halfIpv6Address },
  ],
} satisfies RecordType;
