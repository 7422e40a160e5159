import { rrType } from '../codes.ts';
import { uint8 } from '../field-codecs/integer.ts';
import { remainingHex } from '../field-codecs/remaining-hex.ts';
import type { RecordType } from '../record-type.ts';

export const smimea = {
  number: rrType.SMIMEA,
  mnemonic: 'SMIMEA',
  reference: 'RFC 8162 section 2',
  help: 'The certificate or key of an email address for S/MIME.',
  example: '3 1 1 D2ABDE240D7CD3EE6B4B28C54DF034B97983A1D16E8A410E4561CB106618E971',
  fields: [
    { name: 'usage', codec: uint8 },
    { name: 'selector', codec: uint8 },
    { name: 'matching type', codec: uint8 },
    { name: 'certificate data', codec: remainingHex },
  ],
} satisfies RecordType;
