/**
 * Signs a query with a shared secret and verifies the messages that answer it (RFC 8945):
 *
 *     signQuery ─▶ its MAC ─▶ TsigVerifier: first message │ unsigned messages … next signed message │ end must be signed
 *
 * Transfers sign some of their messages only; what came between is covered by the next signature (section 5.3.1).
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { ByteReader } from '../../base/byte-reader.ts';
import { ByteWriter } from '../../base/byte-writer.ts';
import { rcode, rrClass, rrType } from '../../dns/codes.ts';
import type { Message, MessageRecord } from '../../dns/message/read-message.ts';
import { domainNameAt, equalDomainNames, type DomainName } from '../../dns/name.ts';
import { DnsFailure } from './dns-failure.ts';
import { formatRcode } from './format-rcode.ts';
import type { TsigKey } from './tsig-key.ts';

export interface SignedQuery {
  readonly bytes: Uint8Array;
  readonly mac: Uint8Array;
}

type Hmac = ReturnType<typeof createHmac>;

/** How far clocks may differ (section 10 recommends 300). */
const FUDGE_SECONDS = 300;

/** More unsigned messages in a row are not allowed (section 5.3.1 speaks of 99). */
const MAX_UNSIGNED_MESSAGES = 99;

/** Where ARCOUNT stands in a header. */
const ADDITIONAL_COUNT_AT = 10;

/** @param query a message without additional records of its own kind @param nowSeconds since 1970 */
export function signQuery(query: Uint8Array, key: TsigKey, nowSeconds: number): SignedQuery {
  const variables = { timeSigned: nowSeconds, fudge: FUDGE_SECONDS, error: 0, other: new Uint8Array(0) };
  const hmac = createHmac(key.algorithm.hash, key.secret);
  hmac.update(query);
  updateVariables(hmac, key, variables);
  const mac = hmac.digest();
  const wire = new ByteWriter(query.length + 256);
  wire.bytes(withAdditionalCount(query, additionalCount(query) + 1));
  wire.bytes(key.name);
  wire.u16(rrType.TSIG);
  wire.u16(rrClass.ANY);
  wire.u32(0);
  const rdata = new ByteWriter();
  rdata.bytes(key.algorithm.name);
  writeTime(rdata, variables.timeSigned);
  rdata.u16(variables.fudge);
  rdata.u16(mac.length);
  rdata.bytes(mac);
  rdata.u16(query[0] * 0x100 + query[1]);
  rdata.u16(0);
  rdata.u16(0);
  wire.u16(rdata.length);
  wire.bytes(rdata.finish());
  return { bytes: wire.finish(), mac };
}

/** Takes all messages that answer one query, in order. */
export class TsigVerifier {
  private readonly key: TsigKey;
  private hmac: Hmac;
  private isFirst = true;
  private unsigned = 0;

  constructor(key: TsigKey, queryMac: Uint8Array) {
    this.key = key;
    this.hmac = this.begin(queryMac);
  }

  /** @throws DnsFailure when the message is not from who knows the secret, or too old */
  add(bytes: Uint8Array, message: Message, nowSeconds: number): void {
    const record = message.additionals.at(-1);
    if (record?.type !== rrType.TSIG) {
      this.addUnsigned(bytes, message);
      return;
    }
    const tsig = readTsig(record);
    if (tsig === undefined) throw new DnsFailure('malformed', 'the TSIG record of the answer is malformed');
    if (tsig.error !== 0) throw new DnsFailure('refused', explainError(tsig.error));
    if (
      !equalDomainNames(record.owner, this.key.name) ||
      !equalDomainNames(tsig.algorithm, this.key.algorithm.name)
    ) {
      throw new DnsFailure('malformed', 'the answer is signed with another TSIG key');
    }
    const stripped = withAdditionalCount(bytes.subarray(0, record.start), additionalCount(bytes) - 1);
    stripped[0] = tsig.originalId >>> 8;
    stripped[1] = tsig.originalId & 0xff;
    this.hmac.update(stripped);
    if (this.isFirst) updateVariables(this.hmac, this.key, tsig);
    else updateTimers(this.hmac, tsig);
    const mac = this.hmac.digest();
    if (mac.length !== tsig.mac.length || !timingSafeEqual(mac, tsig.mac)) {
      throw new DnsFailure('malformed', 'the TSIG signature of the answer is wrong');
    }
    if (Math.abs(nowSeconds - tsig.timeSigned) > tsig.fudge) {
      throw new DnsFailure('malformed', 'the answer was signed at another time: compare the clocks');
    }
    this.isFirst = false;
    this.unsigned = 0;
    this.hmac = this.begin(mac);
  }

