import { rrType } from '../codes.ts';
import { remainingText } from '../field-codecs/character-string.ts';
import { uint16 } from '../field-codecs/integer.ts';
import type { RecordType } from '../record-type.ts';

const TARGET_OFFSET = 4;

export const uri = {
  number: rrType.URI,
  mnemonic: 'URI',
  reference: 'RFC 7553 section 4',
  help: 'The URI of a service.',
  example: '10 1 "ftp://ftp1.example.com/public"',
  fields: [
    { name: 'priority', codec: uint16 },
    { name: 'weight', codec: uint16 },
    { name: 'target', codec: remainingText },
  ],
  checkTogether: (rdata) => (rdata.length === TARGET_OFFSET ? 'the target is empty' : undefined),
} satisfies RecordType;
