import { rrType } from '../codes.ts';
import { characterString } from '../field-codecs/character-string.ts';
import { domainName } from '../field-codecs/domain-name.ts';
import { uint16 } from '../field-codecs/integer.ts';
import { substitutionExpression } from '../field-codecs/substitution-expression.ts';
import type { RecordType } from '../record-type.ts';

export const naptr = {
  number: rrType.NAPTR,
  mnemonic: 'NAPTR',
  reference: 'RFC 3403 section 4',
  help: 'A rewriting rule for finding services, used by ENUM and SIP.',
  example: '100 50 "s" "http+N2L+N2C+N2R" "" www.example.com.',
  fields: [
    { name: 'order', codec: uint16 },
    { name: 'preference', codec: uint16 },
    { name: 'flags', codec: characterString },
    { name: 'services', codec: characterString },
    { name: 'regexp', codec: substitutionExpression },
    { name: 'replacement', codec: domainName, lowerCased: true },
  ],
  additional: 'replacement',
} satisfies RecordType;
