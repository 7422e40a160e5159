/** Sets of record types: as mnemonics in text, as windows of bits on the wire (RFC 4034 section 4.1.2). */
import type { ByteReader } from '../../base/byte-reader.ts';
import { clip } from '../clip.ts';
import type { FieldCodec } from '../field-codec.ts';
import { encodeTypeBitmap, WINDOW_OCTETS } from '../type-bitmap-octets.ts';
import { formatRecordType, isDataType, parseRecordType } from '../type-mnemonic.ts';

/** Extends to the end of the data; may be empty. */
export const typeBitmap: FieldCodec = {
  kind: 'type bitmap',
  expects: 'record types such as A MX TYPE65280',
  parse(tokens, wire) {
    const types: number[] = [];
    for (let token = tokens.next(); token !== undefined; token = tokens.next()) {
      const type = token.kind === 'word' ? parseRecordType(token.text) : undefined;
      if (type === undefined) return `has ${clip(token.text)}, which is not a record type`;
      types.push(type);
    }
    wire.bytes(encodeTypeBitmap(types));
    return undefined;
  },
  check(wire) {
    let last = -1;
    while (wire.remaining > 0) {
      const window = wire.u8();
      const bits = wire.take(wire.u8());
      if (wire.failed) return undefined;
      if (window <= last) return 'has its windows out of order';
      if (bits.length === 0 || bits.length > WINDOW_OCTETS) return `has a window of ${bits.length} octets`;
      if (bits.at(-1) === 0) return 'has a window that ends in a zero octet';
      const stray = typesIn(window, bits).find((type) => !isDataType(type));
      if (stray !== undefined) return `has ${formatRecordType(stray)}, which is not a data type`;
      last = window;
    }
    return undefined;
  },
  format: (wire) => readTypes(wire).map(formatRecordType).join(' '),
};

function readTypes(wire: ByteReader): number[] {
  const types: number[] = [];
  while (wire.remaining > 0) {
    const window = wire.u8();
    types.push(...typesIn(window, wire.take(wire.u8())));
  }
  return types;
}

function typesIn(window: number, bits: Uint8Array): number[] {
  const types: number[] = [];
  for (let bit = 0; bit < bits.length * 8; bit++) {
    if ((bits[bit >>> 3] & (0x80 >>> (bit & 7))) !== 0) types.push(window * 256 + bit);
  }
  return types;
}
