import { rrType } from '../codes.ts';
import { checkDigestLength } from '../digest-length.ts';
import { uint32, uint8 } from '../field-codecs/integer.ts';
import { remainingHex } from '../field-codecs/remaining-hex.ts';
import type { RecordType } from '../record-type.ts';

export const zonemd = {
  number: rrType.ZONEMD,
  mnemonic: 'ZONEMD',
  reference: 'RFC 8976 section 2',
  help: 'A digest over the complete zone.',
  example:
    '2018031500 1 1 FEBE3D4CE2EC2FFA4BA99D46CD69D6D29711E55217057BEE7EB1A7B641A47BA7FED2DD5B97AE499FAFA4F22C6BD647DE',
  fields: [
    { name: 'serial', codec: uint32 },
    { name: 'scheme', codec: uint8 },
    { name: 'hash algorithm', codec: uint8 },
    { name: 'digest', codec: remainingHex },
  ],
  checkTogether: checkDigest,
} satisfies RecordType;

const DIGEST_OFFSET = 6;
/** RFC 8976 section 2.2.4. */
const LEAST_DIGEST_OCTETS = 12;
const digestOctets = new Map([
  [1, 48],
  [2, 64],
]);

function checkDigest(rdata: Uint8Array): string | undefined {
  const octets = rdata.length - DIGEST_OFFSET;
  if (octets < LEAST_DIGEST_OCTETS)
    return `the digest has ${octets} octets, at least ${LEAST_DIGEST_OCTETS} are needed`;
  return checkDigestLength('digest', digestOctets, rdata[5], octets);
}
