import { rrType } from '../codes.ts';
import { characterStrings } from '../field-codecs/character-string.ts';
import type { RecordType } from '../record-type.ts';

export const spf = {
  number: rrType.SPF,
  mnemonic: 'SPF',
  reference: 'RFC 7208 section 3.1',
  help: 'Sender policy in the type of its own that RFC 7208 gave up: use TXT.',
  example: '"v=spf1 -all"',
  fields: [{ name: 'text', codec: characterStrings }],
} satisfies RecordType;
