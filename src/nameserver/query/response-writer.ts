/**
 * Writes a response over its query, in place: the question stays where it is, record sets are copied behind it section
 * by section, EDNS comes last. One object per thread; never allocates for small sets.
 */

import { rcode, rrClass, rrType } from '../../dns/codes.ts';
import { MAX_LABEL_OCTETS } from '../../dns/name.ts';
import type { SetOffset } from '../../zone/image-offsets.ts';
import {
  fixupAt,
  recordEnd,
  RECORD_HEADER_OCTETS,
  rrsetFirstData,
  rrsetFixupCount,
  rrsetFixupStart,
  rrsetRecordCount,
  rrsetTtl,
  rrsetWireLength,
  rrsetWireStart,
} from '../../zone/record-set-block.ts';
import type { ImageMemory } from '../../zone/zone-image.ts';
import { readUint16, writeUint16, writeUint32 } from './network-byte-order.ts';
import { MESSAGE_HEADER_BYTES, type Query } from './query.ts';
import type { ReplyOptions } from './reply-options.ts';

/** Largest answer over UDP: fits into one frame on every path (RFC 9715 section 3.1). */
export const UDP_PAYLOAD_BYTES = 1232;
/** Largest answer over UDP to a client without EDNS (RFC 1035 section 4.2.1). */
const PLAIN_UDP_BYTES = 512;
/** The OPT record without options (RFC 6891 section 6.1.2). */
export const OPT_BYTES = 11;
const POINTER_BITS = 0xc000;
/** Octets of a compression pointer (RFC 1035 section 4.1.4). */
export const POINTER_OCTETS = 2;
/** The largest offset of a compression pointer (RFC 1035 section 4.1.4). */
const MAX_POINTER = 0x3fff;
/** Up to these sizes a loop over octets or words is faster than the set-up of a block copy. */
const LOOP_COPY_BYTES = 64;
const WORD_COPY_BYTES = 256;
/** Words are copied in the order in which this machine keeps their octets. */
const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Offset of the question's name in the message. */
const QUESTION_NAME_AT: number = MESSAGE_HEADER_BYTES;
// V8 folds constants of the same module only.
const { CNAME, OPT, TXT } = rrType;

export type Section = 'answer' | 'authority' | 'additional';

export class ResponseWriter {
  buffer: Uint8Array = new Uint8Array(0);
  /** The memory of `buffer`; made again only for another buffer. */
  private memory: DataView = new DataView(new ArrayBuffer(0));
  /** Offset of the message in the buffer. Other offsets count from here, unless they say otherwise. */
  start = 0;
  /** Offset of the next record, counted from the buffer's start. */
  position = 0;
  /** Offset of the last written RRset in the message. */
  lastSetAt = 0;
  /** Offset of the zone's apex in the message; set before RRsets of the zone are written. */
  apexAt = 0;
  authoritative = false;
  truncated = false;
  rcode = 0;
  private end = 0;
  private answers = 0;
  private authorities = 0;
  private additionals = 0;
  private readonly options: ReplyOptions;

  constructor(options: ReplyOptions) {
    this.options = options;
  }

  /** Begins a response, and reserves room for EDNS and its options. */
  begin(buffer: Uint8Array, offset: number, limit: number, overTcp: boolean, query: Query): void {
    if (buffer !== this.buffer)
      this.memory = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
    this.buffer = buffer;
    this.start = offset;
    this.position = offset + query.questionEnd;
    const asked = query.hasEdns ? Math.max(query.payloadBytes, PLAIN_UDP_BYTES) : PLAIN_UDP_BYTES;
    const size = overTcp ? limit : Math.min(limit, asked, UDP_PAYLOAD_BYTES);
    this.end = offset + size - (query.hasEdns ? OPT_BYTES + this.options.length : 0);
    this.authoritative = false;
    this.truncated = false;
    this.rcode = 0;
    this.answers = 0;
    this.authorities = 0;
    this.additionals = 0;
  }

