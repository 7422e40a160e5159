import { rrType } from '../codes.ts';
import { uint8 } from '../field-codecs/integer.ts';
import { relayType } from '../field-codecs/relay-type.ts';
import { amtRelay } from '../field-codecs/typed-gateway.ts';
import type { RecordType } from '../record-type.ts';

export const amtrelay = {
  number: rrType.AMTRELAY,
  mnemonic: 'AMTRELAY',
  reference: 'RFC 8777 section 4.2',
  help: 'A relay that forwards multicast through tunnels to networks without it.',
  example: '10 0 1 203.0.113.15',
  fields: [
    { name: 'precedence', codec: uint8 },
    { name: 'relay type', codec: relayType },
    { name: 'relay', codec: amtRelay },
  ],
} satisfies RecordType;
