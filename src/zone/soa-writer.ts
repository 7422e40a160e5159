/** Changes the SOA record of zone images. Never publishes: readers see a new version when the caller says so. */

import { rrType } from '../dns/codes.ts';
import type { StoredSignature } from '../dns/stored-signature.ts';
import { appendSet, setBytes } from './append-set.ts';
import { recordSetSizeLimit, type RecordSet } from './encode-record-set.ts';
import type { ImageOffset } from './image-offsets.ts';
import { room } from './image-room.ts';
import { isStorable, signaturesBytes, signaturesSizeLimit, writeSignatures } from './signature-list.ts';
import {
  setSoaSignaturesBytes,
  soaAt,
  soaSetOffset,
  soaSignaturesBytes,
  soaStateBytes,
  writeSoaState,
} from './soa-state.ts';
import {
  addGarbageBytes,
  allocate,
  isSignedImage,
  newestSoaOffset,
  setImageSerial,
  setNewestSoaOffset,
  type ImagePlace,
} from './zone-image.ts';

/** The SOA record of one version. */
export interface SoaContent {
  readonly serial: number;
  readonly rdata: Uint8Array;
  /** Seconds. */
  readonly ttl: number;
  /** TTL of the SOA record in negative answers (RFC 2308 section 3). */
  readonly negativeTtl: number;
  /** Ignored by the image of an unsigned zone. */
  readonly signatures?: readonly StoredSignature[];
}

/** Puts the SOA record, valid from `version` on; false if the image has no room left. */
export function putSoa(place: ImagePlace, version: number, soa: SoaContent, apex: Uint8Array): boolean {
  const { words, image } = place;
  const set: RecordSet = { type: rrType.SOA, ttl: soa.ttl, rdatas: [soa.rdata] };
  const stateBytes = soaStateBytes(place);
  const isSigned = isSignedImage(place);
  const signatures = isSigned ? (soa.signatures ?? []).filter(isStorable) : [];
  if (room(place) < recordSetSizeLimit(set) + stateBytes + signaturesSizeLimit(signatures)) return false;
  const listBytes = signaturesBytes(signatures);
  const at = allocate(place, stateBytes + listBytes);
  const state = soaAt(image, at);
  const previous = newestSoaOffset(words, image);
  const setAt = appendSet(place, set, apex);
  const { negativeTtl } = soa;
  writeSoaState(words, state, { version, previous, set: setAt, negativeTtl });
  if (isSigned) {
    const first = setSoaSignaturesBytes(words, state, listBytes);
    if (signatures.length > 0) writeSignatures(place, first, signatures);
  }
  if (previous !== 0) addGarbageBytes(words, image, bytesWithSet(place, previous));
  setNewestSoaOffset(words, image, at);
  setImageSerial(words, image, soa.serial);
  return true;
}

/** Bytes of an SOA state with its set and signatures. */
function bytesWithSet(place: ImagePlace, offset: ImageOffset): number {
  const { words, image } = place;
  const state = soaAt(image, offset);
  const own = soaStateBytes(place) + soaSignaturesBytes(place, state);
  return own + setBytes(place, soaSetOffset(words, state));
}
