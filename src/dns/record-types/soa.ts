import { rrType } from '../codes.ts';
import { domainName } from '../field-codecs/domain-name.ts';
import { uint32 } from '../field-codecs/integer.ts';
import type { RecordType } from '../record-type.ts';

export const soa = {
  number: rrType.SOA,
  mnemonic: 'SOA',
  reference: 'RFC 1035 section 3.3.13',
  help: 'The start of authority of the zone: primary nameserver, mailbox, serial and timers.',
  example: 'ns1.example.net. hostmaster.example.com. 2026112001 7200 900 1209600 300',
  fields: [
    { name: 'primary', codec: domainName, compressed: true, lowerCased: true },
    { name: 'mailbox', codec: domainName, compressed: true, lowerCased: true },
    { name: 'serial', codec: uint32 },
    { name: 'refresh', codec: uint32 },
    { name: 'retry', codec: uint32 },
    { name: 'expire', codec: uint32 },
    { name: 'minimum', codec: uint32 },
  ],
  serviceOwned: true,
} satisfies RecordType;
