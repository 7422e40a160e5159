import { rrType } from '../codes.ts';
import { domainName } from '../field-codecs/domain-name.ts';
import type { RecordType } from '../record-type.ts';

export const dname = {
  number: rrType.DNAME,
  mnemonic: 'DNAME',
  reference: 'RFC 6672 section 2',
  help: 'An alias for a subtree: maps every name below this one to the same name below the target.',
  example: 'target.example.net.',
  fields: [{ name: 'target', codec: domainName, lowerCased: true }],
} satisfies RecordType;
