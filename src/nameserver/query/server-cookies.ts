/**
 * Server cookies that are valid at all nameservers with the same secret (RFC 9018): a client that returns one has
 * received it at the address that the query claims to come from. One object per thread; never allocates.
 *
 *     client cookie: 8 │ version 1: 1 │ reserved: 3 │ seconds: 4 │ SipHash-2-4 of all before and the client's address: 8
 */

import { IPV4_AT, type ClientAddress } from './client-address.ts';
import { readUint32, writeUint32 } from './network-byte-order.ts';
import { CLIENT_COOKIE_BYTES } from './query.ts';
import { SipHash } from './sip-hash.ts';

export const COOKIE_BYTES = 24;

const VERSION = 1;
const VERSION_AT = 8;
const TIMESTAMP_AT = 12;
const HASH_AT = 16;
const MAX_ADDRESS_BYTES = 16;

/** RFC 9018 section 4.3: cookies are accepted for an hour, and from clocks up to five minutes ahead … */
const MAX_AGE_SECONDS = 3600;
const MAX_AHEAD_SECONDS = 300;
/** … and renewed when they are half an hour old. */
const RENEWAL_AGE_SECONDS = 1800;

export class ServerCookies {
  /** The data of the reply's COOKIE option, valid after `check`. */
  readonly reply = new Uint8Array(COOKIE_BYTES);
  private readonly sipHash: SipHash;
  /** The hashed message: the cookies up to the hash, then the client's address. */
  private readonly message = new Uint8Array(HASH_AT + MAX_ADDRESS_BYTES);

  /** @param secret 16 octets */
  constructor(secret: Uint8Array) {
    this.sipHash = new SipHash(secret);
  }

  /**
   * Reads the COOKIE option's data at buffer[at…at+length), which begins with a client cookie, and fills `reply`.
   *
   * @param nowSeconds since 1970, modulo 2^32
   * @returns true if the client has sent a valid server cookie of ours
   */
  check(buffer: Uint8Array, at: number, length: number, client: ClientAddress, nowSeconds: number): boolean {
    const { message } = this;
    const addressAt = client.isIpv4 ? IPV4_AT : 0;
    const addressBytes = MAX_ADDRESS_BYTES - addressAt;
    for (let i = 0; i < addressBytes; i++) message[HASH_AT + i] = client.octets[addressAt + i];
    const messageBytes = HASH_AT + addressBytes;
    const isWhole = length === COOKIE_BYTES;
    for (let i = 0; i < (isWhole ? HASH_AT : CLIENT_COOKIE_BYTES); i++) message[i] = buffer[at + i];
    // Serial number arithmetic (RFC 9018 section 4.3), correct beyond the year 2106.
    const ageSeconds = (nowSeconds - readUint32(message, TIMESTAMP_AT)) | 0;
    const isTimely = ageSeconds <= MAX_AGE_SECONDS && ageSeconds >= -MAX_AHEAD_SECONDS;
    let isGood = false;
    if (isWhole && message[VERSION_AT] === VERSION && isTimely) {
      this.makeReply(messageBytes);
      isGood = this.replyEndsLike(buffer, at);
      if (isGood && ageSeconds <= RENEWAL_AGE_SECONDS) return true;
    }
    writeUint32(message, VERSION_AT, VERSION << 24);
    writeUint32(message, TIMESTAMP_AT, nowSeconds);
    this.makeReply(messageBytes);
    return isGood;
  }

  private makeReply(messageBytes: number): void {
    const { message, reply } = this;
    for (let i = 0; i < HASH_AT; i++) reply[i] = message[i];
    this.sipHash.hash(message, messageBytes, reply, HASH_AT);
  }

  /** Compares every octet of the hash, so that the time taken does not reveal how many matched. */
  private replyEndsLike(buffer: Uint8Array, at: number): boolean {
    let difference = 0;
    for (let i = HASH_AT; i < COOKIE_BYTES; i++) difference |= this.reply[i] ^ buffer[at + i];
    return difference === 0;
  }
}
