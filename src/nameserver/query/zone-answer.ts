/**
 * Answers from one zone: writes the sections of the response from what a `ZoneLookup` finds, and follows aliases inside
 * the zone. Every part of an answer is read at one version of the zone.
 *
 *     look up the name → write the sections ─▶ done
 *          ▲                    └─ CNAME or DNAME: the target is the next name
 *          └──────────────────────────┘
 */

import { rcode, rrType } from '../../dns/codes.ts';
import { MAX_NAME_OCTETS } from '../../dns/name.ts';
import { nodeNameLength, nodeNameOffset, nodeSetCount, nodeSetOffset } from '../../zone/image-node.ts';
import type { ImageStart, SetOffset } from '../../zone/image-offsets.ts';
import { NameScan, suffixEquals } from '../../zone/name-scan.ts';
import {
  RECORD_HEADER_OCTETS,
  rrsetFirstData,
  rrsetFirstTarget,
  rrsetTargetCount,
  targetNameLength,
  targetNameStart,
  targetWrittenAt,
} from '../../zone/record-set-block.ts';
import { soaNegativeTtl, soaSet } from '../../zone/soa-state.ts';
import { imageApexEquals } from '../../zone/zone-image.ts';
import { ZoneLookup } from '../../zone/zone-lookup.ts';
import type { ZoneSpace } from '../../zone/zone-space.ts';
import { ZoneView } from '../../zone/zone-view.ts';
import { AdditionalSection } from './additional-section.ts';
import { AliasTrail } from './alias-trail.ts';
import { readUint16 } from './network-byte-order.ts';
import { MESSAGE_HEADER_BYTES, type Query } from './query.ts';
import type { ResponseWriter, Section } from './response-writer.ts';

// V8 folds constants of the same module only.
const { ANY, CNAME } = rrType;
const { NXDOMAIN, YXDOMAIN } = rcode;

export class ZoneAnswer {
  private readonly query: Query;
  private readonly response: ResponseWriter;
  private readonly view: ZoneView;
  private readonly lookup: ZoneLookup;
  private readonly target: NameScan;
  private readonly trail = new AliasTrail();
  private readonly additional: AdditionalSection;
  private overTcp = false;
  /** The name that is looked up now: the query's, or `target`. */
  private name: NameScan;
  /** The label of `name` at which the zone's apex begins. */
  private apexLabel = 0;
  /** The place of `name` in the message. */
  private nameAt = 0;
  /** The number of labels of the apex, without the root. */
  private apexLabels = 0;
  /**
   * After `write()`: equal for answers that rate limiting counts as equal. It identifies the owner name that the answer
   * comes from, so the endless names below a wildcard, DNAME or delegation share one class; so do all negative answers.
   */
  responseClass = 0;

  constructor(space: ZoneSpace, query: Query, response: ResponseWriter) {
    this.query = query;
    this.response = response;
    this.name = query.name;
    this.view = new ZoneView(space);
    this.lookup = new ZoneLookup(this.view, space.seed);
    this.target = new NameScan(space.seed);
    this.additional = new AdditionalSection(this.view, space.seed, response);
  }

  /** @param apexLabel the label of the query's name at which the zone's apex begins */
  write(image: ImageStart, apexLabel: number, overTcp: boolean): void {
    const { query, response } = this;
    this.view.open(image);
    this.overTcp = overTcp;
    this.name = query.name;
    this.nameAt = MESSAGE_HEADER_BYTES;
    this.apexLabel = apexLabel;
    this.apexLabels = query.name.labels - apexLabel;
    response.authoritative = true;
    response.apexAt = MESSAGE_HEADER_BYTES + query.name.starts[apexLabel];
    this.trail.clear();
    this.additional.begin(this.apexLabels);
    while (this.answerName(this.trail.count > 0));
  }

  /** @returns true if an alias leads to another name in this zone */
  private answerName(isAlias: boolean): boolean {
    const { lookup } = this;
    lookup.find(this.name, this.apexLabel, this.query.type);
    if (!isAlias) this.responseClass = lookup.ownerHash;
    switch (lookup.kind) {
      case 'data':
        this.writeData();
        return false;
      case 'all data':
        this.writeAllData();
        return false;
      case 'cname':
        return this.followCname();
      case 'dname':
        return this.followDname();
      case 'referral':
        this.refer(isAlias);
        return false;
      case 'no data':
        this.writeNegative();
        return false;
      case 'no name':
        this.response.rcode = NXDOMAIN;
        this.writeNegative();
        return false;
    }
  }

  private writeData(): void {
    const { lookup, nameAt } = this;
    if (this.trail.hasDname(lookup.set)) return;
    if (this.writeSet(lookup.set, nameAt, 'answer')) this.additional.add(lookup.set, lookup.node, nameAt);
  }

