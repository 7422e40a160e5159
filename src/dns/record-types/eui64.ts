import { rrType } from '../codes.ts';
import { eui64Address } from '../field-codecs/hex-groups.ts';
import type { RecordType } from '../record-type.ts';

export const eui64 = {
  number: rrType.EUI64,
  mnemonic: 'EUI64',
  reference: 'RFC 7043 section 4',
  help: 'A 64-bit hardware address.',
  example: '00-00-5e-ef-10-00-00-2a',
  fields: [{ name: 'address', codec: eui64Address }],
} satisfies RecordType;
