/**
 * The additional section: addresses of the hosts that a record set names (NS, MX, SRV …), each once in an answer, and
 * how services go on (SVCB, HTTPS). What does not fit is left out; only glue that a resolver cannot go on without makes
 * the answer a truncated one.
 */

import { rrType } from '../../dns/codes.ts';
import { NameScan } from '../../zone/name-scan.ts';
import { SET_HEADER_BYTES, setBlock, TARGET_HEADER_BYTES } from '../../zone/record-set-block.ts';
import { findNode, findSet, hint, node, nodeFlag } from '../../zone/zone-image.ts';
import type { ZoneSpace } from '../../zone/zone-space.ts';
import type { Response } from './response-writer.ts';

/** With the records that lead there, 36 names fill 1232 octets; over TCP there may be some more. */
const MAX_NAMES = 64;
/** In place of a delegation's labels. */
const NO_CUT = 0;
/** Owner's pointer, type, class, TTL, data length. */
const RECORD_HEADER_BYTES = 12;

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
  /** The set of SVCB or HTTPS records written last, or 0. */
  private service = 0;

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

  /**
   * Adds the addresses of the hosts that the set written last names; glue isn't the zone's to give. Of services also
   * their own records of the set's type (RFC 9460 section 4.1).
   *
   * @param owner the node that the set stands at, and where its name stands in the message
   */
  add(set: number, owner: number, ownerAt: number): void {
    const type = this.words[(set >> 2) + setBlock.typeAndCount] & 0xffff;
    this.service = type === rrType.SVCB || type === rrType.HTTPS ? set : 0;
    if (this.service !== 0 && this.isItsOwnTarget(set)) this.addAddresses(owner, ownerAt);
    this.addHosts(set, NO_CUT, 0);
  }

  /**
   * Adds the addresses, glue too, of the nameservers in the NS set written last. Those below the cut are needed to go
   * on: the answer is truncated when they don't fit (RFC 9471 section 3.1).
   *
   * @param cutLabels labels of the delegation's name, and its hash
   */
  addGlue(set: number, cutLabels: number, cutHash: number): void {
    this.service = 0;
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
    if (aaaa !== 0 && !this.writeSet(aaaa, hostAt)) return false;
    return this.service === 0 || this.addService(entry, hostAt);
  }

  /** Where the service is offered in the same way as asked for; the set written last is in the answer already. */
  private addService(entry: number, hostAt: number): boolean {
    const { words, image, service } = this;
    const type = words[(service >> 2) + setBlock.typeAndCount] & 0xffff;
    const set = findSet(words, image, entry, type);
    return set === 0 || set === service || this.writeSet(set, hostAt);
  }

  /** With a priority, the target `.` stands for the record's owner (RFC 9460 section 2.5.2). */
  private isItsOwnTarget(set: number): boolean {
    const { bytes, words } = this;
    let at = set + SET_HEADER_BYTES;
    for (let i = words[(set >> 2) + setBlock.typeAndCount] >>> 16; i > 0; i--) {
      const data = at + RECORD_HEADER_BYTES;
      if ((bytes[data] | bytes[data + 1]) !== 0 && bytes[data + 2] === 0) return true;
      at = data + ((bytes[data - 2] << 8) | bytes[data - 1]);
    }
    return false;
  }

  private writeSet(set: number, hostAt: number): boolean {
    return this.response.writeSet(this.words, this.bytes, set, hostAt, this.apexAt, 'additional');
  }

  private isBelow(cutLabels: number, cutHash: number): boolean {
    if (cutLabels === NO_CUT || this.host.labels < cutLabels) return false;
    return this.host.hashes[this.host.labels - cutLabels] === cutHash;
  }
}
