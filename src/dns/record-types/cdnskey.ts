import { rrType } from '../codes.ts';
import { dnssecProtocol } from '../field-codecs/dnssec-protocol.ts';
import { uint16 } from '../field-codecs/integer.ts';
import { dnssecAlgorithm } from '../field-codecs/mnemonic-integer.ts';
import { remainingBase64 } from '../field-codecs/remaining-base64.ts';
import type { RecordType } from '../record-type.ts';

export const cdnskey = {
  number: rrType.CDNSKEY,
  mnemonic: 'CDNSKEY',
  reference: 'RFC 7344 section 3.2',
  help: 'The DNSSEC key for which the parent zone should publish a DS record.',
  example:
    '257 3 13 mdsswUyr3DPW132mOi8V9xESWE8jTo0dxCjjnopKl+GqJxpVXckHAeF+KkxLbxILfDLUT0rAK9iUzy1L53eKGQ==',
  fields: [
    { name: 'flags', codec: uint16 },
    { name: 'protocol', codec: dnssecProtocol },
    { name: 'algorithm', codec: dnssecAlgorithm },
    { name: 'public key', codec: remainingBase64(1) },
  ],
} satisfies RecordType;
