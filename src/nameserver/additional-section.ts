/**
 * The additional section: addresses of the hosts that a record set names (NS, MX, SRV …), each once in an answer. What
 * does not fit is left out; only glue that a resolver cannot go on without makes the answer a truncated one.
 */

import { rrType } from '../dns/codes.ts';
import { NameScan } from '../zone/name-scan.ts';
import { setBlock, TARGET_HEADER_BYTES } from '../zone/record-set-block.ts';
import { findNode, findSet, hint, node, nodeFlag } from '../zone/zone-image.ts';
import type { ZoneSpace } from '../zone/zone-space.ts';
import type { Response } from './response.ts';

/** With the records that lead there, 36 names fill 1232 octets; over TCP there may be some more. */
const MAX_NAMES = 64;
/** In place of a delegation's labels. */
const NO_CUT = 0;

export class AdditionalSection {
  private readonly words: Int32Array;
  private readonly bytes: Uint8Array;
  private readonly response: Response;
  /** The host whose addresses are looked for. */
  private readonly host: NameScan;
  private readonly added = new Int32Array(MAX_NAMES);
  private addedCount = 0;
  private image = 0;
  private version = 0;
  private hints = 0;
  private apexAt = 0;
  private apexLabels = 0;

  constructor(space: ZoneSpace, response: Response) {
    this.words = space.words;
    this.bytes = space.bytes;
    this.response = response;
    this.host = new NameScan(space.seed);
  }

  /** A new answer, from one version of a zone, whose apex stands in the message at `apexAt`. */
  begin(image: number, version: number, hints: number, apexAt: number, apexLabels: number): void {
    this.image = image;
    this.version = version;
    this.hints = hints;
    this.apexAt = apexAt;
    this.apexLabels = apexLabels;
    this.addedCount = 0;
  }

  /** Adds the addresses of the hosts that the set written last names; glue isn't the zone's to give. */
  add(set: number): void {
    this.addHosts(set, NO_CUT, 0);
  }

  /**
   * Adds the addresses, glue too, of the nameservers in the NS set written last. Those below the cut are needed to go
   * on: the answer is truncated when they don't fit (RFC 9471 section 3.1).
   *
   * @param cutLabels labels of the delegation's name, and its hash
   */
  addGlue(set: number, cutLabels: number, cutHash: number): void {
    this.addHosts(set, cutLabels, cutHash);
  }

  private addHosts(set: number, cutLabels: number, cutHash: number): void {
    const { words, bytes, response, host } = this;
    const count = words[(set >> 2) + setBlock.targets];
    const setAt = response.lastSetAt;
    let at = set + words[(set >> 2) + setBlock.targetsAt];
    for (let i = 0; i < count && this.addedCount < MAX_NAMES; i++) {
      const word = words[at >> 2];
      const length = word & 0xff;
      const name = at + TARGET_HEADER_BYTES;
      host.scan(bytes, name, name + length);
      const entry = this.findHost(cutLabels !== NO_CUT);
      const hostAt = host.labels === this.apexLabels ? this.apexAt : setAt + (word >>> 8);
      if (entry !== 0 && !this.addAddresses(entry, hostAt) && this.isBelow(cutLabels, cutHash)) {
        response.truncate();
        return;
      }
      at = name + ((length + 3) & ~3);
    }
  }

  /** The host's node, or 0; also 0 when what is there is glue and glue isn't asked for. */
  private findHost(glueToo: boolean): number {
    const { words, bytes, image, version, host } = this;
    const found = findNode(words, bytes, image, version, host, 0);
    if (found === 0 || glueToo || (this.hints & hint.cuts) === 0) return found;
    for (let label = host.labels - this.apexLabels - 1; label >= 0; label--) {
      const entry = findNode(words, bytes, image, version, host, label);
      if (entry === 0) continue;
      const flags = words[entry + node.flags];
      if ((flags & nodeFlag.cut) !== 0 || ((flags & nodeFlag.dname) !== 0 && label > 0)) return 0;
    }
    return found;
  }

  /** @returns false when there was no room for all of them */
  private addAddresses(entry: number, hostAt: number): boolean {
    const { words, image } = this;
    for (let i = 0; i < this.addedCount; i++) if (this.added[i] === entry) return true;
    this.added[this.addedCount++] = entry;
    const a = findSet(words, image, entry, rrType.A);
    const aaaa = findSet(words, image, entry, rrType.AAAA);
    if (a !== 0 && !this.writeSet(a, hostAt)) return false;
    return aaaa === 0 || this.writeSet(aaaa, hostAt);
  }

  private writeSet(set: number, hostAt: number): boolean {
    return this.response.writeSet(this.words, this.bytes, set, hostAt, this.apexAt, 'additional');
  }

  private isBelow(cutLabels: number, cutHash: number): boolean {
    if (cutLabels === NO_CUT || this.host.labels < cutLabels) return false;
    return this.host.hashes[this.host.labels - cutLabels] === cutHash;
  }
}
