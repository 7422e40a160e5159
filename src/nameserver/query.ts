/**
 * A query as read from its packet: one object a thread, filled anew for every packet. Never throws, never allocates.
 *
 *     header → opcode → question → other records, looking for EDNS
 */

import { opcode, rcode, rrType } from '../dns/codes.ts';
import { NameScan } from '../zone/name-scan.ts';

export const MESSAGE_HEADER_BYTES = 12;

/** `read` result: no answer is due (too short for a header, or itself an answer). */
export const NO_ANSWER = -1;

/** Records looked through for EDNS; a query has one, two with TSIG. */
const MAX_ADDITIONAL_RECORDS = 16;
/** Root, type, class, TTL, data length. */
const OPT_HEADER_BYTES = 11;

export class Query {
  readonly name: NameScan;
  opcode = 0;
  type = 0;
  class = 0;
  /** From the packet's start; 12 when there is no readable question. */
  questionEnd = MESSAGE_HEADER_BYTES;
  recursionDesired = false;
  checkingDisabled = false;
  hasEdns = false;
  /** Largest UDP answer that the client takes (RFC 6891 section 6.2.3). */
  payloadBytes = 0;
  dnssecOk = false;

  constructor(seed: number) {
    this.name = new NameScan(seed);
  }

  /** @returns `NO_ANSWER`, or the response code that what was read calls for: NOERROR when it can be looked up */
  read(buffer: Uint8Array, offset: number, length: number): number {
    this.hasEdns = false;
    this.questionEnd = MESSAGE_HEADER_BYTES;
    if (length < MESSAGE_HEADER_BYTES) return NO_ANSWER;
    const flags = readUint16(buffer, offset + 2);
    if ((flags & 0x8000) !== 0) return NO_ANSWER;
    this.opcode = (flags >>> 11) & 15;
    this.recursionDesired = (flags & 0x0100) !== 0;
    this.checkingDisabled = (flags & 0x0010) !== 0;
    if (this.opcode !== opcode.QUERY) return this.readQuestionOf(buffer, offset, length, rcode.NOTIMP);
    const read = this.readQuestionOf(buffer, offset, length, rcode.NOERROR);
    if (read !== rcode.NOERROR) return read;
    const others = readUint16(buffer, offset + 6) | readUint16(buffer, offset + 8);
    if (others !== 0) return rcode.FORMERR;
    return this.readAdditional(buffer, offset, length, readUint16(buffer, offset + 10));
  }

  private readQuestionOf(buffer: Uint8Array, offset: number, length: number, otherwise: number): number {
    if (readUint16(buffer, offset + 4) !== 1) {
      return otherwise === rcode.NOERROR ? rcode.FORMERR : otherwise;
    }
    const end = offset + length;
    const nameLength = this.name.scan(buffer, offset + MESSAGE_HEADER_BYTES, end);
    const after = offset + MESSAGE_HEADER_BYTES + nameLength;
    if (nameLength < 0 || after + 4 > end) return otherwise === rcode.NOERROR ? rcode.FORMERR : otherwise;
    this.type = readUint16(buffer, after);
    this.class = readUint16(buffer, after + 2);
    this.questionEnd = after + 4 - offset;
    return otherwise;
  }

  /** Finds the OPT record (RFC 6891 section 6.1.1: one at most); all else is passed over. */
  private readAdditional(buffer: Uint8Array, offset: number, length: number, count: number): number {
    const end = offset + length;
    let at = offset + this.questionEnd;
    if (count > MAX_ADDITIONAL_RECORDS) return rcode.FORMERR;
    let answer: number = rcode.NOERROR;
    for (let i = 0; i < count; i++) {
      const nameEnd = skipName(buffer, at, end);
      if (nameEnd < 0 || nameEnd + OPT_HEADER_BYTES - 1 > end) return rcode.FORMERR;
      const next = nameEnd + OPT_HEADER_BYTES - 1 + readUint16(buffer, nameEnd + 8);
      if (next > end) return rcode.FORMERR;
      if (readUint16(buffer, nameEnd) === rrType.OPT) {
        if (this.hasEdns || nameEnd !== at + 1) return rcode.FORMERR;
        this.hasEdns = true;
        this.payloadBytes = readUint16(buffer, nameEnd + 2);
        this.dnssecOk = (buffer[nameEnd + 6] & 0x80) !== 0;
        if (buffer[nameEnd + 5] !== 0) answer = rcode.BADVERS;
      }
      at = next;
    }
    return answer;
  }
}

/** @returns where the name ends, or -1; a compression pointer ends it */
function skipName(buffer: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end) {
    const size = buffer[at];
    if (size === 0) return at + 1;
    if (size >= 0xc0) return at + 2;
    if (size > 63) return -1;
    at += size + 1;
  }
  return -1;
}

export function readUint16(buffer: Uint8Array, at: number): number {
  return (buffer[at] << 8) | buffer[at + 1];
}
