/** One octet of an AMTRELAY record: whether discovery is optional, and the type of the relay (RFC 8777 section 4.2). */
import { isNot, missing, type FieldCodec } from '../field-codec.ts';
import { parseUnsigned } from '../parse-unsigned.ts';

const DISCOVERY_OPTIONAL = 0x80;
const MAX_TYPE = 0x7f;

export const relayType: FieldCodec = {
  kind: 'discovery and relay type',
  expects: '0 or 1 for optional discovery, then the relay type',
  parse(tokens, wire) {
    let octet = 0;
    for (const [max, bit] of [
      [1, DISCOVERY_OPTIONAL],
      [MAX_TYPE, 1],
    ]) {
      const token = tokens.next();
      if (token === undefined) return missing(this.expects);
      const value = token.kind === 'word' ? parseUnsigned(token.text, max) : undefined;
      if (value === undefined) return isNot(this.expects, token.text);
      octet += value * bit;
    }
    wire.u8(octet);
    return undefined;
  },
  check(wire) {
    wire.skip(1);
    return undefined;
  },
  format(wire) {
    const octet = wire.u8();
    return `${octet & DISCOVERY_OPTIONAL ? 1 : 0} ${octet & MAX_TYPE}`;
  },
};
