import { rrType } from '../codes.ts';
import { domainNames } from '../field-codecs/domain-name.ts';
import { hostIdentity } from '../field-codecs/host-identity.ts';
import type { RecordType } from '../record-type.ts';

export const hip = {
  number: rrType.HIP,
  mnemonic: 'HIP',
  reference: 'RFC 8005 section 5',
  help: 'The identity of a host in the Host Identity Protocol, and servers through which it is reached.',
  example:
    '2 200100107B1A74DF365639CC39F1D578 AwEAAbdxyhNuSutc5EMzxTs9LBPCIkOFH8cIvM4p9+LrV4e1 rvs.example.com.',
  fields: [
    { name: 'host identity', codec: hostIdentity },
    { name: 'rendezvous servers', codec: domainNames },
  ],
} satisfies RecordType;
