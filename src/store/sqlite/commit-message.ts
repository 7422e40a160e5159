// The effect of one commit, as the writer thread sends it to the process that serves zones. Everything is in network byte
// order; a text has its length in octets before it, and an absent one 0xffff:
//
//   file  after  last  zones │ domain id  serial  name  primary  email  owners │ owner  records │ type  ttl  length  rdata
//         (seq)  (seq)       └ for each zone                                   └ for each owner └ for each record
import { ByteReader } from '../../base/byte-reader.ts';
import { ByteWriter } from '../../base/byte-writer.ts';
import type { ZoneName } from '../../model/domain.ts';
import type { OwnerKey } from '../../model/record.ts';
import type { OwnerContent, ServedRecord, ZoneHead, ZoneUpdate } from '../../model/zone-update.ts';
import type { SentCommit } from '../followed-zones.ts';

/**
 * The largest message. It fits into the system's buffer of a socket (208 KiB), so that the writer never waits, and has room for
 * a full batch with 128 octets for each change. The content of an owner with many or long records is read from the file.
 */
export const MAX_COMMIT_BYTES = 64 * 1024;

/** Fits one created record without growing. */
const FIRST_CAPACITY_BYTES = 256;

const NO_TEXT = 0xffff;
const TWO_TO_32 = 2 ** 32;

/** Returns undefined if the message would be too large. */
export function encodeCommit({ file, afterSeq, lastSeq, updates }: SentCommit): Uint8Array | undefined {
  const to = new ByteWriter(FIRST_CAPACITY_BYTES);
  putText(to, file);
  putNumber(to, afterSeq);
  putNumber(to, lastSeq);
  to.u16(updates.length);
  for (const update of updates) {
    if (update.kind !== 'changed' || update.created) return undefined;
    putHead(to, update.head);
    to.u16(update.owners.length);
    for (const content of update.owners) if (!putOwner(to, content)) return undefined;
  }
  return to.length > MAX_COMMIT_BYTES ? undefined : to.finish();
}

/** Returns undefined if the octets are no message. */
export function decodeCommit(octets: Uint8Array): SentCommit | undefined {
  const from = new ByteReader(octets);
  const file = takeText(from);
  const afterSeq = takeNumber(from);
  const lastSeq = takeNumber(from);
  const updates: ZoneUpdate[] = [];
  for (let left = from.u16(); left > 0 && !from.failed; left--) updates.push(takeUpdate(from));
  return from.failed || from.remaining > 0 || file === null
    ? undefined
    : { file, afterSeq, lastSeq, updates };
}

function putHead(to: ByteWriter, { domainId, serial, name, soaPrimary, soaEmail }: ZoneHead): void {
  putNumber(to, domainId);
  to.u32(serial);
  putText(to, name);
  putText(to, soaPrimary);
  putText(to, soaEmail);
}

/** Returns false if it is too much. */
function putOwner(to: ByteWriter, { owner, records }: OwnerContent): boolean {
  // Each record takes more than eight octets.
  if (records.length > MAX_COMMIT_BYTES / 8) return false;
  putText(to, owner);
  to.u16(records.length);
  for (const { type, ttl, rdata } of records) {
    to.u16(type);
    to.u32(ttl);
    to.u16(rdata.length);
    to.bytes(rdata);
    if (to.length > MAX_COMMIT_BYTES) return false;
  }
  return true;
}

function takeUpdate(from: ByteReader): ZoneUpdate {
  const domainId = takeNumber(from);
  const serial = from.u32();
  const name = (takeText(from) ?? '') as ZoneName;
  const head = { domainId, name, serial, soaPrimary: takeText(from), soaEmail: takeText(from) };
  const owners: OwnerContent[] = [];
  for (let left = from.u16(); left > 0 && !from.failed; left--) owners.push(takeOwner(from));
  return { kind: 'changed', head, created: false, owners };
}

function takeOwner(from: ByteReader): OwnerContent {
  const owner = (takeText(from) ?? '') as OwnerKey;
  const records: ServedRecord[] = [];
  for (let left = from.u16(); left > 0 && !from.failed; left--) {
    const type = from.u16();
    const ttl = from.u32();
    records.push({ type, ttl, rdata: from.take(from.u16()) });
  }
  return { owner, records };
}

/** Positions and ids may pass 32 bits. */
function putNumber(to: ByteWriter, value: number): void {
  to.u32(Math.floor(value / TWO_TO_32));
  to.u32(value % TWO_TO_32);
}

function takeNumber(from: ByteReader): number {
  return from.u32() * TWO_TO_32 + from.u32();
}

function putText(to: ByteWriter, text: string | null): void {
  if (text === null) {
    to.u16(NO_TEXT);
    return;
  }
  const octets = Buffer.from(text);
  to.u16(octets.length);
  to.bytes(octets);
}

function takeText(from: ByteReader): string | null {
  const length = from.u16();
  if (length === NO_TEXT) return null;
  const { buffer, byteOffset } = from.take(length);
  return Buffer.from(buffer, byteOffset, from.failed ? 0 : length).toString();
}
