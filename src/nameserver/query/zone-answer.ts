/**
 * Answers from one zone (RFC 1034 section 4.3.2): walks from the apex down to the name, stops at delegations and
 * DNAMEs, follows aliases inside the zone, and writes what it finds. Everything is read at one version of the zone.
 *
 *     name → delegation? referral │ DNAME? rewritten │ exact node │ wildcard │ does not exist
 *     node → the type asked for │ CNAME: the target is the next name │ no such data
 */

import { rcode, rrType } from '../../dns/codes.ts';
import { NameScan, suffixEquals } from '../../zone/name-scan.ts';
import { setBlock, SET_HEADER_BYTES, TARGET_HEADER_BYTES } from '../../zone/record-set-block.ts';
import {
  findNode,
  findSet,
  findSoa,
  header,
  hint,
  imageApexEquals,
  imageVersion,
  node,
  nodeFlag,
  nodeNameLength,
  nodeSetCount,
  soaState,
} from '../../zone/zone-image.ts';
import type { ZoneSpace } from '../../zone/zone-space.ts';
import { AdditionalSection } from './additional-section.ts';
import { AliasTrail } from './alias-trail.ts';
import { MESSAGE_HEADER_BYTES, type Query } from './query.ts';
import type { Response, Section } from './response-writer.ts';

const MAX_NAME_BYTES = 255;

export class ZoneAnswer {
  private readonly words: Int32Array;
  private readonly bytes: Uint8Array;
  private readonly query: Query;
  private readonly response: Response;
  private readonly target: NameScan;
  private readonly wildcard: NameScan;
  private readonly trail = new AliasTrail();
  private readonly additional: AdditionalSection;
  private image = 0;
  private version = 0;
  private hints = 0;
  private overTcp = false;
  /** Where the apex stands in the message. */
  private apexAt = 0;
  /** The name that is looked up now, the label its apex begins with, and where it stands in the message. */
  private name: NameScan;
  private apexLabel = 0;
  private nameAt = 0;
  /** Labels of the apex, the root not counted. */
  private apexLabels = 0;
  /** Found by `findCut`: the node and label of the delegation or DNAME that stands in the way. */
  private isDelegation = false;
  private cutNode = 0;
  private cutLabel = 0;
  /**
   * After `write`: the same number for answers that rate limiting counts as equal. It stands for the name that the
   * answer comes from; the endless names below a wildcard, DNAME or delegation are one, and so is all that isn't there.
   */
  responseClass = 0;

  constructor(space: ZoneSpace, query: Query, response: Response) {
    this.words = space.words;
    this.bytes = space.bytes;
    this.query = query;
    this.response = response;
    this.name = query.name;
    this.target = new NameScan(space.seed);
    this.wildcard = new NameScan(space.seed);
    this.additional = new AdditionalSection(space, response);
  }

  /** @param apexLabel the label of the question's name with which the zone's apex begins */
  write(image: number, apexLabel: number, overTcp: boolean): void {
    const { words, query } = this;
    const base = image >> 2;
    this.image = image;
    this.version = imageVersion(words, image);
    this.hints = words[base + header.hints];
    if (words[base + header.referenced] === 0) words[base + header.referenced] = 1;
    this.overTcp = overTcp;
    this.apexAt = MESSAGE_HEADER_BYTES + query.name.starts[apexLabel];
    this.name = query.name;
    this.apexLabel = apexLabel;
    this.apexLabels = query.name.labels - apexLabel;
    this.nameAt = MESSAGE_HEADER_BYTES;
    this.response.authoritative = true;
    this.trail.clear();
    this.additional.begin(image, this.version, this.hints, this.apexAt, this.apexLabels);
    while (this.answerName(this.trail.count > 0));
  }

