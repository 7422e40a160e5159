/**
 * The canonical forms of RFC 4034 section 6, written a second time for the checker of signed zones: what signs a zone
 * shares nothing with it, so that a mistake in one of them shows. Slow and simple.
 */
import { rrType } from '../dns/codes.ts';
import { formatDomainName, type DomainName } from '../dns/name.ts';

/** The labels of a name from the left, in lower case, without the root. */
export function labelsOf(name: Uint8Array): Buffer[] {
  const labels: Buffer[] = [];
  for (let at = 0; name[at] !== 0; at += 1 + name[at]) {
    labels.push(lower(name.subarray(at + 1, at + 1 + name[at])));
  }
  return labels;
}

export function nameFromLabels(labels: readonly Uint8Array[]): Buffer {
  return Buffer.concat([...labels.flatMap((label) => [Buffer.of(label.length), label]), Buffer.of(0)]);
}

/** The order of section 6.1. */
export function compareNames(a: Uint8Array, b: Uint8Array): number {
  const [left, right] = [labelsOf(a).reverse(), labelsOf(b).reverse()];
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    const order = Buffer.compare(left[at], right[at]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** The form of section 6.2, as changed by RFC 6840 section 5.1: names of these types are in lower case. */
export function canonicalData(type: number, rdata: Uint8Array): Buffer {
  const copy = Buffer.from(rdata);
  const layout = namesIn.get(type);
  if (layout === undefined) return copy;
  let at = layout.fixed;
  // The flags, services and regular expression of NAPTR precede its name.
  for (let texts = layout.texts ?? 0; texts > 0; texts--) at += 1 + copy[at];
  for (let names = layout.names; names > 0; names--) {
    const end = at + nameLength(copy, at);
    lower(copy.subarray(at, end)).copy(copy, at);
    at = end;
  }
  return copy;
}

export function showName(name: Uint8Array): string {
  return formatDomainName(name as DomainName);
}

/** The length of the uncompressed name at `at`. */
export function nameLength(octets: Uint8Array, at: number): number {
  let end = at;
  while (octets[end] !== 0) end += 1 + octets[end];
  return end + 1 - at;
}

/** Converts A to Z. Harmless to the length octets of names, which are below 64. */
function lower(octets: Uint8Array): Buffer {
  return Buffer.from(octets.map((octet) => (octet >= 65 && octet <= 90 ? octet + 32 : octet)));
}

interface NameLayout {
  /** Octets before the first name. */
  readonly fixed: number;
  readonly texts?: number;
  readonly names: number;
}

const namesIn: ReadonlyMap<number, NameLayout> = new Map([
  [rrType.NS, { fixed: 0, names: 1 }],
  [rrType.MD, { fixed: 0, names: 1 }],
  [rrType.MF, { fixed: 0, names: 1 }],
  [rrType.CNAME, { fixed: 0, names: 1 }],
  [rrType.SOA, { fixed: 0, names: 2 }],
  [rrType.MB, { fixed: 0, names: 1 }],
  [rrType.MG, { fixed: 0, names: 1 }],
  [rrType.MR, { fixed: 0, names: 1 }],
  [rrType.PTR, { fixed: 0, names: 1 }],
  [rrType.MINFO, { fixed: 0, names: 2 }],
  [rrType.MX, { fixed: 2, names: 1 }],
  [rrType.RP, { fixed: 0, names: 2 }],
  [rrType.AFSDB, { fixed: 2, names: 1 }],
  [rrType.RT, { fixed: 2, names: 1 }],
  [rrType.SIG, { fixed: 18, names: 1 }],
  [rrType.NXT, { fixed: 0, names: 1 }],
  [rrType.PX, { fixed: 2, names: 2 }],
  [rrType.NAPTR, { fixed: 4, texts: 3, names: 1 }],
  [rrType.KX, { fixed: 2, names: 1 }],
  [rrType.SRV, { fixed: 6, names: 1 }],
  [rrType.DNAME, { fixed: 0, names: 1 }],
]);
