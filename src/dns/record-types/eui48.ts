import { rrType } from '../codes.ts';
import { eui48Address } from '../field-codecs/hex-groups.ts';
import type { RecordType } from '../record-type.ts';

export const eui48 = {
  number: rrType.EUI48,
  mnemonic: 'EUI48',
  reference: 'RFC 7043 section 3',
  help: 'A 48-bit hardware address.',
  example: '00-00-5e-00-53-2a',
  fields: [{ name: 'address', codec: eui48Address }],
} satisfies RecordType;
