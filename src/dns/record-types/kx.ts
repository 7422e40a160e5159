import { rrType } from '../codes.ts';
import { domainName } from '../field-codecs/domain-name.ts';
import { uint16 } from '../field-codecs/integer.ts';
import type { RecordType } from '../record-type.ts';

export const kx = {
  number: rrType.KX,
  mnemonic: 'KX',
  reference: 'RFC 2230 section 3',
  help: 'A host that exchanges keys for the name; the lowest preference is tried first.',
  example: '10 kx.example.com.',
  fields: [
    { name: 'preference', codec: uint16 },
    { name: 'exchanger', codec: domainName, lowerCased: true },
  ],
  additional: 'exchanger',
} satisfies RecordType;
