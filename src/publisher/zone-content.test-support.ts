/** The content of a zone in the zone space as text that tests can compare: names, flags, children, record sets, SOA. */

import { parseDomainName } from '../dns/name.ts';
import {
  isAbsent,
  isChained,
  nodeAt,
  nodeChildren,
  nodeFlag,
  nodeFlags,
  nodeNameLength,
  nodeNameOffset,
  nodeSetCount,
  nodeSetOffset,
} from '../zone/image-node.ts';
import {
  NO_IMAGE,
  type NodeIndex,
  type SetOffset,
  type SignatureIndex,
  type SlotIndex,
} from '../zone/image-offsets.ts';
import { SLOT_WORDS, slotNewest, tableEnd } from '../zone/image-table.ts';
import { NameScan } from '../zone/name-scan.ts';
import {
  fixupAt,
  rrsetFixupCount,
  rrsetFixupStart,
  rrsetRecordCount,
  rrsetType,
  rrsetWireLength,
  rrsetWireStart,
} from '../zone/record-set-block.ts';
import {
  findSoaSignature,
  firstSignature,
  nextInChain,
  nextSignature,
  signatureKeyTag,
  signatureLength,
  signatureStart,
  signatureType,
} from '../zone/signed-view.ts';
import { findZone, NOT_LOADED } from '../zone/zone-directory.ts';
import { imageApexLength, imageApexStart, imageDomainId, imageTable } from '../zone/zone-image.ts';
import { openZoneSpace } from '../zone/zone-space.ts';
import { ZoneView } from '../zone/zone-view.ts';

/** The zone's content as sorted lines, or why there is none. */
export function zoneContent(
  memory: SharedArrayBuffer,
  name: string,
): readonly string[] | 'not loaded' | 'not hosted' {
  const space = openZoneSpace(memory);
  const apex = parseDomainName(name);
  if (!apex.ok) throw new Error(apex.problem);
  const scan = new NameScan(space.seed);
  scan.scan(apex.value, 0, apex.value.length);
  const found = { image: NO_IMAGE, apexLabel: 0 };
  findZone(space, scan, 0, found);
  if (found.image === 0) return 'not hosted';
  if (found.image === NOT_LOADED) return 'not loaded';
  const view = new ZoneView(space);
  view.open(found.image);
  return imageContent(view);
}

function imageContent(view: ZoneView): readonly string[] {
  const { words, image } = view;
  const soaSignatures = signaturesText(view, findSoaSignature(view));
  const lines = [`${imageDomainId(words, image)} ${recordSetText(view, view.soaSet())}${soaSignatures}`];
  const end = tableEnd(view);
  for (let slot = imageTable(words, image); slot < end; slot = (slot + SLOT_WORDS) as SlotIndex) {
    const newest = slotNewest(words, slot);
    const node = nodeAt(image, newest);
    if (newest === 0 || isAbsent(words, node)) continue;
    const owner = nameText(view, node);
    const sets = Array.from({ length: nodeSetCount(words, node) }, (_, i) =>
      recordSetText(view, (image + nodeSetOffset(words, node, i)) as SetOffset),
    );
    // The hint stays set after the wildcard is removed.
    const flags = nodeFlags(words, node) & ~nodeFlag.wildcardChild;
    const next = isChained(words, node) ? ` before ${nameText(view, nextInChain(view, node))}` : '';
    const signatures = signaturesText(view, firstSignature(view, node));
    lines.push(
      `${owner} ${[flags, nodeChildren(words, node), ...sets.sort()].join(' ')}${signatures}${next}`,
    );
  }
  return lines.sort();
}

function nameText({ words, bytes, image }: ZoneView, node: NodeIndex): string {
  const start = image + nodeNameOffset(words, node);
  const labels = bytes.slice(start, start + nodeNameLength(words, node));
  const apexStart = imageApexStart(image);
  const apex = bytes.slice(apexStart, apexStart + imageApexLength(words, image));
  return Buffer.concat([labels, apex]).toString('latin1');
}

/** Types, keys and octets of the signatures, in an order that does not depend on that of the rows. */
function signaturesText(view: ZoneView, first: SignatureIndex): string {
  const texts: string[] = [];
  for (let at = first; at !== 0; at = nextSignature(view, at)) {
    const start = signatureStart(view, at);
    const octets = Buffer.from(view.bytes.slice(start, start + signatureLength(view, at)));
    texts.push(` ${signatureType(view, at)}/${signatureKeyTag(view, at)}/${octets.toString('base64')}`);
  }
  return texts.sort().join('');
}

function recordSetText({ words, bytes }: ZoneView, set: SetOffset): string {
  const start = rrsetWireStart(set);
  const wire = Buffer.from(bytes.slice(start, start + rrsetWireLength(words, set)));
  // The octets of a pointer that every answer fills in are undefined in the image.
  const fixups = rrsetFixupStart(words, set);
  for (let i = 0; i < rrsetFixupCount(words, set); i++) wire.writeUint16BE(0, fixupAt(bytes, fixups, i));
  return `${rrsetType(words, set)} ${rrsetRecordCount(words, set)} ${wire.toString('base64')}`;
}
