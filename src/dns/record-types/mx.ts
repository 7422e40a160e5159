import { rrType } from '../codes.ts';
import { domainName } from '../field-codecs/domain-name.ts';
import { uint16 } from '../field-codecs/integer.ts';
import type { RecordType } from '../record-type.ts';

export const mx = {
  number: rrType.MX,
  mnemonic: 'MX',
  reference: 'RFC 1035 section 3.3.9',
  help: 'A host that accepts mail for the name; the lowest preference is tried first.',
  example: '10 mail.example.com.',
  fields: [
    { name: 'preference', codec: uint16 },
    { name: 'exchange', codec: domainName, compressed: true, lowerCased: true },
  ],
  additional: 'exchange',
} satisfies RecordType;