  /** Over UDP one set stands for all sets, so that ANY cannot amplify an attack (RFC 8482 section 4.1). */
  private writeAllData(): void {
    const { view, lookup } = this;
    const { words, image } = view;
    const isApex = this.apexLabel === 0;
    if (isApex && !this.writeSet(view.soaSet(), this.nameAt, 'answer')) return;
    const count = nodeSetCount(words, lookup.node);
    const sets = this.overTcp ? count : Math.min(count, isApex ? 0 : 1);
    for (let i = 0; i < sets; i++) {
      const set = (image + nodeSetOffset(words, lookup.node, i)) as SetOffset;
      if (this.trail.hasDname(set)) continue;
      if (!this.writeSet(set, this.nameAt, 'answer')) return;
    }
  }

  private followCname(): boolean {
    const { set } = this.lookup;
    const { words, bytes } = this.view;
    if (!this.writeSet(set, this.nameAt, 'answer')) return false;
    // A target outside the zone is not kept in the set's targets.
    if (rrsetTargetCount(words, set) === 0) return false;
    const target = rrsetFirstTarget(words, set);
    const start = targetNameStart(target);
    this.target.scan(bytes, start, start + targetNameLength(words, target));
    return this.continueAt(this.response.lastSetAt + targetWrittenAt(words, target));
  }

  /** Replaces the owner's part of the name by the DNAME's target (RFC 6672 section 3.2). */
  private followDname(): boolean {
    const { view, lookup, response, name } = this;
    const { set, cutLabel } = lookup;
    const prefixLength = name.starts[cutLabel];
    const ownerLabels = name.labels - cutLabel;
    if (this.trail.addDname(set) && !this.writeSet(set, this.suffixAt(cutLabel), 'answer')) return false;
    const targetLength = readUint16(view.bytes, rrsetFirstData(set) - 2);
    if (prefixLength + targetLength > MAX_NAME_OCTETS) {
      response.rcode = YXDOMAIN;
      return false;
    }
    if (!response.writeSynthesizedCname(view, set, this.nameAt, prefixLength)) {
      response.truncate();
      return false;
    }
    // Queries that match the type CNAME are not restarted (RFC 1034 section 3.6.2).
    if (this.query.type === CNAME || this.query.type === ANY) return false;
    const targetAt = response.lastSetAt + RECORD_HEADER_OCTETS;
    const start = response.start + targetAt;
    this.target.scan(response.buffer, start, start + prefixLength + targetLength);
    const apexLabel = this.target.labels - this.apexLabels;
    if (apexLabel < 0 || !imageApexEquals(view, view.image, this.target, apexLabel)) return false;
    return !this.growsEndlessly(ownerLabels) && this.continueAt(targetAt);
  }

  /** Whether the DNAME leads below its own owner, where it would apply again and again; resolvers follow each step. */
  private growsEndlessly(ownerLabels: number): boolean {
    const { view, lookup, target } = this;
    const { words, bytes, image } = view;
    const label = target.labels - ownerLabels;
    if (label < lookup.cutLabel) return false;
    const owner = image + nodeNameOffset(words, lookup.node);
    return suffixEquals(target, label, bytes, owner, nodeNameLength(words, lookup.node));
  }

  /** Makes `target`, written at `targetAt`, the next name; false if it was answered already or is one too many. */
  private continueAt(targetAt: number): boolean {
    if (!this.trail.add(this.target, this.query.name)) return false;
    this.name = this.target;
    this.apexLabel = this.target.labels - this.apexLabels;
    // The apex as a target is written as a pointer; old resolvers do not follow a pointer to a pointer.
    this.nameAt = this.apexLabel === 0 ? this.response.apexAt : targetAt;
    return true;
  }

  /** Offset of the current name's suffix in the message; the apex may be written as a pointer there. */
  private suffixAt(label: number): number {
    return label === this.apexLabel ? this.response.apexAt : this.nameAt + this.name.starts[label];
  }

  private refer(isAlias: boolean): void {
    const { lookup, name } = this;
    const { set, cutLabel } = lookup;
    this.response.authoritative = isAlias;
    if (this.writeSet(set, this.suffixAt(cutLabel), 'authority'))
      this.additional.addGlue(set, name.labels - cutLabel, name.hashes[cutLabel]);
  }

  private writeNegative(): void {
    const { view, response } = this;
    this.responseClass = ~this.name.hashes[this.apexLabel];
    const soa = view.soa();
    if (this.writeSet(soaSet(view.words, view.image, soa), response.apexAt, 'authority'))
      response.setLastTtl(soaNegativeTtl(view.words, soa));
  }

  /** @returns false, with the answer truncated, if the set does not fit */
  private writeSet(set: SetOffset, ownerAt: number, section: Section): boolean {
    if (this.response.writeSet(this.view, set, ownerAt, section)) return true;
    this.response.truncate();
    return false;
  }
}
