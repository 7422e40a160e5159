/** The comma-separated list with escapes of RFC 9460 appendix A.1, used for ALPN ids. */
import { ByteWriter } from '../../base/byte-writer.ts';
import { malformed, parsed, type Parsed } from '../../base/parsed.ts';

const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const MAX_ID_OCTETS = 255;

/** ALPN ids: comma-separated in text, each with a length octet on the wire (RFC 9460 section 7.1.1). */
export const alpnIds = {
  parse(spelling: Uint8Array): Parsed<Uint8Array> {
    const ids = splitValueList(spelling);
    if (ids === undefined) return malformed('has a backslash that escapes neither a comma nor a backslash');
    const wire = new ByteWriter();
    for (const id of ids) {
      if (id.length === 0) return malformed('has an empty id');
      if (id.length > MAX_ID_OCTETS)
        return malformed(`has an id of ${id.length} octets, the limit is ${MAX_ID_OCTETS}`);
      wire.u8(id.length);
      for (const octet of id) wire.u8(octet);
    }
    return parsed(wire.finish());
  },
  format(value: Uint8Array): Uint8Array {
    const spelling: number[] = [];
    for (let at = 0; at < value.length; at += 1 + value[at]) {
      if (at > 0) spelling.push(COMMA);
      for (const octet of value.subarray(at + 1, at + 1 + value[at])) {
        if (octet === COMMA || octet === BACKSLASH) spelling.push(BACKSLASH);
        spelling.push(octet);
      }
    }
    return Uint8Array.from(spelling);
  },
  check(value: Uint8Array): string | undefined {
    if (value.length === 0) return 'has no value';
    let at = 0;
    while (at < value.length) {
      if (value[at] === 0) return 'has an empty id';
      at += 1 + value[at];
    }
    return at === value.length ? undefined : 'has an incomplete id';
  },
};

/** Splits the list into items with decoded escapes; returns undefined if an escape is invalid. */
function splitValueList(spelling: Uint8Array): number[][] | undefined {
  const items: number[][] = [];
  let item: number[] = [];
  for (let at = 0; at < spelling.length; at++) {
    let octet = spelling[at];
    if (octet === COMMA) {
      items.push(item);
      item = [];
      continue;
    }
    if (octet === BACKSLASH) {
      octet = spelling[++at];
      if (octet !== COMMA && octet !== BACKSLASH) return undefined;
    }
    item.push(octet);
  }
  items.push(item);
  return items;
}
