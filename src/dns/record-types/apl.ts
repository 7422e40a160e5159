import { rrType } from '../codes.ts';
import { addressPrefixes } from '../field-codecs/address-prefixes.ts';
import type { RecordType } from '../record-type.ts';

export const apl = {
  number: rrType.APL,
  mnemonic: 'APL',
  reference: 'RFC 3123 section 4',
  help: 'A list of address prefixes, each included or excluded.',
  example: '1:192.0.2.0/24 !2:2001:db8::/32',
  fields: [{ name: 'prefixes', codec: addressPrefixes }],
} satisfies RecordType;
