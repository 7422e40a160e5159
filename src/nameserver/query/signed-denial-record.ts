/**
 * Writes NSEC and NSEC3 records with their signatures. They are not stored: owner and next name follow from the chain of
 * the zone's names, the types from the sets of the owner. Never allocates.
 */

import { rrType } from '../../dns/codes.ts';
import { nodeNameLength, nodeNameOffset } from '../../zone/image-node.ts';
import type { NodeIndex } from '../../zone/image-offsets.ts';
import { RECORD_HEADER_OCTETS } from '../../zone/record-set-block.ts';
import { findSignature, hashStart, MAX_TYPE_BITMAP_OCTETS, writeTypeBitmap } from '../../zone/signed-view.ts';
import { soaNegativeTtl } from '../../zone/soa-state.ts';
import { imageApexLength, imageApexStart } from '../../zone/zone-image.ts';
import type { ZoneView } from '../../zone/zone-view.ts';
import { HASH_LABEL_OCTETS, HASH_OCTETS, writeHashLabel } from './hash-label.ts';
import { POINTER_OCTETS, type ResponseWriter } from './response-writer.ts';
import { apexLabels, signedLabels, type SignatureWriter } from './signature-writer.ts';

// V8 folds constants of the same module only.
const { NSEC, NSEC3 } = rrType;

/** SHA-1, no opt-out, no iterations, no salt (RFC 9276 section 3.1); then the length of the hash. */
const nsec3Head = Uint8Array.of(1, 0, 0, 0, 0, HASH_OCTETS);

export class SignedDenialRecord {
  private readonly view: ZoneView;
  private readonly response: ResponseWriter;
  private readonly signatures: SignatureWriter;
  private readonly bitmap = new Uint8Array(MAX_TYPE_BITMAP_OCTETS);
  private bitmapLength = 0;

  constructor(view: ZoneView, response: ResponseWriter, signatures: SignatureWriter) {
    this.view = view;
    this.response = response;
    this.signatures = signatures;
  }

  /**
   * Writes the record of a name, and its signature, to the authority section.
   *
   * @param node the owner's node
   * @param next the node of the next name in the chain
   * @param ttl the negative TTL of the zone (RFC 9077 section 3)
   * @returns false, with nothing written, if they do not fit
   */
  write(node: NodeIndex, next: NodeIndex, ttl: number): boolean {
    const { view, response, signatures } = this;
    const type = view.usesNsec3() ? NSEC3 : NSEC;
    const dataLength = this.prepareData(node, next);
    const ownerOctets = this.labelOctets(node) + POINTER_OCTETS;
    const ownerAt = response.position - response.start;
    const signature = findSignature(view, node, type);
    const signatureOctets = signatures.octets(signature, response.repeatedOwnerOctets(ownerAt, ownerOctets));
    if (!response.hasRoom(ownerOctets - POINTER_OCTETS + RECORD_HEADER_OCTETS + dataLength + signatureOctets))
      return false;
    this.writeOwner(node);
    response.beginRecordAfterOwner(type, ttl, dataLength, 'authority');
    this.writeData(next);
    const isApex = ownerOctets === POINTER_OCTETS;
    // Old resolvers do not follow a pointer to a pointer.
    const repeatedAt = isApex ? response.apexAt : ownerAt;
    signatures.append(signature, type, this.labels(node), repeatedAt, ttl, ttl, 'authority');
    return true;
  }

  /**
   * Writes the NSEC record that was asked for to the answer section.
   *
   * @param ownerAt where the name that was asked for is written in the message
   * @param isSigned whether its signature follows
   * @returns false, with nothing written, if they do not fit
   */
  writeAnswer(node: NodeIndex, next: NodeIndex, ownerAt: number, isSigned: boolean): boolean {
    const { view, response, signatures } = this;
    const ttl = soaNegativeTtl(view.words, view.soa());
    const dataLength = this.prepareData(node, next);
    const signature = isSigned ? findSignature(view, node, NSEC) : 0;
    const octets = RECORD_HEADER_OCTETS + dataLength + signatures.octets(signature, POINTER_OCTETS);
    if (!response.hasRoom(octets)) return false;
    response.beginRecord(ownerAt, NSEC, ttl, dataLength, 'answer');
    this.writeData(next);
    signatures.append(signature, NSEC, this.labels(node), ownerAt, ttl, ttl, 'answer');
    return true;
  }

  /** Makes the type bitmap, whose length is known only then; returns the octets of the data. */
  private prepareData(node: NodeIndex, next: NodeIndex): number {
    const { view } = this;
    this.bitmapLength = writeTypeBitmap(view, node, this.bitmap, 0);
    if (view.usesNsec3()) return nsec3Head.length + HASH_OCTETS + this.bitmapLength;
    const { words, image } = view;
    return nodeNameLength(words, next) + imageApexLength(words, image) + this.bitmapLength;
  }

  private writeData(next: NodeIndex): void {
    const { view, response } = this;
    const { words, bytes, image } = view;
    if (view.usesNsec3()) {
      response.copy(nsec3Head, 0, nsec3Head.length);
      response.copyAligned(view, hashStart(view, next), HASH_OCTETS);
    } else {
      response.copy(bytes, image + nodeNameOffset(words, next), nodeNameLength(words, next));
      response.copy(bytes, imageApexStart(image), imageApexLength(words, image));
    }
    response.copy(this.bitmap, 0, this.bitmapLength);
  }

  /** Octets of the owner's labels below the apex. */
  private labelOctets(node: NodeIndex): number {
    const { view } = this;
    return view.usesNsec3() ? HASH_LABEL_OCTETS : nodeNameLength(view.words, node);
  }

  /** The labels of the record's owner, as its signature counts them. */
  private labels(node: NodeIndex): number {
    const { view } = this;
    return view.usesNsec3() ? apexLabels(view) + 1 : signedLabels(view, node);
  }

  /** The labels below the apex, which is a suffix of the question. */
  private writeOwner(node: NodeIndex): void {
    const { view, response } = this;
    const { words, bytes, image } = view;
    if (view.usesNsec3()) {
      writeHashLabel(bytes, hashStart(view, node), response.buffer, response.position);
      response.position += HASH_LABEL_OCTETS;
    } else response.copy(bytes, image + nodeNameOffset(words, node), this.labelOctets(node));
    response.writePointer(response.apexAt);
  }
}
