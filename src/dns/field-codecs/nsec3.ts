/** The salt and the hashed owner of NSEC3 (RFC 5155 section 3.2); both have a length octet on the wire. */
import { formatBase32Hex, parseBase32Hex } from '../base64.ts';
import { oneWord } from '../field-codec.ts';
import { formatHex, parseHex } from '../hex.ts';

const MAX_OCTETS = 255;

export const nsec3Salt = oneWord({
  kind: 'NSEC3 salt',
  expects: 'hex digits, or - for no salt',
  parseWord(word, wire) {
    const salt = parseHex(word === '-' ? '' : word);
    if (!salt.ok || salt.value.length > MAX_OCTETS) return false;
    wire.u8(salt.value.length);
    wire.bytes(salt.value);
    return true;
  },
  check(wire) {
    wire.skip(wire.u8());
    return undefined;
  },
  format: (wire) => formatHex(wire.take(wire.u8())) || '-',
});

export const hashedOwner = oneWord({
  kind: 'hashed owner',
  expects: 'a hash in base32hex without padding',
  parseWord(word, wire) {
    const hash = parseBase32Hex(word);
    if (!hash.ok || hash.value.length > MAX_OCTETS) return false;
    wire.u8(hash.value.length);
    wire.bytes(hash.value);
    return true;
  },
  check(wire) {
    const length = wire.u8();
    wire.skip(length);
    return length === 0 ? 'is empty' : undefined;
  },
  format: (wire) => formatBase32Hex(wire.take(wire.u8())),
});
