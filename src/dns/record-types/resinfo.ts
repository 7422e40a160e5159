import { rrType } from '../codes.ts';
import { characterStrings } from '../field-codecs/character-string.ts';
import type { RecordType } from '../record-type.ts';

export const resinfo = {
  number: rrType.RESINFO,
  mnemonic: 'RESINFO',
  reference: 'RFC 9606 section 5',
  help: 'What a resolver supports, as words and key=value pairs.',
  example: '"qnamemin" "exterr=15-17" "infourl=https://resolver.example.com/guide"',
  fields: [{ name: 'resolver information', codec: characterStrings }],
} satisfies RecordType;
