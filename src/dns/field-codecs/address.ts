/** IPv4 and IPv6 addresses as fields. */
import type { Parsed } from '../../base/parsed.ts';
import { oneWord } from '../field-codec.ts';
import { formatIpv4, formatIpv6, parseIpv4, parseIpv6 } from '../ip-address.ts';

export const ipv4Address = addressCodec(
  'ipv4',
  4,
  'an IPv4 address such as 192.0.2.1',
  parseIpv4,
  formatIpv4,
);
export const ipv6Address = addressCodec(
  'ipv6',
  16,
  'an IPv6 address such as 2001:db8::1',
  parseIpv6,
  formatIpv6,
);

function addressCodec(
  kind: 'ipv4' | 'ipv6',
  octets: number,
  expects: string,
  parse: (text: string) => Parsed<Uint8Array>,
  format: (address: Uint8Array) => string,
) {
  return oneWord({
    kind,
    expects,
    parseWord(word, wire) {
      const address = parse(word);
      if (address.ok) wire.bytes(address.value);
      return address.ok;
    },
    check(wire) {
      wire.skip(octets);
      return undefined;
    },
    format: (wire) => format(wire.take(octets)),
  });
}
