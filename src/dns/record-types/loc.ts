import { rrType } from '../codes.ts';
import { location } from '../field-codecs/location.ts';
import type { RecordType } from '../record-type.ts';

export const loc = {
  number: rrType.LOC,
  mnemonic: 'LOC',
  reference: 'RFC 1876 section 2',
  help: 'The geographical location of a host.',
  example: '42 21 54.000 N 71 6 18.000 W -24.00m 30m 10000m 10m',
  fields: [{ name: 'location', codec: location }],
} satisfies RecordType;
