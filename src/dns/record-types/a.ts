import { rrType } from '../codes.ts';
import { ipv4Address } from '../field-codecs/address.ts';
import type { RecordType } from '../record-type.ts';

export const a = {
  number: rrType.A,
  mnemonic: 'A',
  reference: 'RFC 1035 section 3.4.1',
  help: 'The IPv4 address of a host.',
  example: '192.0.2.1',
  fields: [{ name: 'address', codec: ipv4Address }],
} satisfies RecordType;
