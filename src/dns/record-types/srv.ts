import { rrType } from '../codes.ts';
import { domainName } from '../field-codecs/domain-name.ts';
import { uint16 } from '../field-codecs/integer.ts';
import type { RecordType } from '../record-type.ts';

export const srv = {
  number: rrType.SRV,
  mnemonic: 'SRV',
  reference: 'RFC 2782',
  help: 'The host and port of a service.',
  example: '0 5 5060 sip.example.com.',
  fields: [
    { name: 'priority', codec: uint16 },
    { name: 'weight', codec: uint16 },
    { name: 'port', codec: uint16 },
    { name: 'target', codec: domainName, lowerCased: true },
  ],
  additional: 'target',
} satisfies RecordType;
