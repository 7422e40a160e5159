import { rrType } from '../codes.ts';
import { uint16, uint8 } from '../field-codecs/integer.ts';
import { nsec3Salt } from '../field-codecs/nsec3.ts';
import type { RecordType } from '../record-type.ts';

export const nsec3param = {
  number: rrType.NSEC3PARAM,
  mnemonic: 'NSEC3PARAM',
  reference: 'RFC 5155 section 4',
  help: 'The hash parameters of the NSEC3 records of the zone.',
  example: '1 0 12 aabbccdd',
  fields: [
    { name: 'hash algorithm', codec: uint8 },
    { name: 'flags', codec: uint8 },
    { name: 'iterations', codec: uint16 },
    { name: 'salt', codec: nsec3Salt },
  ],
  serviceOwned: true,
} satisfies RecordType;
