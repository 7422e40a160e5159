import { rrType } from '../codes.ts';
import { uint16, uint32 } from '../field-codecs/integer.ts';
import { typeBitmap } from '../field-codecs/type-bitmap.ts';
import type { RecordType } from '../record-type.ts';

export const csync = {
  number: rrType.CSYNC,
  mnemonic: 'CSYNC',
  reference: 'RFC 7477 section 2.1',
  help: 'The record types that the parent zone should copy from this zone.',
  example: '66 3 A NS AAAA',
  fields: [
    { name: 'serial', codec: uint32 },
    { name: 'flags', codec: uint16 },
    { name: 'type bitmap', codec: typeBitmap },
  ],
} satisfies RecordType;
