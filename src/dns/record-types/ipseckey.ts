import { ByteReader } from '../../base/byte-reader.ts';
import { rrType } from '../codes.ts';
import { uint8 } from '../field-codecs/integer.ts';
import { ipseckeyGateway } from '../field-codecs/typed-gateway.ts';
import { remainingBase64 } from '../field-codecs/remaining-base64.ts';
import type { RecordType } from '../record-type.ts';

export const ipseckey = {
  number: rrType.IPSECKEY,
  mnemonic: 'IPSECKEY',
  reference: 'RFC 4025 section 2',
  help: 'A public key for IPsec, with the gateway to use.',
  example: '10 1 2 192.0.2.38 AQNRU3mG7TVTO2BkR47usntb102uFJtugbo6BSGvgqt4AQ==',
  fields: [
    { name: 'precedence', codec: uint8 },
    { name: 'gateway type', codec: uint8 },
    { name: 'algorithm', codec: uint8 },
    { name: 'gateway', codec: ipseckeyGateway },
    { name: 'public key', codec: remainingBase64(0) },
  ],
  checkTogether(rdata) {
    const hasKey = gatewayEnd(rdata) < rdata.length;
    if (rdata[2] === 0) return hasKey ? 'algorithm 0 means no key, but there is one' : undefined;
    return hasKey ? undefined : 'the public key is missing: without one the algorithm is 0';
  },
} satisfies RecordType;

/** Offset of the key, after the gateway. */
function gatewayEnd(rdata: Uint8Array): number {
  const wire = new ByteReader(rdata, 3);
  ipseckeyGateway.check(wire);
  return wire.position;
}
