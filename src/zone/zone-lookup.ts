/**
 * Finds the answer to a question in one version of a zone (RFC 1034 section 4.3.2), without writing any of it. Keeps the
 * nodes and sets that prove the answer; the closest encloser, which only denials need, is found when asked for.
 *
 *     name → delegation: referral │ DNAME above │ its own node │ wildcard │ no such name
 *     node → the type asked for │ CNAME │ no such data
 */

import { rrType } from '../dns/codes.ts';
import { findSet, hasCname, hasDname, isDelegation, mayHaveWildcard, nodeSetCount } from './image-node.ts';
import type { NodeIndex, SetOffset } from './image-offsets.ts';
import { NameScan } from './name-scan.ts';
import { findNode, type ZoneView } from './zone-view.ts';

/**
 * `data`: the set that was asked for; `all data`: the sets of the node, for type ANY; `cname`, `dname`: an alias;
 * `referral`: the NS set of a delegation; `no data`: the name exists; `no name`: NXDOMAIN.
 */
export type LookupKind = 'data' | 'all data' | 'cname' | 'dname' | 'referral' | 'no data' | 'no name';

// V8 folds constants of the same module only.
const { ANY, CNAME, DNAME, DS, NS, SOA } = rrType;

/** In place of a label of the closest encloser. */
const NOT_FOUND_YET = -1;

/** A look-up and its result; one object per reader, reused for every name. */
export class ZoneLookup {
  kind: LookupKind = 'no name';
  /** The name's own node, the wildcard's, or that of the delegation or DNAME; 0 if the name does not exist. */
  node: NodeIndex = 0;
  /** The set that was asked for, or the CNAME, DNAME or NS set; else 0. */
  set: SetOffset = 0;
  /** The label of the name at which the owner of a delegation or DNAME begins; else 0. */
  cutLabel = 0;
  /** Whether `node` is that of the wildcard name `wildcard`. */
  isWildcard = false;
  readonly wildcard: NameScan;
  private readonly view: ZoneView;
  private name: NameScan;
  private apexLabel = 0;
  private encloserLabel = NOT_FOUND_YET;
  private encloser: NodeIndex = 0;

  constructor(view: ZoneView, seed: number) {
    this.view = view;
    this.wildcard = new NameScan(seed);
    this.name = this.wildcard;
  }

  /**
   * Looks up a name and type. The result is valid until the next look-up, and while the view and the name stay unchanged.
   *
   * @param apexLabel the label of the name at which the zone's apex begins
   */
  find(name: NameScan, apexLabel: number, type: number): void {
    const { view } = this;
    this.name = name;
    this.apexLabel = apexLabel;
    this.cutLabel = 0;
    this.isWildcard = false;
    this.encloserLabel = NOT_FOUND_YET;
    if (!view.mayHaveCuts()) this.node = findNode(view, name, 0);
    else if (this.findCut(type)) return;
    if (this.node !== 0 || (view.mayHaveWildcards() && this.findWildcard())) this.readNode(type);
    else {
      this.kind = 'no name';
      this.set = 0;
    }
  }

  /** The hash of the owner name of `node`; equal for all names that one wildcard, DNAME or delegation covers. */
  get ownerHash(): number {
    return this.isWildcard ? this.wildcard.hashes[0] : this.name.hashes[this.cutLabel];
  }

  /**
   * The closest encloser of a name that does not exist (RFC 4592 section 3.3.1): the label at which it begins, and its
   * node. The label after the apex's if the zone has no names at all.
   */
  closestEncloserLabel(): number {
    if (this.encloserLabel === NOT_FOUND_YET) this.findEncloser();
    return this.encloserLabel;
  }

  closestEncloser(): NodeIndex {
    if (this.encloserLabel === NOT_FOUND_YET) this.findEncloser();
    return this.encloser;
  }

  /**
   * Goes down from the apex to the first delegation at or above the name, or DNAME above it. If there is none, the name's
   * own node is found on the way.
   */
  private findCut(type: number): boolean {
    const { view, name } = this;
    const { words, image } = view;
    let parent: NodeIndex = 0;
    for (let label = this.apexLabel; label >= 0; label--) {
      const node = findNode(view, name, label);
      this.node = node;
      if (node === 0) {
        // Every name has nodes for all its ancestors: nothing exists below a name that does not.
        this.encloserLabel = label + 1;
        this.encloser = parent;
        return false;
      }
      // The parent's side of a zone cut answers for DS (RFC 4035 section 3.1.4.1).
      if (isDelegation(words, node) && (label > 0 || type !== DS)) {
        this.kind = 'referral';
        this.set = findSet(words, image, node, NS);
        this.cutLabel = label;
        return true;
      }
      if (label > 0 && hasDname(words, node)) {
        this.kind = 'dname';
        this.set = findSet(words, image, node, DNAME);
        this.cutLabel = label;
        return true;
      }
      parent = node;
    }
    return false;
  }

  /** Finds the wildcard at the closest encloser. */
  private findWildcard(): boolean {
    const { view, name } = this;
    const encloser = this.closestEncloser();
    if (encloser === 0 || !mayHaveWildcard(view.words, encloser)) return false;
    if (!this.wildcard.setWildcardBelow(name, this.encloserLabel)) return false;
    this.node = findNode(view, this.wildcard, 0);
    this.isWildcard = this.node !== 0;
    return this.isWildcard;
  }

  private findEncloser(): void {
    const { view, name, apexLabel } = this;
    let label = 1;
    let node: NodeIndex = 0;
    for (; label <= apexLabel && node === 0; label++) node = findNode(view, name, label);
    this.encloserLabel = node === 0 ? label : label - 1;
    this.encloser = node;
  }

  private readNode(type: number): void {
    const { view, node } = this;
    const { words, image } = view;
    const isApex = this.apexLabel === 0;
    if (type === ANY) {
      this.kind = isApex || nodeSetCount(words, node) > 0 ? 'all data' : 'no data';
      this.set = 0;
      return;
    }
    const set = isApex && type === SOA ? view.soaSet() : findSet(words, image, node, type);
    this.set = set;
    if (set !== 0) this.kind = 'data';
    else if (!hasCname(words, node)) this.kind = 'no data';
    else {
      this.kind = 'cname';
      this.set = findSet(words, image, node, CNAME);
    }
  }
}
