/**
 * Answers questions for the types that only exist in signed zones and are not stored as record sets: RRSIG and NSEC. They
 * are also answered to clients that do not ask for signatures (RFC 4035 section 3.2.1). Never allocates.
 */

import { rrType } from '../../dns/codes.ts';
import { findSet, isChained } from '../../zone/image-node.ts';
import type { NodeIndex, SignatureIndex } from '../../zone/image-offsets.ts';
import { rrsetTtl } from '../../zone/record-set-block.ts';
import {
  findSoaSignature,
  firstSignature,
  nextInChain,
  nextSignature,
  signatureType,
} from '../../zone/signed-view.ts';
import { soaNegativeTtl } from '../../zone/soa-state.ts';
import type { ZoneLookup } from '../../zone/zone-lookup.ts';
import type { ZoneView } from '../../zone/zone-view.ts';
import { POINTER_OCTETS, type ResponseWriter } from './response-writer.ts';
import { signedLabels, type SignatureWriter } from './signature-writer.ts';
import type { SignedDenialRecord } from './signed-denial-record.ts';

// V8 folds constants of the same module only.
const { NSEC, NSEC3, RRSIG, SOA } = rrType;

export class SignedTypes {
  private readonly view: ZoneView;
  private readonly response: ResponseWriter;
  private readonly signatures: SignatureWriter;
  private readonly record: SignedDenialRecord;

  constructor(
    view: ZoneView,
    response: ResponseWriter,
    signatures: SignatureWriter,
    record: SignedDenialRecord,
  ) {
    this.view = view;
    this.response = response;
    this.signatures = signatures;
    this.record = record;
  }

  /** Whether the question is for such records, and the name that was found has them. */
  has(type: number, { kind, node }: ZoneLookup): boolean {
    if (type !== RRSIG && type !== NSEC) return false;
    // They are also at a name with a CNAME (RFC 2181 section 10.1).
    if (kind !== 'no data' && kind !== 'cname') return false;
    if (type === NSEC) return !this.view.usesNsec3() && isChained(this.view.words, node);
    return this.firstOfSet(firstSignature(this.view, node), 0) !== 0;
  }

  /**
   * Writes the records of a name that has them.
   *
   * @param ownerAt where the name that was asked for is written in the message
   * @param isProven whether a signature follows the NSEC record
   * @returns false if they do not fit
   */
  write(
    type: number,
    node: NodeIndex,
    ownerAt: number,
    isApex: boolean,
    overTcp: boolean,
    isProven: boolean,
  ): boolean {
    if (type === NSEC) return this.record.writeAnswer(node, nextInChain(this.view, node), ownerAt, isProven);
    // Those of the SOA record are not among those of the apex.
    const first = isApex ? findSoaSignature(this.view) : 0;
    if (first === 0) return this.writeSignatures(node, ownerAt, overTcp);
    if (!this.writeSetSignatures(first, node, ownerAt)) return false;
    return !overTcp || this.writeSignatures(node, ownerAt, overTcp);
  }

  /**
   * Writes the RRSIG records of a name. Over UDP those of one set stand for all: they are large, and validators do not
   * ask for them by themselves (RFC 8482 section 4.1).
   */
  private writeSignatures(node: NodeIndex, ownerAt: number, overTcp: boolean): boolean {
    const { view } = this;
    let signature = this.firstOfSet(firstSignature(view, node), 0);
    while (signature !== 0) {
      if (!this.writeSetSignatures(signature, node, ownerAt)) return false;
      if (!overTcp) return true;
      signature = this.firstOfSet(nextSignature(view, signature), signatureType(view, signature));
    }
    return true;
  }

  /** The first signature of another set than that of type `after`, from one of the node's signatures on; 0: there is none. */
  private firstOfSet(from: SignatureIndex, after: number): SignatureIndex {
    const { view } = this;
    for (let signature = from; signature !== 0; signature = nextSignature(view, signature)) {
      const type = signatureType(view, signature);
      // NSEC3 records have owners of their own, which nobody can ask for (RFC 5155 section 7.2.8).
      if (type !== NSEC3 && type !== after) return signature;
    }
    return 0;
  }

  /** Writes the signatures of one set. */
  private writeSetSignatures(first: SignatureIndex, node: NodeIndex, ownerAt: number): boolean {
    const { view, response, signatures } = this;
    if (!response.hasRoom(signatures.octets(first, POINTER_OCTETS))) return false;
    const type = signatureType(view, first);
    const ttl = this.ttlOf(type, node);
    const labels = signedLabels(view, node);
    signatures.append(first, type, labels, ownerAt, ttl, ttl, 'answer');
    return true;
  }

  /** The TTL of a set, which its signatures share. */
  private ttlOf(type: number, node: NodeIndex): number {
    const { view } = this;
    const { words, bytes, image } = view;
    if (type === NSEC) return soaNegativeTtl(words, view.soa());
    const set = type === SOA ? view.soaSet() : findSet(words, image, node, type);
    return set === 0 ? 0 : rrsetTtl(bytes, set);
  }
}
