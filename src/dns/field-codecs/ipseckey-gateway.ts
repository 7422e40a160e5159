/**
 * The gateway of an IPSECKEY record. The gateway type, the second octet, determines its form (RFC 4025 section 2.5).
 */
import type { FieldCodec } from '../field-codec.ts';
import { clip } from '../clip.ts';
import { isNot, missing } from '../field-codec.ts';
import { ipv4Address, ipv6Address } from './address.ts';
import { domainName } from './domain-name.ts';

const GATEWAY_TYPE_OFFSET = 1;

/** No gateway: a dot in text, nothing on the wire. */
const noGateway: FieldCodec = {
  kind: 'no gateway',
  expects: 'a single dot, since the gateway type is 0',
  parse(tokens) {
    const token = tokens.next();
    if (token === undefined) return missing(this.expects);
    return token.text === '.' && token.kind === 'word' ? undefined : isNot(this.expects, token.text);
  },
  check: () => undefined,
  format: () => '.',
};

const gatewayByType: readonly FieldCodec[] = [noGateway, ipv4Address, ipv6Address, domainName];

export const ipseckeyGateway: FieldCodec = {
  kind: 'IPSECKEY gateway',
  expects:
    'according to the gateway type: . (0), an IPv4 address (1), an IPv6 address (2) or a domain name (3)',
  parse(tokens, wire) {
    const codec = gatewayByType.at(wire.at(GATEWAY_TYPE_OFFSET));
    return codec === undefined ? unknownType(wire.at(GATEWAY_TYPE_OFFSET)) : codec.parse(tokens, wire);
  },
  check(wire) {
    const codec = gatewayByType.at(wire.bytes[GATEWAY_TYPE_OFFSET]);
    return codec === undefined ? unknownType(wire.bytes[GATEWAY_TYPE_OFFSET]) : codec.check(wire);
  },
  format: (wire) => gatewayByType.at(wire.bytes[GATEWAY_TYPE_OFFSET])?.format(wire) ?? '',
};

function unknownType(type: number): string {
  return `has the unknown type ${clip(String(type))}: types are 0 to 3`;
}
