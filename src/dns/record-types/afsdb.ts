import { rrType } from '../codes.ts';
import { domainName } from '../field-codecs/domain-name.ts';
import { uint16 } from '../field-codecs/integer.ts';
import type { RecordType } from '../record-type.ts';

export const afsdb = {
  number: rrType.AFSDB,
  mnemonic: 'AFSDB',
  reference: 'RFC 1183 section 1',
  help: 'An AFS volume location server or a DCE authentication server.',
  example: '1 afsdb.example.com.',
  fields: [
    { name: 'subtype', codec: uint16 },
    { name: 'hostname', codec: domainName, lowerCased: true },
  ],
  additional: 'hostname',
} satisfies RecordType;
