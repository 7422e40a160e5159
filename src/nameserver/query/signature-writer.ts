/**
 * Writes RRSIG records (RFC 4034 section 3.1). The zone image keeps of each signature only what cannot be told from its
 * set, its owner and the zone. Never allocates.
 */

import { rrType } from '../../dns/codes.ts';
import { nodeNameLength, nodeNameOffset } from '../../zone/image-node.ts';
import type { NodeIndex, RunIndex, SignatureIndex } from '../../zone/image-offsets.ts';
import { RECORD_HEADER_OCTETS } from '../../zone/record-set-block.ts';
import {
  runAlgorithm,
  runExpiration,
  runInception,
  runKeyTag,
  runSignatureLength,
  signatureRun,
  signatureStart,
} from '../../zone/signature-list.ts';
import { findNextSignature } from '../../zone/signed-view.ts';
import { imageApexLength, imageApexStart } from '../../zone/zone-image.ts';
import type { ZoneView } from '../../zone/zone-view.ts';
import { writeUint16, writeUint32 } from './network-byte-order.ts';
import { POINTER_OCTETS, type ResponseWriter, type Section } from './response-writer.ts';

// V8 folds constants of the same module only.
const { RRSIG } = rrType;

/** Type covered, algorithm, labels, original TTL, expiration, inception, key tag. */
const FIELDS_OCTETS = 18;
const ASTERISK = 0x2a;

export class SignatureWriter {
  private readonly view: ZoneView;
  private readonly response: ResponseWriter;

  constructor(view: ZoneView, response: ResponseWriter) {
    this.view = view;
    this.response = response;
  }

  /** Octets of the records that `append()` writes, with owners of so many octets. */
  octets(first: SignatureIndex, ownerOctets: number): number {
    const { view } = this;
    const { words, image } = view;
    const fixedOctets = ownerOctets - POINTER_OCTETS + RECORD_HEADER_OCTETS + this.headOctets();
    let octets = 0;
    for (let signature = first; signature !== 0; signature = findNextSignature(view, signature))
      octets += fixedOctets + runSignatureLength(words, signatureRun(words, image, signature));
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
    const { view, response } = this;
    const { words, image } = view;
    for (let signature = first; signature !== 0; signature = findNextSignature(view, signature)) {
      const run = signatureRun(words, image, signature);
      const length = runSignatureLength(words, run);
      response.beginRecord(ownerAt, RRSIG, ttl, this.headOctets() + length, section);
      this.appendHead(run, type, labels, originalTtl);
      response.copyAligned(view, signatureStart(words, signature), length);
    }
  }

  /** Octets of the data before the signature. */
  private headOctets(): number {
    return FIELDS_OCTETS + imageApexLength(this.view.words, this.view.image);
  }

  private appendHead(run: RunIndex, type: number, labels: number, originalTtl: number): void {
    const { view, response } = this;
    const { words, bytes, image } = view;
    const { buffer, position } = response;
    writeUint16(buffer, position, type);
    buffer[position + 2] = runAlgorithm(words, run);
    buffer[position + 3] = labels;
    writeUint32(buffer, position + 4, originalTtl);
    writeUint32(buffer, position + 8, runExpiration(words, run));
    writeUint32(buffer, position + 12, runInception(words, run));
    writeUint16(buffer, position + 16, runKeyTag(words, run));
    response.position = position + FIELDS_OCTETS;
    // The signer's name must not be compressed (RFC 4034 section 3.1.7).
    response.copy(bytes, imageApexStart(image), imageApexLength(words, image));
  }
}

/**
 * The labels of a signed set's owner without the root and a leading asterisk: for the sets of a wildcard, those of the
 * wildcard's name, by which a validator knows them.
 */
export function signedLabels(view: ZoneView, node: NodeIndex): number {
  const { words, bytes, image } = view;
  const start = image + nodeNameOffset(words, node);
  const end = start + nodeNameLength(words, node);
  let labels = apexLabels(view);
  if (end > start && bytes[start] === 1 && bytes[start + 1] === ASTERISK) labels--;
  for (let at = start; at < end; at += bytes[at] + 1) labels++;
  return labels;
}

/** The labels of the zone's apex, without the root. */
export function apexLabels({ bytes, image }: ZoneView): number {
  let labels = 0;
  for (let at = imageApexStart(image); bytes[at] !== 0; at += bytes[at] + 1) labels++;
  return labels;
}
