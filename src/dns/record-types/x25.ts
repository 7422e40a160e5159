import { rrType } from '../codes.ts';
import { characterString } from '../field-codecs/character-string.ts';
import type { RecordType } from '../record-type.ts';

export const x25 = {
  number: rrType.X25,
  mnemonic: 'X25',
  reference: 'RFC 1183 section 3.1',
  help: 'An address in the public switched data network.',
  example: '"311061700956"',
  fields: [{ name: 'psdn-address', codec: characterString }],
} satisfies RecordType;
