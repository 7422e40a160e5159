import { rrType } from '../codes.ts';
import { domainName } from '../field-codecs/domain-name.ts';
import { typeBitmap } from '../field-codecs/type-bitmap.ts';
import type { RecordType } from '../record-type.ts';

export const nsec = {
  number: rrType.NSEC,
  mnemonic: 'NSEC',
  reference: 'RFC 4034 section 4',
  help: 'Proof of the types at this name, and that no name exists before the next one.',
  example: 'host.example.com. A MX RRSIG NSEC TYPE1234',
  fields: [
    { name: 'next name', codec: domainName },
    { name: 'type bitmap', codec: typeBitmap },
  ],
  serviceOwned: true,
} satisfies RecordType;
