import { rrType } from '../codes.ts';
import { domainName } from '../field-codecs/domain-name.ts';
import type { RecordType } from '../record-type.ts';

export const cname = {
  number: rrType.CNAME,
  mnemonic: 'CNAME',
  reference: 'RFC 1035 section 3.3.1',
  help: 'An alias: all data of the name is found at the target.',
  example: 'www.example.net.',
  fields: [{ name: 'target', codec: domainName, compressed: true, lowerCased: true }],
} satisfies RecordType;
