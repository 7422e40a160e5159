/** Writes record sets with their signatures: both together, or neither (RFC 4035 section 3.1.1). Never allocates. */

import { rrType } from '../../dns/codes.ts';
import type { NodeIndex, SetOffset } from '../../zone/image-offsets.ts';
import { rrsetTtl, rrsetType } from '../../zone/record-set-block.ts';
import { findSignature, findSoaSignature } from '../../zone/signed-view.ts';
import { soaNegativeTtl, soaSet } from '../../zone/soa-state.ts';
import type { ZoneView } from '../../zone/zone-view.ts';
import { POINTER_OCTETS, type ResponseWriter, type Section } from './response-writer.ts';
import { apexLabels, signedLabels, type SignatureWriter } from './signature-writer.ts';

// V8 folds constants of the same module only.
const { SOA } = rrType;

export class SignedSets {
  private readonly view: ZoneView;
  private readonly response: ResponseWriter;
  private readonly signatures: SignatureWriter;

  constructor(view: ZoneView, response: ResponseWriter, signatures: SignatureWriter) {
    this.view = view;
    this.response = response;
    this.signatures = signatures;
  }

  /**
   * Writes a set, and its signature if it has one.
   *
   * @param node the owner's node: the wildcard's, where a wildcard answers; any for the SOA record
   * @param ownerAt where the owner is written in the message
   * @returns false, with nothing written, if they do not fit
   */
  write(set: SetOffset, node: NodeIndex, ownerAt: number, section: Section): boolean {
    const ttl = rrsetTtl(this.view.bytes, set);
    return this.writeWithTtl(set, node, ownerAt, ttl, ttl, section);
  }

  /** Writes the SOA record of a negative answer, with the TTL of RFC 2308 section 3; false if it does not fit. */
  writeNegativeSoa(): boolean {
    const { view, response } = this;
    const { words, bytes, image } = view;
    const soa = view.soa();
    const set = soaSet(words, image, soa);
    const ttl = soaNegativeTtl(words, soa);
    return this.writeWithTtl(set, 0, response.apexAt, ttl, rrsetTtl(bytes, set), 'authority');
  }

  private writeWithTtl(
    set: SetOffset,
    node: NodeIndex,
    ownerAt: number,
    ttl: number,
    originalTtl: number,
    section: Section,
  ): boolean {
    const { view, response, signatures } = this;
    const type = rrsetType(view.words, set);
    const isSoa = type === SOA;
    const signature = isSoa ? findSoaSignature(view) : findSignature(view, node, type);
    if (!response.writeSet(view, set, ownerAt, section, signatures.octets(signature, POINTER_OCTETS)))
      return false;
    if (ttl !== originalTtl) response.setLastTtl(ttl);
    const labels = isSoa ? apexLabels(view) : signedLabels(view, node);
    signatures.append(signature, type, labels, ownerAt, ttl, originalTtl, section);
    return true;
  }
}
