import { rrType } from '../codes.ts';
import { domainName } from '../field-codecs/domain-name.ts';
import { uint16 } from '../field-codecs/integer.ts';
import { checkServiceMode, svcParams } from '../field-codecs/svc-params.ts';
import type { RecordType } from '../record-type.ts';

export const https = {
  number: rrType.HTTPS,
  mnemonic: 'HTTPS',
  reference: 'RFC 9460 section 9',
  help: 'Connection parameters of a website: alias, protocols, port and address hints.',
  example: '1 . alpn=h2,h3 ipv4hint=192.0.2.1',
  fields: [
    { name: 'priority', codec: uint16 },
    { name: 'target', codec: domainName },
    { name: 'parameters', codec: svcParams },
  ],
  additional: 'target',
  checkTogether: checkServiceMode,
} satisfies RecordType;
