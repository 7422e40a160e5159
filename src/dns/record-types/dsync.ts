import { rrType } from '../codes.ts';
import { domainName } from '../field-codecs/domain-name.ts';
import { uint16 } from '../field-codecs/integer.ts';
import { notificationScheme } from '../field-codecs/mnemonic-integer.ts';
import { recordTypeNumber } from '../field-codecs/record-type-number.ts';
import type { RecordType } from '../record-type.ts';

export const dsync = {
  number: rrType.DSYNC,
  mnemonic: 'DSYNC',
  reference: 'RFC 9859 section 2.1',
  help: 'The place that is told when a domain below has changed its CDS or CSYNC records.',
  example: 'CDS NOTIFY 5359 scanner.example.com.',
  fields: [
    { name: 'type', codec: recordTypeNumber },
    { name: 'scheme', codec: notificationScheme },
    { name: 'port', codec: uint16 },
    { name: 'target', codec: domainName },
  ],
} satisfies RecordType;
