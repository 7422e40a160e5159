/** Algorithm, host identity tag and public key of a HIP record, whose lengths are all in front (RFC 8005 section 5). */
import type { ByteReader } from '../../base/byte-reader.ts';
import { formatBase64, parseBase64 } from '../base64.ts';
import { isNot, missing, type FieldCodec } from '../field-codec.ts';
import { formatHex, parseHex } from '../hex.ts';
import { parseUnsigned } from '../parse-unsigned.ts';

const MAX_TAG_OCTETS = 0xff;
const MAX_KEY_OCTETS = 0xffff;

export const hostIdentity: FieldCodec = {
  kind: 'host identity',
  expects: 'an algorithm, the host identity tag in hex, and the public key in base64',
  parse(tokens, wire) {
    const [first, second, third] = [tokens.next(), tokens.next(), tokens.next()];
    if (first === undefined || second === undefined || third === undefined) return missing(this.expects);
    const algorithm = parseUnsigned(first.text, 0xff);
    const tag = parseHex(second.text);
    const key = parseBase64(third.text);
    if (algorithm === undefined) return isNot(this.expects, first.text);
    if (!tag.ok || !isLength(tag.value, MAX_TAG_OCTETS)) return isNot(this.expects, second.text);
    if (!key.ok || !isLength(key.value, MAX_KEY_OCTETS)) return isNot(this.expects, third.text);
    wire.u8(tag.value.length);
    wire.u8(algorithm);
    wire.u16(key.value.length);
    wire.bytes(tag.value);
    wire.bytes(key.value);
    return undefined;
  },
  check(wire) {
    const { tag, key } = readIdentity(wire);
    return !wire.failed && (tag.length === 0 || key.length === 0) ? 'has no tag or no public key' : undefined;
  },
  format(wire) {
    const { algorithm, tag, key } = readIdentity(wire);
    return `${algorithm} ${formatHex(tag).toUpperCase()} ${formatBase64(key)}`;
  },
};

function isLength(octets: Uint8Array, most: number): boolean {
  return octets.length > 0 && octets.length <= most;
}

function readIdentity(wire: ByteReader) {
  const tagOctets = wire.u8();
  const algorithm = wire.u8();
  const keyOctets = wire.u16();
  return { algorithm, tag: wire.take(tagOctets), key: wire.take(keyOctets) };
}