  /** @returns true when an alias leads to a next name in this zone */
  private answerName(isAlias: boolean): boolean {
    const { words, bytes, image, version, name } = this;
    if ((this.hints & hint.cuts) !== 0 && this.findCut()) {
      if (!isAlias) this.responseClass = name.hashes[this.cutLabel];
      if (!this.isDelegation) return this.rewrite();
      this.refer(isAlias);
      return false;
    }
    if (!isAlias) this.responseClass = name.hashes[0];
    const exact = findNode(words, bytes, image, version, name, 0);
    if (exact !== 0) return this.answerNode(exact);
    const synthesized = (this.hints & hint.wildcards) === 0 ? 0 : this.findWildcard();
    if (synthesized !== 0) {
      if (!isAlias) this.responseClass = this.wildcard.hashes[0];
      return this.answerNode(synthesized);
    }
    this.response.rcode = rcode.NXDOMAIN;
    this.writeNegative();
    return false;
  }

  /** Looks from the apex down for the first delegation at or above the name, or DNAME above it. */
  private findCut(): boolean {
    const { words, bytes, image, version, name } = this;
    for (let label = this.apexLabel; label >= 0; label--) {
      const entry = findNode(words, bytes, image, version, name, label);
      if (entry === 0) return false;
      const flags = words[entry + node.flags];
      const askedOfParent = label === 0 && this.query.type === rrType.DS;
      this.isDelegation = (flags & nodeFlag.cut) !== 0 && !askedOfParent;
      this.cutNode = entry;
      this.cutLabel = label;
      if (this.isDelegation || ((flags & nodeFlag.dname) !== 0 && label > 0)) return true;
    }
    return false;
  }

  /** The wildcard at the closest encloser (RFC 4592 section 3.3.1), or 0. */
  private findWildcard(): number {
    const { words, bytes, image, version, name } = this;
    for (let label = 1; label <= this.apexLabel; label++) {
      const encloser = findNode(words, bytes, image, version, name, label);
      if (encloser === 0) continue;
      if ((words[encloser + node.flags] & nodeFlag.wildcardChild) === 0) return 0;
      if (!this.wildcard.setWildcardBelow(name, label)) return 0;
      return findNode(words, bytes, image, version, this.wildcard, 0);
    }
    return 0;
  }

  private answerNode(entry: number): boolean {
    const { words, image, query } = this;
    if (query.type === rrType.ANY) return this.answerAny(entry);
    const atApex = this.apexLabel === 0;
    const set =
      atApex && query.type === rrType.SOA ? this.soaSet() : findSet(words, image, entry, query.type);
    if (set !== 0) {
      if (this.writeSet(set, this.nameAt, 'answer')) this.additional.add(set, entry, this.nameAt);
      else this.response.truncate();
      return false;
    }
    if ((words[entry + node.flags] & nodeFlag.cname) === 0) {
      this.writeNegative();
      return false;
    }
    return this.follow(findSet(words, image, entry, rrType.CNAME));
  }

  /** Over UDP one set stands for all, so that nobody is flooded with them (RFC 8482 section 4.1). */
  private answerAny(entry: number): boolean {
    const { words, image } = this;
    const count = nodeSetCount(words, entry);
    const atApex = this.apexLabel === 0;
    if (count === 0 && !atApex) {
      this.writeNegative();
      return false;
    }
    if (atApex && !this.writeSet(this.soaSet(), this.nameAt, 'answer')) this.response.truncate();
    const sets = this.overTcp ? count : Math.min(count, atApex ? 0 : 1);
    for (let i = 0; i < sets && !this.response.truncated; i++) {
      const set = image + words[entry + node.sets + i * 2 + 1];
      if (!this.writeSet(set, this.nameAt, 'answer')) this.response.truncate();
    }
    return false;
  }

  private follow(cname: number): boolean {
    const { words, bytes } = this;
    if (!this.writeSet(cname, this.nameAt, 'answer')) {
      this.response.truncate();
      return false;
    }
    if (words[(cname >> 2) + setBlock.targets] === 0) return false;
    const at = cname + words[(cname >> 2) + setBlock.targetsAt];
    const word = words[at >> 2];
    const name = at + TARGET_HEADER_BYTES;
    this.target.scan(bytes, name, name + (word & 0xff));
    return this.goOnAt(this.response.lastSetAt + (word >>> 8));
  }

