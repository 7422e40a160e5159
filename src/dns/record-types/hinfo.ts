import { rrType } from '../codes.ts';
import { characterString } from '../field-codecs/character-string.ts';
import type { RecordType } from '../record-type.ts';

export const hinfo = {
  number: rrType.HINFO,
  mnemonic: 'HINFO',
  reference: 'RFC 1035 section 3.3.2',
  help: 'The CPU and operating system of a host; also used to refuse ANY queries (RFC 8482).',
  example: '"RFC8482" ""',
  fields: [
    { name: 'cpu', codec: characterString },
    { name: 'os', codec: characterString },
  ],
} satisfies RecordType;
