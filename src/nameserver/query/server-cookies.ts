/**
 * Server cookies that all nameservers with the same secret agree on (RFC 9018): who brings one back has received it at
 * the address that the query claims to come from. One object a thread; never allocates.
 *
 *     client cookie: 8 │ version 1: 1 │ reserved: 3 │ seconds: 4 │ SipHash-2-4 of all before and the client's address: 8
 */

import { IPV4_AT, type ClientAddress } from './client-address.ts';
import { readUint32, writeUint32 } from './network-byte-order.ts';
import { CLIENT_COOKIE_BYTES } from './query.ts';
import { SipHash } from './sip-hash.ts';

/** Client and server cookie together. */
export const COOKIE_BYTES = 24;

const VERSION = 1;
const VERSION_AT = 8;
const TIMESTAMP_AT = 12;
const HASH_AT = 16;
const MAX_ADDRESS_BYTES = 16;

/** RFC 9018 section 4.3: cookies are taken for an hour, and from clocks up to five minutes ahead … */
const MAX_AGE_SECONDS = 3600;
const MAX_AHEAD_SECONDS = 300;
/** … and a new one is handed out when the old one is half an hour old. */
const RENEWAL_AGE_SECONDS = 1800;

export class ServerCookies {
  /** After `check`: what the reply's COOKIE option holds. */
  readonly reply = new Uint8Array(COOKIE_BYTES);
  private readonly sipHash: SipHash;
  /** What is hashed: the cookies up to the hash, then the client's address. */
  private readonly message = new Uint8Array(HASH_AT + MAX_ADDRESS_BYTES);

  /** @param secret 16 octets */
  constructor(secret: Uint8Array) {
    this.sipHash = new SipHash(secret);
  }

  /**
   * Reads the COOKIE option's data at buffer[at…at+length), which begins with a client cookie, and makes `reply`.
   *
   * @param nowSeconds since 1970, modulo 2^32
   * @returns true when the client has sent a server cookie of ours that is still good
   */
  check(buffer: Uint8Array, at: number, length: number, client: ClientAddress, nowSeconds: number): boolean {
    const { message } = this;
    const addressAt = client.isIpv4 ? IPV4_AT : 0;
    const addressBytes = MAX_ADDRESS_BYTES - addressAt;
    for (let i = 0; i < addressBytes; i++) message[HASH_AT + i] = client.octets[addressAt + i];
    const messageBytes = HASH_AT + addressBytes;
    const isWhole = length === COOKIE_BYTES;
    for (let i = 0; i < (isWhole ? HASH_AT : CLIENT_COOKIE_BYTES); i++) message[i] = buffer[at + i];
    // Serial number arithmetic (RFC 9018 section 4.3): right beyond the year 2106.
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

  /** Completes the message with its hash. */
  private makeReply(messageBytes: number): void {
    const { message, reply } = this;
    for (let i = 0; i < HASH_AT; i++) reply[i] = message[i];
    this.sipHash.hash(message, messageBytes, reply, HASH_AT);
  }

  /** Looks at every octet of the hash: how long it takes must not say how many were right. */
  private replyEndsLike(buffer: Uint8Array, at: number): boolean {
    let difference = 0;
    for (let i = HASH_AT; i < COOKIE_BYTES; i++) difference |= this.reply[i] ^ buffer[at + i];
    return difference === 0;
  }
}
