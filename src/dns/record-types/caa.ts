import { rrType } from '../codes.ts';
import { remainingText } from '../field-codecs/character-string.ts';
import { uint8 } from '../field-codecs/integer.ts';
import { propertyTag } from '../field-codecs/property-tag.ts';
import type { RecordType } from '../record-type.ts';

export const caa = {
  number: rrType.CAA,
  mnemonic: 'CAA',
  reference: 'RFC 8659 section 4',
  help: 'The certification authorities that may issue certificates for the name.',
  example: '0 issue "letsencrypt.org"',
  fields: [
    { name: 'flags', codec: uint8 },
    { name: 'tag', codec: propertyTag },
    { name: 'value', codec: remainingText },
  ],
} satisfies RecordType;
