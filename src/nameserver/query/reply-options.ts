/**
 * The options of a reply's EDNS record, encoded before the first section is written, so that their room can be
 * reserved. One object per thread; never allocates.
 *
 *     COOKIE (RFC 7873) │ NSID (RFC 5001) │ edns-tcp-keepalive (RFC 7828) │ extended error (RFC 8914), its text empty
 */

import { ednsOption } from '../../dns/codes.ts';
import { MAX_IDENTIFIER_BYTES } from '../nameserver-limits.ts';
import { writeUint16 } from './network-byte-order.ts';
import { COOKIE_BYTES } from './server-cookies.ts';

const OPTION_HEADER_BYTES = 4;
const MAX_BYTES = 4 * OPTION_HEADER_BYTES + COOKIE_BYTES + MAX_IDENTIFIER_BYTES + 2 + 2;

export class ReplyOptions {
  readonly bytes = new Uint8Array(MAX_BYTES);
  length = 0;
  private cookieEnd = 0;
  /** The NSID answer; empty: none. */
  private readonly identifier: Uint8Array;
  /** The idle timeout of connections, as reported to clients. */
  private readonly keepalive = new Uint8Array(2);

  constructor(identifier: Uint8Array, tcpIdleMs: number) {
    this.identifier = identifier;
    // In units of 100 ms (RFC 7828 section 3.1).
    writeUint16(this.keepalive, 0, Math.min(0xffff, Math.floor(tcpIdleMs / 100)));
  }

  clear(): void {
    this.length = 0;
    this.cookieEnd = 0;
  }

  /** Must be added first. */
  addCookie(cookie: Uint8Array): void {
    this.add(ednsOption.COOKIE, cookie);
    this.cookieEnd = this.length;
  }

  /** Adds this nameserver's identifier, if one is configured. */
  addIdentifier(): void {
    if (this.identifier.length > 0) this.add(ednsOption.NSID, this.identifier);
  }

  addKeepalive(): void {
    this.add(ednsOption.TCP_KEEPALIVE, this.keepalive);
  }

  addExtendedError(code: number): void {
    this.addHeader(ednsOption.EXTENDED_ERROR, 2);
    writeUint16(this.bytes, this.length, code);
    this.length += 2;
  }

  /** Removes all options except the cookie. */
  keepCookie(): void {
    this.length = this.cookieEnd;
  }

  private add(code: number, data: Uint8Array): void {
    this.addHeader(code, data.length);
    for (let i = 0; i < data.length; i++) this.bytes[this.length + i] = data[i];
    this.length += data.length;
  }

  private addHeader(code: number, dataLength: number): void {
    writeUint16(this.bytes, this.length, code);
    writeUint16(this.bytes, this.length + 2, dataLength);
    this.length += OPTION_HEADER_BYTES;
  }
}
