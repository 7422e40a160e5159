import { rrType } from '../codes.ts';
import { uint16 } from '../field-codecs/integer.ts';
import { certificateType, dnssecAlgorithm } from '../field-codecs/mnemonic-integer.ts';
import { remainingBase64 } from '../field-codecs/remaining-base64.ts';
import type { RecordType } from '../record-type.ts';

export const cert = {
  number: rrType.CERT,
  mnemonic: 'CERT',
  reference: 'RFC 4398 section 2',
  help: 'A certificate or a certificate revocation list.',
  example: '1 0 0 MIIBAg==',
  fields: [
    { name: 'type', codec: certificateType },
    { name: 'key tag', codec: uint16 },
    { name: 'algorithm', codec: dnssecAlgorithm },
    { name: 'certificate', codec: remainingBase64(1) },
  ],
} satisfies RecordType;
