/** A signed zone as tests think of it: maps and sorted arrays, to be compared with what readers of its image see. */

import { imageApexLength, imageApexStart } from './zone-image.ts';
import { createHash } from 'node:crypto';
import { rrType } from '../dns/codes.ts';
import { parseDomainName, type DomainName } from '../dns/name.ts';
import { ownerStatus } from '../dns/proven-types.ts';
import type { StoredSignature } from '../dns/stored-signature.ts';
import type { RecordSet } from './encode-record-set.ts';
import type { OwnerSets } from './image-builder.ts';
import { nodeNameLength, nodeNameOffset, nodeSetCount, nodeSetType } from './image-node.ts';
import { NO_IMAGE, type NodeIndex, type SignatureIndex } from './image-offsets.ts';
import { NameScan } from './name-scan.ts';
import {
  chainNode,
  firstSignature,
  hashedAtOrBefore,
  hashStart,
  nextInChain,
  nextSignature,
  signatureAlgorithm,
  signatureExpiration,
  signatureInception,
  signatureKeyTag,
  signatureLength,
  signatureStart,
  signatureType,
} from './signed-view.ts';
import { findZone } from './zone-directory.ts';
import type { ZoneMemory } from './zone-memory.ts';
import { findNode, ZoneView } from './zone-view.ts';

export const apex = name('example');

export const soa = { serial: 1, rdata: new Uint8Array(22), ttl: 3600, negativeTtl: 300 };

export function name(text: string): DomainName {
  const result = parseDomainName(text);
  if (!result.ok) throw new Error(result.problem);
  return result.value;
}

/** An address, whose last octet tells states of a name apart. */
export function address(last: number): RecordSet {
  return { type: rrType.A, ttl: 60, rdatas: [Uint8Array.of(192, 0, 2, last & 255)] };
}

/** A signature whose octets tell it apart from others. */
export function signature(type: number, seed: number, key = 1): StoredSignature {
  const octets = createHash('sha512').update(`${type} ${seed} ${key}`).digest();
  const inception = 1_700_000_000 + (seed >> 4);
  return {
    type,
    keyTag: key * 1000,
    algorithm: 13,
    inception,
    expiration: inception + 1_814_400,
    signature: new Uint8Array(octets),
  };
}

export function hashOf(owner: Uint8Array): Uint8Array {
  return new Uint8Array(createHash('sha1').update(owner).digest());
}

/** An owner with an address, in the NSEC chain unless it is occluded. */
export function nsecOwner(
  owner: DomainName,
  seed: number,
  status: 0 | 1 | 2 = ownerStatus.AUTHORITATIVE,
): OwnerSets {
  const signatures =
    status === ownerStatus.OCCLUDED ? [] : [signature(rrType.A, seed), signature(rrType.NSEC, seed)];
  return { owner, sets: [address(seed)], signing: { status, signatures } };
}

/** An owner with an address, or an empty non-terminal, in the NSEC3 chain. */
export function nsec3Owner(owner: DomainName, seed: number, isEmpty = false): OwnerSets {
  const signatures = [signature(rrType.NSEC3, seed)];
  if (!isEmpty) signatures.unshift(signature(rrType.A, seed));
  const signing = { status: ownerStatus.AUTHORITATIVE, signatures, hash: hashOf(owner) };
  return { owner, sets: isEmpty ? [] : [address(seed)], signing };
}

/** The labels of a name from the root down, without the root. */
function labelsOf(owner: Uint8Array): Buffer[] {
  const labels: Buffer[] = [];
  for (let at = 0; owner[at] !== 0; at += owner[at] + 1)
    labels.unshift(Buffer.from(owner.subarray(at + 1, at + 1 + owner[at])));
  return labels;
}

/** The canonical order of lower-case names (RFC 4034 section 6.1). */
export function compareCanonically(one: Uint8Array, other: Uint8Array): number {
  const first = labelsOf(one);
  const second = labelsOf(other);
  for (let i = 0; i < Math.min(first.length, second.length); i++) {
    const order = Buffer.compare(first[i], second[i]);
    if (order !== 0) return order;
  }
  return first.length - second.length;
}

/** The newest version of the zone `example`. */
export function viewOf(zones: ZoneMemory): ZoneView {
  const scan = new NameScan(zones.space.seed);
  scan.scan(apex, 0, apex.length);
  const found = { image: NO_IMAGE, apexLabel: 0 };
  findZone(zones.space, scan, 0, found);
  const view = new ZoneView(zones.space);
  view.open(found.image);
  return view;
}

export function scanOf(view: { seed: number }, owner: Uint8Array): NameScan {
  const scan = new NameScan(view.seed);
  scan.scan(owner, 0, owner.length);
  return scan;
}

export function nodeName({ words, bytes, image }: ZoneView, node: NodeIndex): string {
  const start = image + nodeNameOffset(words, node);
  const labels = bytes.slice(start, start + nodeNameLength(words, node));
  const apexStart = imageApexStart(image);
  const apex = bytes.slice(apexStart, apexStart + imageApexLength(words, image));
  return Buffer.concat([labels, apex]).toString('latin1');
}

/** All signatures of a node in the order of the image. */
export function signaturesOf(
  view: ZoneView,
  node: NodeIndex,
  first: SignatureIndex = firstSignature(view, node),
): StoredSignature[] {
  const signatures: StoredSignature[] = [];
  for (let at = first; at !== 0; at = nextSignature(view, at)) {
    const start = signatureStart(view, at);
    signatures.push({
      type: signatureType(view, at),
      keyTag: signatureKeyTag(view, at),
      algorithm: signatureAlgorithm(view, at),
      inception: signatureInception(view, at),
      expiration: signatureExpiration(view, at),
      signature: view.bytes.slice(start, start + signatureLength(view, at)),
    });
  }
  return signatures;
}

/** The names of the chain, from the apex, or from the first hash, back to it. */
export function walkChain(view: ZoneView, seed: number): string[] {
  const start = view.usesNsec3()
    ? nextInChain(view, hashedAtOrBefore(view, new Uint8Array(20).fill(255)))
    : chainNode(view, scanOf({ seed }, apex), 0);
  const names: string[] = [];
  if (start === 0) return names;
  let node: NodeIndex = start;
  do {
    names.push(nodeName(view, node));
    node = nextInChain(view, node);
  } while (node !== start && node !== 0 && names.length < 100_000);
  return names;
}

/** All that a reader sees of a name. */
export function seenOf(view: ZoneView, seed: number, owner: Uint8Array): unknown {
  const node = findNode(view, scanOf({ seed }, owner), 0);
  if (node === 0) return 'absent';
  const types = Array.from({ length: nodeSetCount(view.words, node) }, (_, i) =>
    nodeSetType(view.words, node, i),
  );
  const hashAt = hashStart(view, node);
  const hash = hashAt === 0 ? undefined : view.bytes.slice(hashAt, hashAt + 20);
  return { types, signatures: signaturesOf(view, node), hash };
}
