import { rrType } from '../codes.ts';
import { domainName } from '../field-codecs/domain-name.ts';
import type { RecordType } from '../record-type.ts';

export const ptr = {
  number: rrType.PTR,
  mnemonic: 'PTR',
  reference: 'RFC 1035 section 3.3.12',
  help: 'A pointer to another name, usually from an address to its host name.',
  example: 'host.example.com.',
  fields: [{ name: 'target', codec: domainName, compressed: true, lowerCased: true }],
} satisfies RecordType;
