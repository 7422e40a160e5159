import { rrType } from '../codes.ts';
import { uint16, uint8 } from '../field-codecs/integer.ts';
import { hashedOwner, nsec3Salt } from '../field-codecs/nsec3.ts';
import { typeBitmap } from '../field-codecs/type-bitmap.ts';
import type { RecordType } from '../record-type.ts';

export const nsec3 = {
  number: rrType.NSEC3,
  mnemonic: 'NSEC3',
  reference: 'RFC 5155 section 3',
  help: 'Proof of existing and missing names, like NSEC, with hashed names.',
  example: '1 1 12 aabbccdd 2vptu5timamqttgl4luu9kg21e0aor3s A RRSIG',
  fields: [
    { name: 'hash algorithm', codec: uint8 },
    { name: 'flags', codec: uint8 },
    { name: 'iterations', codec: uint16 },
    { name: 'salt', codec: nsec3Salt },
    { name: 'next hashed owner', codec: hashedOwner },
    { name: 'type bitmap', codec: typeBitmap },
  ],
  serviceOwned: true,
} satisfies RecordType;
