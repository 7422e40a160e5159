import { rrType } from '../codes.ts';
import { domainName } from '../field-codecs/domain-name.ts';
import type { RecordType } from '../record-type.ts';

export const ns = {
  number: rrType.NS,
  mnemonic: 'NS',
  reference: 'RFC 1035 section 3.3.11',
  help: 'A nameserver that is authoritative for the name and everything below it.',
  example: 'ns1.example.net.',
  fields: [{ name: 'nameserver', codec: domainName, compressed: true, lowerCased: true }],
  additional: 'nameserver',
} satisfies RecordType;
