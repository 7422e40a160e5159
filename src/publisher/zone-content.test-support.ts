/** What a zone space holds of a zone, as text that can be compared: names, flags, children, record sets, SOA. */

import { parseDomainName } from '../dns/name.ts';
import { NameScan } from '../zone/name-scan.ts';
import { SET_HEADER_BYTES, setBlock } from '../zone/record-set-block.ts';
import { findZone, NOT_LOADED } from '../zone/zone-directory.ts';
import {
  header,
  node,
  nodeFlag,
  nodeNameLength,
  nodeSetCount,
  soaState,
  TABLE_SLOT_WORDS,
} from '../zone/zone-image.ts';
import { openZoneSpace } from '../zone/zone-space.ts';

/** Lines in order; a word where there is no image. */
export function zoneContent(memory: SharedArrayBuffer, name: string): readonly string[] | 'cold' | 'foreign' {
  const space = openZoneSpace(memory);
  const apex = parseDomainName(name);
  if (!apex.ok) throw new Error(apex.problem);
  const scan = new NameScan(space.seed);
  scan.scan(apex.value, 0, apex.value.length);
  const found = { image: 0, apexLabel: 0 };
  findZone(space, scan, 0, found);
  if (found.image === 0) return 'foreign';
  return found.image === NOT_LOADED ? 'cold' : imageContent(space.words, space.bytes, found.image);
}

function imageContent(words: Int32Array, bytes: Uint8Array, image: number): readonly string[] {
  const base = image >> 2;
  const setText = (offset: number): string => recordSetText(words, bytes, image + offset);
  const soa = (image + words[base + header.soa]) >> 2;
  const lines = [`${words[base + header.domainId]} ${setText(words[soa + soaState.set])}`];
  const table = (image + words[base + header.table]) >> 2;
  for (let i = 0; i <= words[base + header.tableMask]; i++) {
    const offset = words[table + i * TABLE_SLOT_WORDS + 1];
    const entry = (image + offset) >> 2;
    const flags = words[entry + node.flags];
    if (offset === 0 || (flags & nodeFlag.absent) !== 0) continue;
    const nameAt = image + words[entry + node.name];
    const owner = Buffer.from(bytes.slice(nameAt, nameAt + nodeNameLength(words, entry))).toString('latin1');
    const sets = Array.from({ length: nodeSetCount(words, entry) }, (_, i) =>
      setText(words[entry + node.sets + i * 2 + 1]),
    );
    // A hint may have outlived what it was for.
    const shown = [flags & ~nodeFlag.wildcardChild, words[entry + node.children], ...sets.sort()];
    lines.push(`${owner} ${shown.join(' ')}`);
  }
  return lines.sort();
}

function recordSetText(words: Int32Array, bytes: Uint8Array, at: number): string {
  const set = words.subarray(at >> 2);
  const wireLength = set[setBlock.wireAndFixups] & 0xffff;
  const wire = Buffer.from(bytes.slice(at + SET_HEADER_BYTES, at + SET_HEADER_BYTES + wireLength));
  const fixups = at + SET_HEADER_BYTES + ((wireLength + 3) & ~3);
  // What stands where every answer fills in a pointer means nothing.
  for (let i = 0; i < set[setBlock.wireAndFixups] >>> 16; i++)
    wire.writeUint16BE(0, bytes[fixups + i * 2] | (bytes[fixups + i * 2 + 1] << 8));
  return `${set[setBlock.typeAndCount]} ${wire.toString('base64')}`;
}
