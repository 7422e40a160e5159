/**
 * Names in the data of types without a declaration. Such data is opaque to us (RFC 3597), but RFC 4034 section 6.2 lists
 * these types: validators know them, and verify signatures over data with its names in lower case.
 */
import { rrType } from '../codes.ts';
import { domainNameLength } from '../name.ts';

interface NameLayout {
  /** Octets before the first name. */
  readonly fixed: number;
  readonly names: number;
}

const oneName: NameLayout = { fixed: 0, names: 1 };
const twoNames: NameLayout = { fixed: 0, names: 2 };

/** RFC 1035 section 3.3, RFC 1183 section 3.3, RFC 2163 section 4, RFC 2535 sections 4.1 and 5.2. */
const layouts: ReadonlyMap<number, NameLayout> = new Map([
  [rrType.MD, oneName],
  [rrType.MF, oneName],
  [rrType.MB, oneName],
  [rrType.MG, oneName],
  [rrType.MR, oneName],
  [rrType.MINFO, twoNames],
  [rrType.RT, { fixed: 2, names: 1 }],
  [rrType.SIG, { fixed: 18, names: 1 }],
  [rrType.PX, { fixed: 2, names: 2 }],
  [rrType.NXT, oneName],
]);

/** The octets that an A6 record has of its address, with the length of the prefix before them (RFC 2874 section 3.1). */
function a6Layout(rdata: Uint8Array): NameLayout {
  const prefixBits = rdata.at(0) ?? 0;
  return { fixed: 1 + Math.ceil((128 - prefixBits) / 8), names: prefixBits === 0 ? 0 : 1 };
}

/** Offsets of the names that the canonical form has in lower case; those after malformed data are left out. */
export function undeclaredNameOffsets(type: number, rdata: Uint8Array): readonly number[] {
  const layout = type === rrType.A6 ? a6Layout(rdata) : layouts.get(type);
  if (layout === undefined) return none;
  const offsets: number[] = [];
  let at = layout.fixed;
  for (let names = layout.names; names > 0; names--) {
    const length = domainNameLength(rdata, at, rdata.length);
    if (length < 0) return offsets;
    offsets.push(at);
    at += length;
  }
  return offsets;
}

const none: readonly number[] = [];
