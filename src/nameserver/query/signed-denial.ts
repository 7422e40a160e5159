/**
 * Proves what a zone does not have (RFC 4035 section 3.1.3, RFC 5155 section 7.2). The NSEC or NSEC3 records that an
 * answer needs are collected while it is found, each only once, and written to the authority section at its end. Never
 * allocates.
 *
 * A record matches a name or covers the gap in which a missing name would be. Both are found alike: it is the last one
 * at or before the name in the order of the chain. NSEC records also prove the closest encloser, by the ends of the gap.
 *
 *     no such name          closest encloser (NSEC3), next closer name, wildcard
 *     no such type          the name; for a wildcard: as above, and the wildcard matches
 *     a wildcard answers    next closer name: its RRSIG record tells the closest encloser
 *     no DS at a cut        the name of the cut
 */

import { isChained } from '../../zone/image-node.ts';
import type { NodeIndex } from '../../zone/image-offsets.ts';
import { NameScan } from '../../zone/name-scan.ts';
import { soaNegativeTtl } from '../../zone/soa-state.ts';
import type { ZoneLookup } from '../../zone/zone-lookup.ts';
import { chainNode, hashedAtOrBefore, nextInChain } from '../../zone/signed-view.ts';
import type { ZoneView } from '../../zone/zone-view.ts';
import { MAX_ALIASES } from './alias-trail.ts';
import { NameHash } from './name-hash.ts';
import type { ResponseWriter } from './response-writer.ts';
import type { SignedDenialRecord } from './signed-denial-record.ts';
import { WildcardHashes } from './wildcard-hashes.ts';

/** A wildcard may answer for each alias, and three NSEC3 records prove what the last name has. */
const MAX_RECORDS = MAX_ALIASES + 3;

export class SignedDenial {
  private readonly view: ZoneView;
  private readonly response: ResponseWriter;
  private readonly record: SignedDenialRecord;
  private readonly wildcard: NameScan;
  private readonly hash = new NameHash();
  private readonly wildcardHashes = new WildcardHashes();
  /** The owners of the records, and the names after them in the chain. */
  private readonly owners = new Int32Array(MAX_RECORDS);
  private readonly nexts = new Int32Array(MAX_RECORDS);
  private count = 0;

  constructor(view: ZoneView, seed: number, response: ResponseWriter, record: SignedDenialRecord) {
    this.view = view;
    this.response = response;
    this.record = record;
    this.wildcard = new NameScan(seed);
  }

  /** Begins a new answer. */
  begin(): void {
    this.count = 0;
  }

  /** Proves that the name of the look-up does not exist, nor a wildcard for it. */
  addNoName(lookup: ZoneLookup, name: NameScan): void {
    this.addMissing(lookup, name);
    // Fits: the missing name has a label more than the encloser, of one octet at least.
    const { view, wildcard } = this;
    wildcard.setWildcardBelow(name, lookup.closestEncloserLabel());
    if (view.usesNsec3()) this.add(hashedAtOrBefore(view, this.wildcardHashes.of(wildcard)));
    else this.add(chainNode(view, wildcard, 0));
  }

  /** Proves that the name of the look-up, or the wildcard for it, has no data of the type asked for. */
  addNoData(lookup: ZoneLookup, name: NameScan): void {
    if (lookup.isWildcard) this.addMissing(lookup, name);
    this.addExisting(lookup.node, lookup.isWildcard ? lookup.wildcard : name, 0);
  }

  /** Proves that a wildcard may answer for the name of the look-up. */
  addExpansion(lookup: ZoneLookup, name: NameScan): void {
    this.addName(name, lookup.closestEncloserLabel() - 1);
  }

  /** Proves that the delegation of the look-up has no DS records. */
  addNoDs(lookup: ZoneLookup, name: NameScan): void {
    this.addExisting(lookup.node, name, lookup.cutLabel);
  }

  /** Writes all records; the answer is truncated if there is no room for one of them. */
  write(): void {
    if (this.count === 0) return;
    const { view, record, owners, nexts } = this;
    const ttl = soaNegativeTtl(view.words, view.soa());
    for (let i = 0; i < this.count; i++) {
      if (!record.write(owners[i] as NodeIndex, nexts[i] as NodeIndex, ttl)) return this.response.truncate();
    }
  }

  /** Proves the closest encloser, and that no name below it is an ancestor of the name or the name itself. */
  private addMissing(lookup: ZoneLookup, name: NameScan): void {
    const encloserLabel = lookup.closestEncloserLabel();
    if (this.view.usesNsec3()) this.addExisting(lookup.closestEncloser(), name, encloserLabel);
    this.addName(name, encloserLabel - 1);
  }

  /** Adds the record of a name that exists; an empty non-terminal has none of its own with NSEC. */
  private addExisting(node: NodeIndex, name: NameScan, label: number): void {
    if (node !== 0 && isChained(this.view.words, node)) this.add(node);
    else this.addName(name, label);
  }

  /** Adds the record that matches or covers the suffix of a name from `label` on. */
  private addName(name: NameScan, label: number): void {
    const { view } = this;
    if (view.usesNsec3()) {
      this.hash.update(name, label);
      this.add(hashedAtOrBefore(view, this.hash.octets));
    } else this.add(chainNode(view, name, label));
  }

  /** Adds a record, unless it is among the records already; 0 is an image without its chain. */
  private add(owner: NodeIndex): void {
    if (owner === 0) return;
    for (let i = 0; i < this.count; i++) if (this.owners[i] === owner) return;
    this.owners[this.count] = owner;
    this.nexts[this.count++] = nextInChain(this.view, owner);
  }
}
