import { rrType } from '../codes.ts';
import { characterStrings } from '../field-codecs/character-string.ts';
import type { RecordType } from '../record-type.ts';

export const txt = {
  number: rrType.TXT,
  mnemonic: 'TXT',
  reference: 'RFC 1035 section 3.3.14',
  help: 'Text for people and programs, such as SPF, DKIM and proof of ownership.',
  example: '"v=spf1 mx -all"',
  fields: [{ name: 'text', codec: characterStrings }],
} satisfies RecordType;