  /** @throws DnsFailure unless the last message was signed */
  finish(): void {
    if (this.isFirst || this.unsigned > 0) {
      throw new DnsFailure('malformed', 'the last message of the answer is not signed');
    }
  }

  private addUnsigned(bytes: Uint8Array, { rcode: code }: Message): void {
    if (this.isFirst && code !== rcode.NOERROR) {
      throw new DnsFailure('refused', `the server answered ${formatRcode(code)}, unsigned`);
    }
    this.unsigned++;
    if (this.isFirst || this.unsigned > MAX_UNSIGNED_MESSAGES) {
      throw new DnsFailure('malformed', 'the answer is not signed');
    }
    this.hmac.update(bytes);
  }

  private begin(priorMac: Uint8Array): Hmac {
    const hmac = createHmac(this.key.algorithm.hash, this.key.secret);
    return hmac.update(new Uint8Array([priorMac.length >>> 8, priorMac.length & 0xff])).update(priorMac);
  }
}

interface TsigTimers {
  /** Seconds since 1970, 48 bits. */
  readonly timeSigned: number;
  readonly fudge: number;
}

interface TsigVariables extends TsigTimers {
  readonly error: number;
  readonly other: Uint8Array;
}

interface TsigData extends TsigVariables {
  readonly algorithm: DomainName;
  readonly mac: Uint8Array;
  readonly originalId: number;
}

function readTsig({ rdata }: MessageRecord): TsigData | undefined {
  const algorithm = domainNameAt(rdata, 0);
  if (algorithm === undefined) return undefined;
  const wire = new ByteReader(rdata, algorithm.length);
  const timeSigned = wire.u16() * 0x100000000 + wire.u32();
  const fudge = wire.u16();
  const mac = wire.take(wire.u16());
  const originalId = wire.u16();
  const error = wire.u16();
  const other = wire.take(wire.u16());
  return wire.failed ? undefined : { algorithm, timeSigned, fudge, mac, originalId, error, other };
}

/** Section 4.3.3. */
function updateVariables(hmac: Hmac, key: TsigKey, variables: TsigVariables): void {
  const wire = new ByteWriter();
  wire.bytes(key.name);
  wire.u16(rrClass.ANY);
  wire.u32(0);
  wire.bytes(key.algorithm.name);
  writeTime(wire, variables.timeSigned);
  wire.u16(variables.fudge);
  wire.u16(variables.error);
  wire.u16(variables.other.length);
  wire.bytes(variables.other);
  hmac.update(wire.finish());
}

/** Section 5.3.1: all that messages after the first sign beside themselves. */
function updateTimers(hmac: Hmac, { timeSigned, fudge }: TsigTimers): void {
  const wire = new ByteWriter();
  writeTime(wire, timeSigned);
  wire.u16(fudge);
  hmac.update(wire.finish());
}

function writeTime(wire: ByteWriter, seconds: number): void {
  wire.u16(Math.floor(seconds / 0x100000000));
  wire.u32(seconds % 0x100000000);
}

function additionalCount(message: Uint8Array): number {
  return message[ADDITIONAL_COUNT_AT] * 0x100 + message[ADDITIONAL_COUNT_AT + 1];
}

function withAdditionalCount(message: Uint8Array, count: number): Uint8Array {
  const copy = message.slice();
  copy[ADDITIONAL_COUNT_AT] = count >>> 8;
  copy[ADDITIONAL_COUNT_AT + 1] = count & 0xff;
  return copy;
}

function explainError(error: number): string {
  switch (error) {
    case rcode.BADKEY:
      return 'the server does not know the TSIG key by that name and algorithm';
    case rcode.BADSIG:
      return 'the server has another secret for the TSIG key';
    case rcode.BADTIME:
      return 'the server refuses the signature’s time: compare the clocks';
    default:
      return `the server refuses the TSIG signature (${formatRcode(error)})`;
  }
}
