/**
 * A query as read from its packet: one object per thread, refilled for every packet. Never throws, never allocates.
 *
 *     header → opcode → question → other records, looking for EDNS → its options, by position, without copying
 */

import { ednsOption, opcode, rcode, rrType } from '../../dns/codes.ts';
import { MAX_LABEL_OCTETS, MAX_NAME_OCTETS } from '../../dns/name.ts';
import { NameScan } from '../../zone/name-scan.ts';
import { readUint16 } from './network-byte-order.ts';

export const MESSAGE_HEADER_BYTES = 12;

/** Result of `read`: no answer is due (shorter than a header, or itself an answer). */
export const NO_ANSWER = -1;

/** Result of `read`: a cookie without a question, which requests only a server cookie (RFC 7873 section 5.4). */
export const COOKIE_ONLY = -2;

/** A client cookie has 8 octets, a server cookie 8 to 32 (RFC 7873 section 4). */
export const CLIENT_COOKIE_BYTES = 8;
const MIN_COOKIES_BYTES = 16;
const MAX_COOKIES_BYTES = 40;

/** Limit of records searched for EDNS; a query has one additional record, or two with TSIG. */
const MAX_ADDITIONAL_RECORDS = 16;
/** Root name, type, class, TTL, data length. */
const OPT_HEADER_BYTES = 11;
/** Code and length. */
const OPTION_HEADER_BYTES = 4;
/** The first octet of a compression pointer has these bits; the other fourteen are the offset (RFC 1035 section 4.1.4). */
const POINTER_BITS = 0xc0;
const MAX_POINTER = 0x3fff;

export class Query {
  readonly name: NameScan;
  opcode = 0;
  type = 0;
  class = 0;
  /** Offset in the packet; 12 if there is no readable question. */
  questionEnd = MESSAGE_HEADER_BYTES;
  recursionDesired = false;
  checkingDisabled = false;
  hasEdns = false;
  /** Largest UDP answer that the client accepts (RFC 6891 section 6.2.3). */
  payloadBytes = 0;
  dnssecOk = false;
  /** True if there are options; otherwise the fields below are not valid. */
  hasOptions = false;
  /** Offset in the buffer of the first COOKIE option's data, and its length: 0 if there is none. */
  cookieAt = 0;
  cookieLength = 0;
  asksForIdentifier = false;
  asksForKeepalive = false;

  constructor(seed: number) {
    this.name = new NameScan(seed);
  }

  /** @returns `NO_ANSWER`, `COOKIE_ONLY`, or a response code: NOERROR if the question can be looked up */
  read(buffer: Uint8Array, offset: number, length: number): number {
    this.hasEdns = false;
    this.dnssecOk = false;
    this.hasOptions = false;
    this.cookieLength = 0;
    this.questionEnd = MESSAGE_HEADER_BYTES;
    if (length < MESSAGE_HEADER_BYTES) return NO_ANSWER;
    const flags = readUint16(buffer, offset + 2);
    if ((flags & 0x8000) !== 0) return NO_ANSWER;
    this.opcode = (flags >>> 11) & 15;
    this.recursionDesired = (flags & 0x0100) !== 0;
    this.checkingDisabled = (flags & 0x0010) !== 0;
    const questions = readUint16(buffer, offset + 4);
    const isReadable = questions <= 1 && (questions === 0 || this.readQuestion(buffer, offset, length));
    if (this.opcode !== opcode.QUERY) return this.readOther(buffer, offset, length, isReadable);
    if (!isReadable) return rcode.FORMERR;
    const hasQuestion = questions === 1;
    const authorities = readUint16(buffer, offset + 8);
    // An IXFR query carries the client's SOA record there (RFC 1995 section 3).
    const passed = hasQuestion && this.type === rrType.IXFR ? authorities : 0;
    if (readUint16(buffer, offset + 6) !== 0 || authorities !== passed) return rcode.FORMERR;
    if (passed + readUint16(buffer, offset + 10) > MAX_ADDITIONAL_RECORDS) return rcode.FORMERR;
    const read = this.readAdditional(buffer, offset, length, passed);
    if (hasQuestion || read !== rcode.NOERROR) return read;
    return this.cookieLength === 0 ? rcode.FORMERR : COOKIE_ONLY;
  }

  /**
   * Other operations are not implemented. Like BIND, the answer has EDNS if the message has it, and neither RD nor CD, which
   * concern queries.
   */
  private readOther(buffer: Uint8Array, offset: number, length: number, isReadable: boolean): number {
    this.recursionDesired = false;
    this.checkingDisabled = false;
    if (!isReadable) return rcode.NOTIMP;
    const passed = readUint16(buffer, offset + 6) + readUint16(buffer, offset + 8);
    const read = this.readAdditional(buffer, offset, length, passed);
    return read === rcode.BADVERS ? read : rcode.NOTIMP;
  }

