/**
 * Answers from one zone: writes the sections of the response from what a `ZoneLookup` finds, and follows aliases inside
 * the zone. Every part of an answer is read at one version of the zone.
 *
 *     look up the name → write the sections ─▶ proofs, in a signed zone ─▶ addresses of hosts ─▶ done
 *          ▲                    └─ CNAME or DNAME: the target is the next name
 *          └──────────────────────────┘
 */

import { rcode, rrType } from '../../dns/codes.ts';
import { MAX_NAME_OCTETS } from '../../dns/name.ts';
import { findSet, nodeSetCount, nodeSetOffset } from '../../zone/image-node.ts';
import type { ImageStart, SetOffset } from '../../zone/image-offsets.ts';
import { NameScan } from '../../zone/name-scan.ts';
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
import { AliasTrail, growsEndlessly } from './alias-trail.ts';
import { readUint16 } from './network-byte-order.ts';
import { MESSAGE_HEADER_BYTES, type Query } from './query.ts';
import type { ResponseWriter, Section } from './response-writer.ts';
import { SignatureWriter } from './signature-writer.ts';
import { SignedDenialRecord } from './signed-denial-record.ts';
import { SignedDenial } from './signed-denial.ts';
import { SignedSets } from './signed-sets.ts';
import { SignedTypes } from './signed-types.ts';

// V8 folds constants of the same module only.
const { ANY, CNAME, DS } = rrType;
const { NXDOMAIN, YXDOMAIN } = rcode;

