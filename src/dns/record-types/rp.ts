import { rrType } from '../codes.ts';
import { domainName } from '../field-codecs/domain-name.ts';
import type { RecordType } from '../record-type.ts';

export const rp = {
  number: rrType.RP,
  mnemonic: 'RP',
  reference: 'RFC 1183 section 2',
  help: 'The mailbox of the responsible person, and a name with TXT records about them.',
  example: 'louie.trantor.example. lam1.people.example.',
  fields: [
    { name: 'mailbox', codec: domainName, lowerCased: true },
    { name: 'text name', codec: domainName, lowerCased: true },
  ],
} satisfies RecordType;
