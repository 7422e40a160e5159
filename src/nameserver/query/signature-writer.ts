/**
 * Writes RRSIG records (RFC 4034 section 3.1). The zone image keeps of each signature only what cannot be told from its
 * set, its owner and the zone. Never allocates.
 */

import { rrType } from '../../dns/codes.ts';
import type { SignatureIndex } from '../../zone/image-offsets.ts';
import { RECORD_HEADER_OCTETS } from '../../zone/record-set-block.ts';
import {
  findNextSignature,
  signatureAlgorithm,
  signatureExpiration,
  signatureInception,
  signatureKeyTag,
  signatureLength,
  signatureStart,
} from '../../zone/signed-view.ts';
import { imageApexLength, imageApexStart } from '../../zone/zone-image.ts';
import type { ZoneView } from '../../zone/zone-view.ts';
import { writeUint16, writeUint32 } from './network-byte-order.ts';
import { POINTER_OCTETS, type ResponseWriter, type Section } from './response-writer.ts';

// V8 folds constants of the same module only.
const { RRSIG } = rrType;

/** Type covered, algorithm, labels, original TTL, expiration, inception, key tag. */
const HEAD_OCTETS = 18;
const ASTERISK = 0x2a;

export class SignatureWriter {
  private readonly view: ZoneView;
  private readonly response: ResponseWriter;
  private readonly head = new Uint8Array(HEAD_OCTETS);

  constructor(view: ZoneView, response: ResponseWriter) {
    this.view = view;
    this.response = response;
  }

  /** Octets of the records that `append()` writes, with owners of so many octets. */
  octets(first: SignatureIndex, ownerOctets: number): number {
    const { view } = this;
    let octets = 0;
    for (let signature = first; signature !== 0; signature = findNextSignature(view, signature))
      octets += ownerOctets - POINTER_OCTETS + RECORD_HEADER_OCTETS + this.dataOctets(signature);
    return octets;
  }

  /**
   * Writes the signatures of a set, for which there must be room: several while keys change.
   *
   * @param first the first signature of the set, or 0
   * @param labels see `signedLabels()`
   * @param ownerAt where the owner is written in the message
   * @param ttl the TTL of the set as sent, which the RRSIG record shares
   * @param originalTtl the TTL that was signed
   */
  append(
    first: SignatureIndex,
    type: number,
    labels: number,
    ownerAt: number,
    ttl: number,
    originalTtl: number,
    section: Section,
  ): void {
    const { view, response, head } = this;
    const { words, bytes, image } = view;
    for (let signature = first; signature !== 0; signature = findNextSignature(view, signature)) {
      response.beginRecord(ownerAt, RRSIG, ttl, this.dataOctets(signature), section);
      this.fillHead(signature, type, labels, originalTtl);
      response.copy(head, 0, HEAD_OCTETS);
      // The signer's name must not be compressed (RFC 4034 section 3.1.7).
      response.copy(bytes, imageApexStart(image), imageApexLength(words, image));
      response.copy(bytes, signatureStart(view, signature), signatureLength(view, signature));
    }
  }

  private dataOctets(signature: SignatureIndex): number {
    const { view } = this;
    return HEAD_OCTETS + imageApexLength(view.words, view.image) + signatureLength(view, signature);
  }

  private fillHead(signature: SignatureIndex, type: number, labels: number, originalTtl: number): void {
    const { view, head } = this;
    writeUint16(head, 0, type);
    head[2] = signatureAlgorithm(view, signature);
    head[3] = labels;
    writeUint32(head, 4, originalTtl);
    writeUint32(head, 8, signatureExpiration(view, signature));
    writeUint32(head, 12, signatureInception(view, signature));
    writeUint16(head, 16, signatureKeyTag(view, signature));
  }
}

/**
 * The labels of a signed set's owner without the root and a leading asterisk: for the sets of a wildcard, those of the
 * wildcard's name, by which a validator knows them.
 *
 * @param nameAt where the owner's name begins, uncompressed
 */
export function signedLabels(bytes: Uint8Array, nameAt: number): number {
  let labels = bytes[nameAt] === 1 && bytes[nameAt + 1] === ASTERISK ? -1 : 0;
  for (let at = nameAt; bytes[at] !== 0; at += bytes[at] + 1) labels++;
  return labels;
}
