// The hash of a zone: equal in the store and in every copy that holds the same zone. See docs/decisions/0013.
import { HashSum } from '../base/hash-sum.ts';
import type { DomainRecord } from './record.ts';
import type { ZoneHead } from './zone-update.ts';

/** The part of a record that a copy keeps. The id belongs to it: it gives the order of answers, and the feed names records by it. */
export type HashedRecord = Pick<DomainRecord, 'id' | 'owner' | 'type' | 'ttl' | 'rdata'>;

/** Room for the longest record: an owner takes up to 1004 characters with all octets escaped, RDATA 65,535 octets. */
const MAX_RECORD_OCTETS = 68 * 1024;

/** One thread encodes one record at a time. */
const encoded = new Uint8Array(MAX_RECORD_OCTETS);

/** Adds a record to the sum of a zone's records. */
export function addRecord(sum: HashSum, record: HashedRecord): void {
  sum.add(encoded, encode(record));
}

/** Takes a record from the sum of a zone's records. */
export function subtractRecord(sum: HashSum, record: HashedRecord): void {
  sum.subtract(encoded, encode(record));
}

/** A zone as it is served, apart from its records. */
export interface HashedHead extends ZoneHead {
  /** Nothing of it is served; absent: it is served. */
  readonly isWithheld?: boolean;
}

/**
 * Adds a zone to the sum of all zones of a store, which is its digest.
 *
 * @param head with the id that the domain has in the store
 * @param contentHash the text of the sum of its records
 */
export function addZone(sum: HashSum, head: HashedHead, contentHash: string): void {
  sum.add(encoded, encodeZone(head, contentHash));
}

export function subtractZone(sum: HashSum, head: HashedHead, contentHash: string): void {
  sum.subtract(encoded, encodeZone(head, contentHash));
}

/** The hash of a zone with everything that is served of it. */
export function zoneHash(head: HashedHead, contentHash: string): string {
  const sum = new HashSum();
  addZone(sum, head, contentHash);
  return sum.toString();
}

/** SOA fields are absent or names of at most 255 characters, and mail addresses of at most 320. */
function encodeZone(head: HashedHead, contentHash: string): number {
  const { domainId, name, serial, soaPrimary, soaEmail, isWithheld } = head;
  const fields = [name, String(domainId), String(serial), contentHash, soaPrimary ?? '', soaEmail ?? ''];
  let length = 0;
  for (const field of fields) length = encodeText(field, length);
  encoded[length++] =
    (soaPrimary === null ? 0 : 1) + (soaEmail === null ? 0 : 2) + (isWithheld === true ? 4 : 0);
  return length;
}

/** Texts are printable ASCII and end with a zero octet, so that different records are never encoded alike. */
function encode({ id, owner, type, ttl, rdata }: HashedRecord): number {
  let length = encodeText(owner, encodeText(id, 0));
  encoded[length++] = type >>> 8;
  encoded[length++] = type;
  encoded[length++] = ttl >>> 24;
  encoded[length++] = ttl >>> 16;
  encoded[length++] = ttl >>> 8;
  encoded[length++] = ttl;
  encoded.set(rdata, length);
  return length + rdata.length;
}

function encodeText(text: string, at: number): number {
  for (let index = 0; index < text.length; index++) encoded[at + index] = text.charCodeAt(index);
  encoded[at + text.length] = 0;
  return at + text.length + 1;
}
