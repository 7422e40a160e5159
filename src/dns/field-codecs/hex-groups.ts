/** Fixed-size identifiers written as groups of hex digits: EUI-48 and EUI-64 addresses, node identifiers and locators. */
import { oneWord } from '../field-codec.ts';
import { formatHex, parseHex } from '../hex.ts';

/** RFC 7043 section 3.2. */
export const eui48Address = hexGroups(6, 1, '-', 'an EUI-48 address such as 00-00-5e-00-53-2a');
/** RFC 7043 section 4.2. */
export const eui64Address = hexGroups(8, 1, '-', 'an EUI-64 address such as 00-00-5e-ef-10-00-00-2a');
/** RFC 6742 sections 2.1 and 2.3: the upper or lower half of an IPv6 address, without `::`. */
export const halfIpv6Address = hexGroups(8, 2, ':', 'four groups of hex digits such as 2001:db8:1140:1000');

function hexGroups(octets: number, octetsInGroup: 1 | 2, separator: string, expects: string) {
  const groups = octets / octetsInGroup;
  return oneWord({
    kind: 'hex groups',
    groups,
    digitsInGroup: 2 * octetsInGroup,
    separator,
    expects,
    parseWord(word, wire) {
      const parts = word.split(separator, groups + 1);
      if (parts.length !== groups) return false;
      for (const part of parts) {
        // Two-octet groups may omit leading zeros, as in IPv6 addresses.
        const fits = octetsInGroup === 1 ? part.length === 2 : part.length >= 1 && part.length <= 4;
        const group = parseHex(part.padStart(2 * octetsInGroup, '0'));
        if (!fits || !group.ok) return false;
        wire.bytes(group.value);
      }
      return true;
    },
    check(wire) {
      wire.skip(octets);
      return undefined;
    },
    format(wire) {
      return Array.from({ length: groups }, () => formatHex(wire.take(octetsInGroup))).join(separator);
    },
  });
}
