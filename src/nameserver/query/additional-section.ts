/**
 * The additional section: the addresses of the hosts that a record set names (NS, MX, SRV …), each once in an answer, and
 * the records with which a service continues (SVCB, HTTPS). Records that do not fit are left out; the answer is truncated
 * only for glue without which a resolver cannot continue.
 */

import { rrType } from '../../dns/codes.ts';
import { findSet, hasDname, isDelegation } from '../../zone/image-node.ts';
import type { NodeIndex, SetOffset } from '../../zone/image-offsets.ts';
import { NameScan } from '../../zone/name-scan.ts';
import {
  nextTarget,
  recordEnd,
  RECORD_HEADER_OCTETS,
  rrsetWireStart,
  rrsetFirstTarget,
  rrsetRecordCount,
  rrsetTargetCount,
  rrsetType,
  targetNameLength,
  targetNameStart,
  targetWrittenAt,
} from '../../zone/record-set-block.ts';
import { findNode, type ZoneView } from '../../zone/zone-view.ts';
import { readUint16 } from './network-byte-order.ts';
import type { ResponseWriter } from './response-writer.ts';
import type { SignedSets } from './signed-sets.ts';

// V8 folds constants of the same module only.
const { A, AAAA, HTTPS, SVCB } = rrType;

/**
 * Names whose addresses may be left out, each of which is looked up. With the records that lead to them, 36 names fill 1232
 * octets; over TCP there may be a few more.
 */
const MAX_NAMES = 64;
/** In place of the number of labels of a delegation. */
const NO_CUT = 0;

export class AdditionalSection {
  private readonly view: ZoneView;
  private readonly response: ResponseWriter;
  private readonly signedSets: SignedSets;
  /** The host whose addresses are added. */
  private readonly host: NameScan;
  private readonly added = new Int32Array(MAX_NAMES);
  private addedCount = 0;
  private apexLabels = 0;
  /** Whether the answer has signatures. */
  private isProven = false;
  /** The set of SVCB or HTTPS records written last, or 0. */
  private service: SetOffset = 0;

  constructor(view: ZoneView, seed: number, response: ResponseWriter, signedSets: SignedSets) {
    this.view = view;
    this.response = response;
    this.signedSets = signedSets;
    this.host = new NameScan(seed);
  }

  /** Begins a new answer. */
  begin(apexLabels: number, isProven: boolean): void {
    this.apexLabels = apexLabels;
    this.isProven = isProven;
    this.addedCount = 0;
  }

  /**
   * Adds the addresses of the hosts that a set names, without glue: the zone has no authority over it. For a service, also
   * adds the hosts' records of the set's type (RFC 9460 section 4.1).
   *
   * @param setAt where the set is written in the message
   * @param owner the node of the set's owner, whose name is written at `ownerAt` in the message
   */
  add(set: SetOffset, setAt: number, owner: NodeIndex, ownerAt: number): void {
    const type = rrsetType(this.view.words, set);
    this.service = type === SVCB || type === HTTPS ? set : 0;
    if (this.service !== 0 && this.isItsOwnTarget(set)) this.addOnce(owner, ownerAt);
    this.addHosts(set, setAt, NO_CUT, 0);
  }

  /**
   * Adds the addresses, including glue, of the nameservers in an NS set. Resolvers need those below the cut to continue:
   * the answer is truncated if they do not fit (RFC 9471 section 3.1).
   *
   * @param setAt where the set is written in the message
   * @param cutLabels the number of labels of the delegation's name
   * @param cutHash the hash of the delegation's name
   */
  addGlue(set: SetOffset, setAt: number, cutLabels: number, cutHash: number): void {
    this.service = 0;
    this.addHosts(set, setAt, cutLabels, cutHash);
  }

  private addHosts(set: SetOffset, setAt: number, cutLabels: number, cutHash: number): void {
    const { view, response, host } = this;
    const { words, bytes } = view;
    const count = rrsetTargetCount(words, set);
    let target = rrsetFirstTarget(words, set);
    const isGlue = cutLabels !== NO_CUT;
    for (let i = 0; i < count && (isGlue || this.addedCount < MAX_NAMES); i++) {
      const length = targetNameLength(words, target);
      const start = targetNameStart(target);
      host.scan(bytes, start, start + length);
      const node = this.findHost(isGlue);
      const isApex = host.labels === this.apexLabels;
      const hostAt = isApex ? response.apexAt : setAt + targetWrittenAt(words, target);
      // The hosts of an NS set differ, and a referral has no other set that names hosts.
      if (isGlue) {
        const isMissing = node !== 0 && !this.addAddresses(node, hostAt);
        if (isMissing && this.isBelow(cutLabels, cutHash)) return response.truncate();
      } else if (node !== 0) this.addOnce(node, hostAt);
      target = nextTarget(target, length);
    }
  }

  /** The host's node; 0 also if the node is glue and glue is not wanted. */
  private findHost(includesGlue: boolean): NodeIndex {
    const { view, host } = this;
    const found = findNode(view, host, 0);
    if (found === 0 || includesGlue || !view.mayHaveCuts()) return found;
    for (let label = host.labels - this.apexLabels - 1; label >= 0; label--) {
      const node = findNode(view, host, label);
      if (node === 0) continue;
      if (isDelegation(view.words, node) || (label > 0 && hasDname(view.words, node))) return 0;
    }
    return found;
  }

  private addOnce(node: NodeIndex, hostAt: number): void {
    for (let i = 0; i < this.addedCount; i++) if (this.added[i] === node) return;
    this.added[this.addedCount++] = node;
    this.addAddresses(node, hostAt);
  }

  /** @returns false if there was no room for all of them */
  private addAddresses(node: NodeIndex, hostAt: number): boolean {
    const { words, image } = this.view;
    const a = findSet(words, image, node, A);
    const aaaa = findSet(words, image, node, AAAA);
    if (a !== 0 && !this.writeSet(a, node, hostAt)) return false;
    if (aaaa !== 0 && !this.writeSet(aaaa, node, hostAt)) return false;
    return this.service === 0 || this.addService(node, hostAt);
  }

  /** Adds the host's own records of the service's type, unless they are the set written last. */
  private addService(node: NodeIndex, hostAt: number): boolean {
    const { words, image } = this.view;
    const { service } = this;
    const set = findSet(words, image, node, rrsetType(words, service));
    return set === 0 || set === service || this.writeSet(set, node, hostAt);
  }

  /** Whether a record of the service has a priority and the target `.`, the record's owner (RFC 9460 section 2.5.2). */
  private isItsOwnTarget(set: SetOffset): boolean {
    const { words, bytes } = this.view;
    let at = rrsetWireStart(set);
    for (let i = rrsetRecordCount(words, set); i > 0; i--) {
      const data = at + RECORD_HEADER_OCTETS;
      if (readUint16(bytes, data) !== 0 && bytes[data + 2] === 0) return true;
      at = recordEnd(bytes, at);
    }
    return false;
  }

  private writeSet(set: SetOffset, host: NodeIndex, hostAt: number): boolean {
    if (this.isProven) return this.signedSets.write(set, host, hostAt, 'additional');
    return this.response.writeSet(this.view, set, hostAt, 'additional');
  }

  private isBelow(cutLabels: number, cutHash: number): boolean {
    if (this.host.labels < cutLabels) return false;
    return this.host.hashes[this.host.labels - cutLabels] === cutHash;
  }
}
