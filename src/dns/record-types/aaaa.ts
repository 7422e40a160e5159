import { rrType } from '../codes.ts';
import { ipv6Address } from '../field-codecs/address.ts';
import type { RecordType } from '../record-type.ts';

export const aaaa = {
  number: rrType.AAAA,
  mnemonic: 'AAAA',
  reference: 'RFC 3596 section 2.2',
  help: 'The IPv6 address of a host.',
  example: '2001:db8::1',
  fields: [{ name: 'address', codec: ipv6Address }],
} satisfies RecordType;
