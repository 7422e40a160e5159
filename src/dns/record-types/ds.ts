import { rrType } from '../codes.ts';
import { checkDigestLength, dsDigestOctets } from '../digest-length.ts';
import { uint16, uint8 } from '../field-codecs/integer.ts';
import { dnssecAlgorithm } from '../field-codecs/mnemonic-integer.ts';
import { remainingHex } from '../field-codecs/remaining-hex.ts';
import type { RecordType } from '../record-type.ts';

export const ds = {
  number: rrType.DS,
  mnemonic: 'DS',
  reference: 'RFC 4034 section 5',
  help: 'The digest of a key of the delegated zone, a link in the chain of trust.',
  example: '60485 5 1 2BB183AF5F22588179A53B0A98631FAD1A292118',
  fields: [
    { name: 'key tag', codec: uint16 },
    { name: 'algorithm', codec: dnssecAlgorithm },
    { name: 'digest type', codec: uint8 },
    { name: 'digest', codec: remainingHex },
  ],
  checkTogether: (rdata) => checkDigestLength('digest', dsDigestOctets, rdata[3], rdata.length - 4),
} satisfies RecordType;