  /**
   * Writes a whole record set.
   *
   * @param ownerAt where the owner's name is written in the message
   * @param signatureOctets octets of the signatures that follow; set and signatures fit together or not at all
   * @returns false, with nothing written, if the set does not fit
   */
  writeSet(
    memory: ImageMemory,
    set: SetOffset,
    ownerAt: number,
    section: Section,
    signatureOctets = 0,
  ): boolean {
    const { words } = memory;
    const wireLength = rrsetWireLength(words, set);
    if (!this.hasRoom(wireLength + signatureOctets) || ownerAt > MAX_POINTER) return false;
    const at = this.position;
    this.copyAligned(memory, rrsetWireStart(set), wireLength);
    if (rrsetFixupCount(words, set) !== 0) this.fillPointers(memory, set, at);
    if (ownerAt !== QUESTION_NAME_AT) this.setOwners(at, ownerAt);
    this.lastSetAt = at - this.start;
    this.count(section, rrsetRecordCount(words, set));
    return true;
  }

  /** Overwrites the TTL of the first record of the set written last. */
  setLastTtl(ttl: number): void {
    writeUint32(this.buffer, this.start + this.lastSetAt + 6, ttl);
  }

  /**
   * Writes the CNAME record that stands for a DNAME (RFC 6672 section 3.1): the first labels of the owner followed by the
   * DNAME's target.
   *
   * @param ownerAt where the CNAME's owner is written in the message
   * @param prefixLength octets of the owner's labels below the DNAME
   * @returns false, with nothing written, if the record does not fit
   */
  writeSynthesizedCname(
    { bytes }: ImageMemory,
    dname: SetOffset,
    ownerAt: number,
    prefixLength: number,
  ): boolean {
    const targetAt = rrsetFirstData(dname);
    const targetLength = readUint16(bytes, targetAt - 2);
    const dataLength = prefixLength + targetLength;
    if (!this.hasRoom(RECORD_HEADER_OCTETS + dataLength)) return false;
    this.lastSetAt = this.position - this.start;
    this.beginRecord(ownerAt, CNAME, rrsetTtl(bytes, dname), dataLength, 'answer');
    this.copy(this.buffer, this.start + ownerAt, prefixLength);
    this.copy(bytes, targetAt, targetLength);
    return true;
  }

  /** Whether so many octets more fit into the message. */
  hasRoom(octets: number): boolean {
    return this.position + octets <= this.end;
  }

  /** Octets of an owner that is written again: those of a pointer, unless the name is too far behind for one. */
  repeatedOwnerOctets(ownerAt: number, ownerOctets: number): number {
    return ownerAt > MAX_POINTER ? ownerOctets : POINTER_OCTETS;
  }

  /** Writes a pointer to a name in the message; there must be room for it. */
  writePointer(nameAt: number): void {
    writeUint16(this.buffer, this.position, POINTER_BITS | nameAt);
    this.position += POINTER_OCTETS;
  }

  /** Writes a record of class IN up to its data, which the caller writes next; there must be room for all of it. */
  beginRecord(ownerAt: number, type: number, ttl: number, dataLength: number, section: Section): void {
    if (ownerAt > MAX_POINTER) this.repeatName(ownerAt);
    else this.writePointer(ownerAt);
    this.beginRecordAfterOwner(type, ttl, dataLength, section);
  }

  /** `beginRecord()` after an owner that the caller has written. */
  beginRecordAfterOwner(type: number, ttl: number, dataLength: number, section: Section): void {
    const { buffer, position } = this;
    writeUint16(buffer, position, type);
    writeUint16(buffer, position + 2, rrClass.IN);
    writeUint32(buffer, position + 4, ttl);
    writeUint16(buffer, position + 8, dataLength);
    this.position = position + RECORD_HEADER_OCTETS - 2;
    this.count(section, 1);
  }

  /** Writes a TXT record of class CHAOS with one string, up to 255 octets, for the question's name. */
  writeChaosText(text: Uint8Array): void {
    const { buffer, position } = this;
    writeUint16(buffer, position, POINTER_BITS | QUESTION_NAME_AT);
    writeUint16(buffer, position + 2, TXT);
    writeUint16(buffer, position + 4, rrClass.CH);
    writeUint32(buffer, position + 6, 0);
    writeUint16(buffer, position + 10, text.length + 1);
    buffer[position + 12] = text.length;
    this.position = position + 13;
    this.copy(text, 0, text.length);
    this.answers++;
  }

  /** Tells the client to repeat the query over TCP, because the answer does not fit (RFC 2181 section 9). */
  truncate(): void {
    this.truncated = true;
  }