  /** @returns false if the question cannot be read */
  private readQuestion(buffer: Uint8Array, offset: number, length: number): boolean {
    const end = offset + length;
    const nameLength = this.name.scan(buffer, offset + MESSAGE_HEADER_BYTES, end);
    const after = offset + MESSAGE_HEADER_BYTES + nameLength;
    if (nameLength < 0 || after + 4 > end) return false;
    this.type = readUint16(buffer, after);
    this.class = readUint16(buffer, after + 2);
    this.questionEnd = after + 4 - offset;
    return true;
  }

  /**
   * Finds the OPT record (RFC 6891 section 6.1.1: at most one) and ignores all others.
   *
   * @param passed number of records between the question and the additional section
   */
  private readAdditional(buffer: Uint8Array, offset: number, length: number, passed: number): number {
    const end = offset + length;
    const count = passed + readUint16(buffer, offset + 10);
    let at = offset + this.questionEnd;
    let answer: number = rcode.NOERROR;
    for (let i = 0; i < count; i++) {
      const nameEnd = skipName(buffer, offset, at, end);
      if (nameEnd < 0 || nameEnd + OPT_HEADER_BYTES - 1 > end) return rcode.FORMERR;
      const optionsAt = nameEnd + OPT_HEADER_BYTES - 1;
      const next = optionsAt + readUint16(buffer, nameEnd + 8);
      if (next > end) return rcode.FORMERR;
      if (readUint16(buffer, nameEnd) === rrType.OPT) {
        if (this.hasEdns || nameEnd !== at + 1 || i < passed) return rcode.FORMERR;
        this.hasEdns = true;
        this.payloadBytes = readUint16(buffer, nameEnd + 2);
        this.dnssecOk = (buffer[nameEnd + 6] & 0x80) !== 0;
        if (buffer[nameEnd + 5] !== 0) answer = rcode.BADVERS;
        else if (next > optionsAt && !this.readOptions(buffer, optionsAt, next)) return rcode.FORMERR;
      }
      at = next;
    }
    return answer;
  }

  /**
   * Returns false if the options do not end where they should, or the cookie has an invalid length (RFC 7873 section
   * 5.2.2).
   */
  private readOptions(buffer: Uint8Array, start: number, end: number): boolean {
    this.hasOptions = true;
    this.asksForIdentifier = false;
    this.asksForKeepalive = false;
    let at = start;
    while (at < end) {
      if (at + OPTION_HEADER_BYTES > end) return false;
      const code = readUint16(buffer, at);
      const length = readUint16(buffer, at + 2);
      at += OPTION_HEADER_BYTES;
      if (at + length > end) return false;
      if (code === ednsOption.NSID) this.asksForIdentifier = true;
      else if (code === ednsOption.TCP_KEEPALIVE) this.asksForKeepalive = true;
      else if (code === ednsOption.COOKIE && this.cookieLength === 0) {
        const isBoth = length >= MIN_COOKIES_BYTES && length <= MAX_COOKIES_BYTES;
        if (length !== CLIENT_COOKIE_BYTES && !isBoth) return false;
        this.cookieAt = at;
        this.cookieLength = length;
      }
      at += length;
    }
    return true;
  }
}

/** @returns the end of the name that begins at `start`, or -1 */
function skipName(buffer: Uint8Array, message: number, start: number, end: number): number {
  let at = start;
  while (at < end) {
    const size = buffer[at];
    if (size === 0) return at + 1;
    if (size >= POINTER_BITS) return leadsBack(buffer, message, start, at, end) ? at + 2 : -1;
    if (size > MAX_LABEL_OCTETS) return -1;
    at += size + 1;
  }
  return -1;
}

/** Whether the pointer leads to a name before `start`, and each further pointer to one before that (RFC 1035 section 4.1.4). */
function leadsBack(
  buffer: Uint8Array,
  message: number,
  start: number,
  pointer: number,
  end: number,
): boolean {
  let at = pointer;
  let before = start;
  for (let steps = 0; steps < MAX_NAME_OCTETS && at + 1 < end; steps++) {
    const size = buffer[at];
    if (size === 0) return true;
    if (size >= POINTER_BITS) {
      at = message + (readUint16(buffer, at) & MAX_POINTER);
      if (at >= before) return false;
      before = at;
    } else if (size > MAX_LABEL_OCTETS) return false;
    else at += size + 1;
  }
  return false;
}
