import { rrType } from '../codes.ts';
import { domainName } from '../field-codecs/domain-name.ts';
import { uint16 } from '../field-codecs/integer.ts';
import type { RecordType } from '../record-type.ts';

export const lp = {
  number: rrType.LP,
  mnemonic: 'LP',
  reference: 'RFC 6742 section 2.4',
  help: 'A name that holds the ILNP locators of the subnetwork of a node.',
  example: '10 l64-subnet1.example.com.',
  fields: [
    { name: 'preference', codec: uint16 },
    { name: 'network', codec: domainName },
  ],
} satisfies RecordType;