  /**
   * Removes everything written so far: the response is then no larger than the query, except for a new server cookie. A
   * real client repeats the query with the cookie (RFC 7873 section 5.2.3) or over TCP. Errors stay errors.
   */
  reduce(query: Query): void {
    const isError =
      this.rcode !== rcode.NOERROR && this.rcode !== rcode.NXDOMAIN && this.rcode !== rcode.YXDOMAIN;
    this.position = this.start + query.questionEnd;
    this.authoritative = false;
    this.answers = 0;
    this.authorities = 0;
    this.additionals = 0;
    this.options.keepCookie();
    this.truncated = this.options.length === 0 && !isError;
    if (this.options.length > 0) this.rcode = rcode.BADCOOKIE;
    else if (!isError) this.rcode = rcode.NOERROR;
  }

  /** Writes EDNS and the header; returns the message's length. */
  finish(query: Query): number {
    const { buffer, start } = this;
    if (query.hasEdns) this.writeOpt(query);
    buffer[start + 2] =
      0x80 |
      (query.opcode << 3) |
      (this.authoritative ? 4 : 0) |
      (this.truncated ? 2 : 0) |
      (query.recursionDesired ? 1 : 0);
    buffer[start + 3] = (query.checkingDisabled ? 0x10 : 0) | (this.rcode & 15);
    writeUint16(buffer, start + 4, query.questionEnd > QUESTION_NAME_AT ? 1 : 0);
    writeUint16(buffer, start + 6, this.answers);
    writeUint16(buffer, start + 8, this.authorities);
    writeUint16(buffer, start + 10, this.additionals);
    return this.position - start;
  }

  private writeOpt(query: Query): void {
    const { buffer, position, options } = this;
    buffer[position] = 0;
    writeUint16(buffer, position + 1, OPT);
    writeUint16(buffer, position + 3, UDP_PAYLOAD_BYTES);
    buffer[position + 5] = this.rcode >>> 4;
    buffer[position + 6] = 0;
    writeUint16(buffer, position + 7, query.dnssecOk ? 0x8000 : 0);
    writeUint16(buffer, position + 9, options.length);
    this.position += OPT_BYTES;
    this.copy(options.bytes, 0, options.length);
    this.additionals++;
  }

  /** Copies a name that begins with labels, and ends with a pointer, from elsewhere in the message. */
  private repeatName(nameAt: number): void {
    const { buffer } = this;
    const from = this.start + nameAt;
    let at = from;
    while (buffer[at] <= MAX_LABEL_OCTETS && buffer[at] !== 0) at += buffer[at] + 1;
    this.copy(buffer, from, at - from + (buffer[at] === 0 ? 1 : POINTER_OCTETS));
  }

  private count(section: Section, records: number): void {
    if (section === 'answer') this.answers += records;
    else if (section === 'authority') this.authorities += records;
    else this.additionals += records;
  }

  /** Appends octets of an image that begin with a word: four times as fast for a set or a signature. */
  copyAligned({ words, bytes }: ImageMemory, from: number, length: number): void {
    if (length > WORD_COPY_BYTES) {
      this.copy(bytes, from, length);
      return;
    }
    const { memory, position, buffer } = this;
    const wordsEnd = length & ~3;
    const first = from >> 2;
    for (let at = 0; at < wordsEnd; at += 4)
      memory.setInt32(position + at, words[first + (at >> 2)], isLittleEndian);
    for (let at = wordsEnd; at < length; at++) buffer[position + at] = bytes[from + at];
    this.position = position + length;
  }

  /** Appends octets; there must be room for them. */
  copy(bytes: Uint8Array, from: number, length: number): void {
    const { buffer, position } = this;
    if (length > LOOP_COPY_BYTES) buffer.set(bytes.subarray(from, from + length), position);
    else for (let i = 0; i < length; i++) buffer[position + i] = bytes[from + i];
    this.position = position + length;
  }

  /** Fills in the pointers to the apex in the set that was copied to `at`. */
  private fillPointers({ words, bytes }: ImageMemory, set: SetOffset, at: number): void {
    const fixups = rrsetFixupStart(words, set);
    const count = rrsetFixupCount(words, set);
    for (let i = 0; i < count; i++)
      writeUint16(this.buffer, at + fixupAt(bytes, fixups, i), POINTER_BITS | this.apexAt);
  }

  /** Overwrites the owners of the records from `from` on. */
  private setOwners(from: number, ownerAt: number): void {
    for (let at = from; at < this.position;) {
      writeUint16(this.buffer, at, POINTER_BITS | ownerAt);
      at = recordEnd(this.buffer, at);
    }
  }
}
