/** The protocol octet of DNSKEY and CDNSKEY, which is always 3 (RFC 4034 section 2.1.2). */
import { oneWord } from '../field-codec.ts';

const DNSSEC_PROTOCOL = 3;

export const dnssecProtocol = oneWord({
  kind: 'DNSSEC protocol',
  expects: `the number ${DNSSEC_PROTOCOL}`,
  parseWord(word, wire) {
    wire.u8(DNSSEC_PROTOCOL);
    return word === String(DNSSEC_PROTOCOL);
  },
  check(wire) {
    const protocol = wire.u8();
    return protocol === DNSSEC_PROTOCOL ? undefined : `is not ${DNSSEC_PROTOCOL}: ${protocol}`;
  },
  format: (wire) => String(wire.u8()),
});