  /** Below a DNAME: the rest of the name stays, the owner's part becomes the target (RFC 6672 section 3.2). */
  private rewrite(): boolean {
    const { words, bytes, image, response, name } = this;
    const set = findSet(words, image, this.cutNode, rrType.DNAME);
    const targetAt = set + SET_HEADER_BYTES + 12;
    const targetLength = (bytes[targetAt - 2] << 8) | bytes[targetAt - 1];
    const prefixLength = name.starts[this.cutLabel];
    const ownerLabels = name.labels - this.cutLabel;
    if (this.trail.addDname(set) && !this.writeSet(set, this.suffixAt(this.cutLabel), 'answer')) {
      response.truncate();
      return false;
    }
    if (prefixLength + targetLength > MAX_NAME_BYTES) {
      response.rcode = rcode.YXDOMAIN;
      return false;
    }
    const ttl = words[(set >> 2) + setBlock.ttl];
    const owner = this.nameAt;
    if (!response.writeSynthesizedCname(owner, ttl, owner, prefixLength, bytes, targetAt, targetLength)) {
      response.truncate();
      return false;
    }
    // Questions that match the type CNAME are not restarted (RFC 1034 section 3.6.2).
    if (this.query.type === rrType.CNAME || this.query.type === rrType.ANY) return false;
    const at = response.start + response.lastSetAt + 12;
    this.target.scan(response.buffer, at, at + prefixLength + targetLength);
    const apexLabel = this.target.labels - this.apexLabels;
    if (apexLabel < 0 || !imageApexEquals(words, bytes, image, this.target, apexLabel)) return false;
    return !this.growsForEver(ownerLabels) && this.goOnAt(response.lastSetAt + 12);
  }

  /** A DNAME that leads to below its own owner is met again and again: each step is left to the resolver. */
  private growsForEver(ownerLabels: number): boolean {
    const { words, bytes, image, target, cutNode } = this;
    const label = target.labels - ownerLabels;
    if (label < this.cutLabel) return false;
    const owner = image + words[cutNode + node.name];
    return suffixEquals(target, label, bytes, owner, nodeNameLength(words, cutNode));
  }

  private goOnAt(nameAt: number): boolean {
    if (!this.trail.add(this.target, this.query.name)) return false;
    this.name = this.target;
    this.apexLabel = this.target.labels - this.apexLabels;
    // The apex as a target is written as a pointer; one pointer to another is more than old resolvers follow.
    this.nameAt = this.apexLabel === 0 ? this.apexAt : nameAt;
    return true;
  }

  /** Where the suffix of the present name stands in the message; the apex may be behind a pointer there. */
  private suffixAt(label: number): number {
    return label === this.apexLabel ? this.apexAt : this.nameAt + this.name.starts[label];
  }

  private refer(isAlias: boolean): void {
    const set = findSet(this.words, this.image, this.cutNode, rrType.NS);
    this.response.authoritative = isAlias;
    const { name, cutLabel } = this;
    if (this.writeSet(set, this.suffixAt(cutLabel), 'authority'))
      this.additional.addGlue(set, name.labels - cutLabel, name.hashes[cutLabel]);
    else this.response.truncate();
  }

  private writeNegative(): void {
    const { words, image, version } = this;
    this.responseClass = ~this.name.hashes[this.apexLabel];
    const soa = findSoa(words, image, version);
    if (!this.writeSet(image + words[soa + soaState.set], this.apexAt, 'authority')) {
      this.response.truncate();
      return;
    }
    this.response.setLastTtl(words[soa + soaState.negativeTtl]);
  }

  private soaSet(): number {
    const { words, image, version } = this;
    return image + words[findSoa(words, image, version) + soaState.set];
  }

  private writeSet(set: number, owner: number, section: Section): boolean {
    return this.response.writeSet(this.words, this.bytes, set, owner, this.apexAt, section);
  }
}
