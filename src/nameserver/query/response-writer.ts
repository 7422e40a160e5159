/**
 * A response being written over its query, in place: the question stays where it is, record sets are copied behind
 * it section by section, EDNS comes last. One object a thread; never allocates for small sets.
 */

import { rcode, rrClass, rrType } from '../../dns/codes.ts';
import { writeUint16, writeUint32 } from './network-byte-order.ts';
import { MESSAGE_HEADER_BYTES, type Query } from './query.ts';
import type { ReplyOptions } from './reply-options.ts';
import { SET_HEADER_BYTES, setBlock } from '../../zone/record-set-block.ts';

/** Answers over UDP fit into one frame on every path (RFC 9715 section 3.1). */
export const UDP_PAYLOAD_BYTES = 1232;
/** What every client takes without EDNS (RFC 1035 section 4.2.1). */
const PLAIN_UDP_BYTES = 512;
export const OPT_BYTES = 11;
const POINTER_BITS = 0xc000;
/** Compression pointers reach this far (RFC 1035 section 4.1.4). */
const MAX_POINTER = 0x3fff;
/** Up to here a loop beats the set-up of a block copy. */
const LOOP_COPY_BYTES = 96;

export type Section = 'answer' | 'authority' | 'additional';

export class Response {
  buffer: Uint8Array = new Uint8Array(0);
  /** Where the message begins in the buffer. */
  start = 0;
  /** Where the next record goes, from the buffer's start. */
  position = 0;
  /** Where the last set written begins, from the message's start. */
  lastSetAt = 0;
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

  /** Takes the room that EDNS and the options need out of what the sections may fill. */
  begin(buffer: Uint8Array, offset: number, limit: number, overTcp: boolean, query: Query): void {
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
   * @param set byte offset of the set in the zone space
   * @param owner where the owner's name stands in the message
   * @param apex where the zone's apex stands in the message
   * @returns false, with nothing written, when it does not fit
   */
  writeSet(
    words: Int32Array,
    bytes: Uint8Array,
    set: number,
    owner: number,
    apex: number,
    section: Section,
  ): boolean {
    const base = set >> 2;
    const wireLength = words[base + setBlock.wireAndFixups] & 0xffff;
    if (this.position + wireLength > this.end || owner > MAX_POINTER) return false;
    const at = this.position;
    this.copy(bytes, set + SET_HEADER_BYTES, wireLength);
    const fixups = words[base + setBlock.wireAndFixups] >>> 16;
    if (fixups !== 0) this.fillPointers(bytes, set + SET_HEADER_BYTES + align(wireLength), fixups, at, apex);
    if (owner !== MESSAGE_HEADER_BYTES) this.setOwners(at, owner);
    this.lastSetAt = at - this.start;
    this.count(section, words[base + setBlock.typeAndCount] >>> 16);
    return true;
  }

  /** Overwrites the TTL of the first record of the set that was written last. */
  setLastTtl(ttl: number): void {
    writeUint32(this.buffer, this.start + this.lastSetAt + 6, ttl);
  }

  /**
   * Writes the CNAME record that a DNAME stands for (RFC 6672 section 3.1).
   *
   * @param prefixAt where the labels that stay stand in the message
   * @param target octets of the DNAME's target, at `bytes[targetAt…]`
   */
  writeSynthesizedCname(
    owner: number,
    ttl: number,
    prefixAt: number,
    prefixLength: number,
    bytes: Uint8Array,
    targetAt: number,
    targetLength: number,
  ): boolean {
    const dataLength = prefixLength + targetLength;
    if (this.position + 12 + dataLength > this.end) return false;
    const { buffer } = this;
    const at = this.position;
    this.lastSetAt = at - this.start;
    writeUint16(buffer, at, POINTER_BITS | owner);
    writeUint16(buffer, at + 2, rrType.CNAME);
    writeUint16(buffer, at + 4, 1);
    writeUint32(buffer, at + 6, ttl);
    writeUint16(buffer, at + 10, dataLength);
    this.position = at + 12;
    this.copy(buffer, this.start + prefixAt, prefixLength);
    this.copy(bytes, targetAt, targetLength);
    this.answers++;
    return true;
  }

  /** Writes a TXT record of class CHAOS with one string, up to 255 octets, for the question's name. */
  writeChaosText(text: Uint8Array): void {
    const { buffer, position } = this;
    writeUint16(buffer, position, POINTER_BITS | MESSAGE_HEADER_BYTES);
    writeUint16(buffer, position + 2, rrType.TXT);
    writeUint16(buffer, position + 4, rrClass.CH);
    writeUint32(buffer, position + 6, 0);
    writeUint16(buffer, position + 10, text.length + 1);
    buffer[position + 12] = text.length;
    this.position = position + 13;
    this.copy(text, 0, text.length);
    this.answers++;
  }

  /** What was asked for does not fit: the client should ask again over TCP (RFC 2181 section 9). */
  truncate(): void {
    this.truncated = true;
  }

  /**
   * Takes away all that has been written: what is left is no larger than the query, but for a new server cookie. It
   * shows a real client the way: with the cookie (RFC 7873 section 5.2.3), or over TCP. Errors stay what they are.
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
    writeUint16(buffer, start + 4, query.questionEnd > MESSAGE_HEADER_BYTES ? 1 : 0);
    writeUint16(buffer, start + 6, this.answers);
    writeUint16(buffer, start + 8, this.authorities);
    writeUint16(buffer, start + 10, this.additionals);
    return this.position - start;
  }

  private writeOpt(query: Query): void {
    const { buffer, position, options } = this;
    buffer[position] = 0;
    writeUint16(buffer, position + 1, rrType.OPT);
    writeUint16(buffer, position + 3, UDP_PAYLOAD_BYTES);
    buffer[position + 5] = this.rcode >>> 4;
    buffer[position + 6] = 0;
    writeUint16(buffer, position + 7, query.dnssecOk ? 0x8000 : 0);
    writeUint16(buffer, position + 9, options.length);
    this.position += OPT_BYTES;
    this.copy(options.bytes, 0, options.length);
    this.additionals++;
  }

  private count(section: Section, records: number): void {
    if (section === 'answer') this.answers += records;
    else if (section === 'authority') this.authorities += records;
    else this.additionals += records;
  }

  private copy(bytes: Uint8Array, from: number, length: number): void {
    const { buffer, position } = this;
    if (length > LOOP_COPY_BYTES) buffer.set(bytes.subarray(from, from + length), position);
    else for (let i = 0; i < length; i++) buffer[position + i] = bytes[from + i];
    this.position = position + length;
  }

  private fillPointers(bytes: Uint8Array, fixups: number, count: number, at: number, apex: number): void {
    for (let i = 0; i < count; i++) {
      const place = bytes[fixups + i * 2] | (bytes[fixups + i * 2 + 1] << 8);
      writeUint16(this.buffer, at + place, POINTER_BITS | apex);
    }
  }

  private setOwners(from: number, owner: number): void {
    for (let at = from; at < this.position;) {
      writeUint16(this.buffer, at, POINTER_BITS | owner);
      at += 12 + ((this.buffer[at + 10] << 8) | this.buffer[at + 11]);
    }
  }
}

function align(size: number): number {
  return (size + 3) & ~3;
}
