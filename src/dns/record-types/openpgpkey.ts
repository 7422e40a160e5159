import { rrType } from '../codes.ts';
import { remainingBase64 } from '../field-codecs/remaining-base64.ts';
import type { RecordType } from '../record-type.ts';

export const openpgpkey = {
  number: rrType.OPENPGPKEY,
  mnemonic: 'OPENPGPKEY',
  reference: 'RFC 7929 section 2',
  help: 'The OpenPGP public key of an email address.',
  example: 'mQCNAzIG1AQ=',
  fields: [{ name: 'public key', codec: remainingBase64(1) }],
} satisfies RecordType;
