import { rrType } from '../codes.ts';
import { domainName } from '../field-codecs/domain-name.ts';
import { uint16 } from '../field-codecs/integer.ts';
import { checkServiceMode, svcParams } from '../field-codecs/svc-params.ts';
import type { RecordType } from '../record-type.ts';

export const svcb = {
  number: rrType.SVCB,
  mnemonic: 'SVCB',
  reference: 'RFC 9460 section 2',
  help: 'Connection parameters of a service: alias, protocols, port and address hints.',
  example: '16 foo.example.org. alpn=h2,h3-19 port=53',
  fields: [
    { name: 'priority', codec: uint16 },
    { name: 'target', codec: domainName },
    { name: 'parameters', codec: svcParams },
  ],
  additional: 'target',
  checkTogether: checkServiceMode,
} satisfies RecordType;
