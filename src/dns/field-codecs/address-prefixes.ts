/** The items of an APL record, any number of `[!]family:address/prefix` (RFC 3123 sections 4 and 5). */
import type { ByteReader } from '../../base/byte-reader.ts';
import type { ByteWriter } from '../../base/byte-writer.ts';
import { isNot, type FieldCodec } from '../field-codec.ts';
import { formatIpv4, formatIpv6, parseIpv4, parseIpv6 } from '../ip-address.ts';
import { parseUnsigned } from '../parse-unsigned.ts';

/** IANA address families. */
const families = new Map([
  [1, { octets: 4, parse: parseIpv4, format: formatIpv4 }],
  [2, { octets: 16, parse: parseIpv6, format: formatIpv6 }],
]);

const NEGATION = 0x80;

export const addressPrefixes: FieldCodec = {
  kind: 'address prefixes',
  expects: 'address prefixes such as 1:192.0.2.0/24 !2:2001:db8::/32',
  parse(tokens, wire) {
    for (let token = tokens.next(); token !== undefined; token = tokens.next()) {
      if (token.kind === 'quoted' || !writeItem(token.text, wire)) return isNot(this.expects, token.text);
    }
    return undefined;
  },
  check(wire) {
    while (wire.remaining > 0) {
      const problem = checkItem(wire);
      if (problem !== undefined) return problem;
    }
    return undefined;
  },
  format(wire) {
    const items: string[] = [];
    while (wire.remaining > 0) items.push(formatItem(wire));
    return items.join(' ');
  },
};

function writeItem(text: string, wire: ByteWriter): boolean {
  const negated = text.startsWith('!');
  const colon = text.indexOf(':');
  const slash = text.lastIndexOf('/');
  if (colon < 0 || slash < colon) return false;
  const number = parseUnsigned(text.slice(negated ? 1 : 0, colon), 0xffff);
  const family = number === undefined ? undefined : families.get(number);
  if (number === undefined || family === undefined) return false;
  const address = family.parse(text.slice(colon + 1, slash));
  const prefix = parseUnsigned(text.slice(slash + 1), family.octets * 8);
  if (!address.ok || prefix === undefined) return false;
  const octets = address.value.findLastIndex((octet) => octet !== 0) + 1; // trailing zeros are omitted, so the encoding is unique
  wire.u16(number);
  wire.u8(prefix);
  wire.u8((negated ? NEGATION : 0) | octets);
  wire.bytes(address.value.subarray(0, octets));
  return true;
}

function checkItem(wire: ByteReader): string | undefined {
  const number = wire.u16();
  const prefix = wire.u8();
  const address = wire.take(wire.u8() & ~NEGATION);
  if (wire.failed) return undefined;
  const family = families.get(number);
  if (family === undefined) return `have the address family ${number}, only 1 (IPv4) and 2 (IPv6) are known`;
  if (prefix > family.octets * 8) return `have a prefix of ${prefix} bits, the limit is ${family.octets * 8}`;
  if (address.length > family.octets) return `have an address of ${address.length} octets`;
  return address.at(-1) === 0 ? 'have an address that ends in a zero octet' : undefined;
}

function formatItem(wire: ByteReader): string {
  const number = wire.u16();
  const prefix = wire.u8();
  const flagAndLength = wire.u8();
  const octets = wire.take(flagAndLength & ~NEGATION);
  const family = families.get(number);
  if (family === undefined) return '';
  const address = new Uint8Array(family.octets);
  address.set(octets);
  return `${flagAndLength & NEGATION ? '!' : ''}${number}:${family.format(address)}/${prefix}`;
}