export class ZoneAnswer {
  private readonly query: Query;
  private readonly response: ResponseWriter;
  private readonly view: ZoneView;
  private readonly lookup: ZoneLookup;
  private readonly target: NameScan;
  private readonly trail = new AliasTrail();
  private readonly additional: AdditionalSection;
  private readonly signedSets: SignedSets;
  private readonly signedTypes: SignedTypes;
  private readonly denial: SignedDenial;
  private overTcp = false;
  /** Whether the zone is signed and the client wants signatures and proofs. */
  private isProven = false;
  /** The set, written at `setAt`, whose hosts may have addresses to add; or 0. */
  private lastSet: SetOffset = 0;
  private setAt = 0;
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
    const signatures = new SignatureWriter(this.view, response);
    const denialRecord = new SignedDenialRecord(this.view, response, signatures);
    this.signedSets = new SignedSets(this.view, response, signatures);
    this.signedTypes = new SignedTypes(this.view, response, signatures, denialRecord);
    this.denial = new SignedDenial(this.view, space.seed, response, denialRecord);
    this.additional = new AdditionalSection(this.view, space.seed, response, this.signedSets);
  }

  /** @param apexLabel the label of the query's name at which the zone's apex begins */
  write(image: ImageStart, apexLabel: number, overTcp: boolean): void {
    this.begin(image, apexLabel, overTcp);
    while (this.answerName(this.trail.count > 0));
    if (this.response.truncated) return;
    if (this.isProven) this.denial.write();
    if (this.lastSet !== 0) this.addHosts(this.lastSet);
  }

  private begin(image: ImageStart, apexLabel: number, overTcp: boolean): void {
    const { query, response } = this;
    this.view.open(image);
    this.overTcp = overTcp;
    this.name = query.name;
    this.nameAt = MESSAGE_HEADER_BYTES;
    this.apexLabel = apexLabel;
    this.apexLabels = query.name.labels - apexLabel;
    response.authoritative = true;
    response.apexAt = MESSAGE_HEADER_BYTES + query.name.starts[apexLabel];
    this.isProven = query.dnssecOk && this.view.isSigned();
    this.lastSet = 0;
    this.trail.clear();
    this.denial.begin();
    this.additional.begin(this.apexLabels, this.isProven);
  }

  /** @returns true if an alias leads to another name in this zone */
  private answerName(isAlias: boolean): boolean {
    const { lookup } = this;
    lookup.find(this.name, this.apexLabel, this.query.type);
    if (!isAlias) this.responseClass = lookup.ownerHash;
    if (this.view.isSigned() && this.signedTypes.has(this.query.type, lookup)) return this.writeSignedType();
    switch (lookup.kind) {
      case 'data':
        return this.writeData();
      case 'all data':
        return this.writeAllData();
      case 'cname':
        return this.followCname();
      case 'dname':
        return this.followDname();
      case 'referral':
        return this.refer(isAlias);
      case 'no data':
      case 'no name':
        return this.deny(lookup.kind === 'no name');
    }
  }

  private writeData(): false {
    const { set } = this.lookup;
    if (this.isWritten(set) || !this.writeSet(set, this.nameAt, 'answer')) return false;
    this.proveExpansion();
    this.lastSet = set;
    this.setAt = this.response.lastSetAt;
    return false;
  }

  /** Whether the set is a DNAME that led here. Made from a wildcard, it has another owner. */
  private isWritten(set: SetOffset): boolean {
    return !this.lookup.isWildcard && this.trail.hasDname(set);
  }

  private writeSignedType(): false {
    const { lookup, query, signedTypes, isProven } = this;
    const isApex = this.apexLabel === 0;
    if (!signedTypes.write(query.type, lookup.node, this.nameAt, isApex, this.overTcp, isProven))
      this.response.truncate();
    this.proveExpansion();
    return false;
  }

  /** A wildcard may only answer for names that do not exist. */
  private proveExpansion(): void {
    if (this.isProven && this.lookup.isWildcard) this.denial.addExpansion(this.lookup, this.name);
  }

  /** Over UDP one set stands for all sets, so that ANY cannot amplify an attack (RFC 8482 section 4.1). */
  private writeAllData(): false {
    const { view, lookup } = this;
    const { words, image } = view;
    const isApex = this.apexLabel === 0;
    this.proveExpansion();
    if (isApex && !this.writeSet(view.soaSet(), this.nameAt, 'answer')) return false;
    const count = nodeSetCount(words, lookup.node);
    const sets = this.overTcp ? count : Math.min(count, isApex ? 0 : 1);
    for (let i = 0; i < sets; i++) {
      const set = (image + nodeSetOffset(words, lookup.node, i)) as SetOffset;
      if (this.isWritten(set)) continue;
      if (!this.writeSet(set, this.nameAt, 'answer')) return false;
    }
    return false;
  }

  private followCname(): boolean {
    const { set } = this.lookup;
    const { words, bytes } = this.view;
    if (!this.writeSet(set, this.nameAt, 'answer')) return false;
    this.proveExpansion();
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
    return !growsEndlessly(view, lookup, this.target, ownerLabels) && this.continueAt(targetAt);
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

  /** The delegation's DS records, or the proof that it has none, belong to a referral (RFC 4035 section 3.1.4). */
  private refer(isAlias: boolean): false {
    const { view, lookup, response } = this;
    const { set, node, cutLabel } = lookup;
    const cutAt = this.suffixAt(cutLabel);
    response.authoritative = isAlias;
    if (!this.writeSet(set, cutAt, 'authority')) return false;
    this.lastSet = set;
    this.setAt = response.lastSetAt;
    if (!this.isProven) return false;
    const ds = findSet(view.words, view.image, node, DS);
    if (ds === 0) this.denial.addNoDs(lookup, this.name);
    else this.writeSet(ds, cutAt, 'authority');
    return false;
  }

  private deny(isMissing: boolean): false {
    const { view, response, lookup, name, denial } = this;
    this.responseClass = ~name.hashes[this.apexLabel];
    if (isMissing) response.rcode = NXDOMAIN;
    if (this.isProven) {
      if (isMissing) denial.addNoName(lookup, name);
      else denial.addNoData(lookup, name);
      if (!this.signedSets.writeNegativeSoa()) response.truncate();
      return false;
    }
    const soa = view.soa();
    if (this.writeSet(soaSet(view.words, view.image, soa), response.apexAt, 'authority'))
      response.setLastTtl(soaNegativeTtl(view.words, soa));
    return false;
  }

  /** Adds the addresses of the hosts that the set names, of which those of a referral may be glue. */
  private addHosts(set: SetOffset): void {
    const { lookup, name, additional, setAt } = this;
    const { cutLabel } = lookup;
    if (lookup.kind === 'referral')
      additional.addGlue(set, setAt, name.labels - cutLabel, name.hashes[cutLabel]);
    else additional.add(set, setAt, lookup.node, this.nameAt);
  }

  /**
   * Writes a set of the look-up's node, with its signatures if the client wants them.
   *
   * @returns false, with the answer truncated, if the set does not fit
   */
  private writeSet(set: SetOffset, ownerAt: number, section: Section): boolean {
    const isWritten = this.isProven
      ? this.signedSets.write(set, this.lookup.node, ownerAt, section)
      : this.response.writeSet(this.view, set, ownerAt, section);
    if (!isWritten) this.response.truncate();
    return isWritten;
  }
}
