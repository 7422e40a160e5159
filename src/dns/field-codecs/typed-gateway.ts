/** The gateway of an IPSECKEY record and the relay of an AMTRELAY record: a type in the second octet determines its form. */
import type { FieldCodec } from '../field-codec.ts';
import { clip } from '../clip.ts';
import { isNot, missing } from '../field-codec.ts';
import { ipv4Address, ipv6Address } from './address.ts';
import { domainName } from './domain-name.ts';

const TYPE_OFFSET = 1;

/** No gateway: a dot in text, nothing on the wire. */
const noGateway: FieldCodec = {
  kind: 'no gateway',
  expects: 'a single dot, since the type is 0',
  parse(tokens) {
    const token = tokens.next();
    if (token === undefined) return missing(this.expects);
    return token.text === '.' && token.kind === 'word' ? undefined : isNot(this.expects, token.text);
  },
  check: () => undefined,
  format: () => '.',
};

const gatewayByType: readonly FieldCodec[] = [noGateway, ipv4Address, ipv6Address, domainName];

/**
 * @param field the name of the field in messages
 * @param typeBits the bits of the second octet that are the type
 */
function typedGateway(kind: string, field: string, typeBits: number): FieldCodec {
  const find = (octet: number) => gatewayByType.at(octet & typeBits);
  const unknown = (octet: number): string =>
    `has the unknown type ${clip(String(octet & typeBits))}: types are 0 to 3`;
  return {
    kind,
    expects: `according to the ${field} type: . (0), an IPv4 address (1), an IPv6 address (2) or a domain name (3)`,
    parse(tokens, wire) {
      const octet = wire.at(TYPE_OFFSET);
      const codec = find(octet);
      return codec === undefined ? unknown(octet) : codec.parse(tokens, wire);
    },
    check(wire) {
      const octet = wire.bytes[TYPE_OFFSET];
      const codec = find(octet);
      return codec === undefined ? unknown(octet) : codec.check(wire);
    },
    format: (wire) => find(wire.bytes[TYPE_OFFSET])?.format(wire) ?? '',
  };
}

/** RFC 4025 section 2.5. */
export const ipseckeyGateway = typedGateway('IPSECKEY gateway', 'gateway', 0xff);

/** RFC 8777 section 4.2.4. The first bit of the octet is that for discovery. */
export const amtRelay = typedGateway('AMT relay', 'relay', 0x7f);
