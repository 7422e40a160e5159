import { rrType } from '../codes.ts';
import { characterStrings } from '../field-codecs/character-string.ts';
import type { RecordType } from '../record-type.ts';

export const spf = {
  number: rrType.SPF,
  mnemonic: 'SPF',
  reference: 'RFC 7208 section 3.1',
  help: 'A sender policy in an obsolete type (RFC 7208): use TXT.',
  example: '"v=spf1 -all"',
  fields: [{ name: 'text', codec: characterStrings }],
} satisfies RecordType;
