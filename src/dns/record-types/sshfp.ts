import { rrType } from '../codes.ts';
import { checkDigestLength } from '../digest-length.ts';
import { uint8 } from '../field-codecs/integer.ts';
import { remainingHex } from '../field-codecs/remaining-hex.ts';
import type { RecordType } from '../record-type.ts';

/** RFC 4255 section 3.1.2, RFC 6594 section 5. */
const fingerprintOctets = new Map([
  [1, 20],
  [2, 32],
]);

export const sshfp = {
  number: rrType.SSHFP,
  mnemonic: 'SSHFP',
  reference: 'RFC 4255 section 3.1',
  help: 'The fingerprint of an SSH host key, which lets clients verify the host.',
  example: '4 2 9F86D081884C7D659A2FEAA0C55AD015A3BF4F1B2B0B822CD15D6C15B0F00A08',
  fields: [
    { name: 'algorithm', codec: uint8 },
    { name: 'fingerprint type', codec: uint8 },
    { name: 'fingerprint', codec: remainingHex },
  ],
  checkTogether: (rdata) => checkDigestLength('fingerprint', fingerprintOctets, rdata[1], rdata.length - 2),
} satisfies RecordType;
