/** Unsigned decimal integers of one, two or four octets. */
import type { ByteReader } from '../../base/byte-reader.ts';
import type { ByteWriter } from '../../base/byte-writer.ts';
import { oneWord, type FieldCodec } from '../field-codec.ts';
import { parseUnsigned } from '../parse-unsigned.ts';

export interface IntegerCodec extends FieldCodec {
  readonly kind: 'integer';
  readonly octets: 1 | 2 | 4;
}

export const uint8 = integerCodec(1);
export const uint16 = integerCodec(2);
export const uint32 = integerCodec(4);

function integerCodec(octets: 1 | 2 | 4): IntegerCodec {
  const max = 2 ** (8 * octets) - 1;
  return oneWord({
    kind: 'integer',
    octets,
    expects: `an integer from 0 to ${max}`,
    parseWord(word, wire) {
      const value = parseUnsigned(word, max);
      if (value === undefined) return false;
      writeInteger(wire, octets, value);
      return true;
    },
    check(wire) {
      wire.skip(octets);
      return undefined;
    },
    format: (wire) => String(readInteger(wire, octets)),
  } as const);
}

export function writeInteger(wire: ByteWriter, octets: 1 | 2 | 4, value: number): void {
  if (octets === 1) wire.u8(value);
  else if (octets === 2) wire.u16(value);
  else wire.u32(value);
}

export function readInteger(wire: ByteReader, octets: 1 | 2 | 4): number {
  if (octets === 1) return wire.u8();
  return octets === 2 ? wire.u16() : wire.u32();
}
