import { rrType } from '../codes.ts';
import { checkDigestLength, dsDigestOctets } from '../digest-length.ts';
import { uint16, uint8 } from '../field-codecs/integer.ts';
import { dnssecAlgorithm } from '../field-codecs/mnemonic-integer.ts';
import { remainingHex } from '../field-codecs/remaining-hex.ts';
import type { RecordType } from '../record-type.ts';

export const cds = {
  number: rrType.CDS,
  mnemonic: 'CDS',
  reference: 'RFC 7344 section 3.1',
  help: 'The DS record that the parent zone should publish for this zone.',
  example: '60485 5 1 2BB183AF5F22588179A53B0A98631FAD1A292118',
  fields: [
    { name: 'key tag', codec: uint16 },
    { name: 'algorithm', codec: dnssecAlgorithm },
    { name: 'digest type', codec: uint8 },
    { name: 'digest', codec: remainingHex },
  ],
  checkTogether: (rdata) => checkDigestLength('digest', dsDigestOctets, rdata[3], rdata.length - 4),
} satisfies RecordType;
