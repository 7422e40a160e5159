/**
 * Signs a query with a shared secret and verifies the messages of its answer (RFC 8945):
 *
 *     signQuery ─▶ its MAC ─▶ TsigVerifier: first message │ unsigned messages … next signed message │ end must be signed
 *
 * A transfer signs only some of its messages; each signature also covers the unsigned messages since the previous one
 * (section 5.3.1). The hash function is an argument, so this module does no I/O and imports no Node module.
 */
import { assert } from '../base/assert.ts';
import { ByteReader } from '../base/byte-reader.ts';
import { ByteWriter } from '../base/byte-writer.ts';
import { rcode, rrClass, rrType } from './codes.ts';
import { formatRcode } from './format-rcode.ts';
import type { Message, MessageRecord } from './message.ts';
import { domainNameAt, equalDomainNames, parseDomainName, type DomainName } from './name.ts';

/** A secret that two servers share (RFC 8945). */
export interface TsigKey {
  /** In lower case, as it is signed. */
  readonly name: DomainName;
  readonly algorithm: TsigAlgorithm;
  readonly secret: Uint8Array;
}

export interface TsigAlgorithm {
  /** The name on the wire (RFC 8945 section 6). */
  readonly name: DomainName;
  readonly hash: TsigHash;
}

/** Names of the hash functions in `node:crypto`. */
export type TsigHash = 'md5' | 'sha1' | 'sha224' | 'sha256' | 'sha384' | 'sha512';

/** RFC 8945 section 6. MD5 and SHA-1 are obsolete, but servers that users migrate from still use them. */
const algorithms: ReadonlyMap<string, TsigAlgorithm> = new Map([
  ['hmac-md5', algorithm('hmac-md5.sig-alg.reg.int', 'md5')],
  ['hmac-sha1', algorithm('hmac-sha1', 'sha1')],
  ['hmac-sha224', algorithm('hmac-sha224', 'sha224')],
  ['hmac-sha256', algorithm('hmac-sha256', 'sha256')],
  ['hmac-sha384', algorithm('hmac-sha384', 'sha384')],
  ['hmac-sha512', algorithm('hmac-sha512', 'sha512')],
]);

export const tsigAlgorithmNames: readonly string[] = [...algorithms.keys()];

/** Finds an algorithm by its usual name, in any case: `hmac-sha256`. */
export function findTsigAlgorithm(name: string): TsigAlgorithm | undefined {
  return algorithms.get(name.toLowerCase());
}

/** A keyed hash in progress (RFC 2104). */
export interface Hmac {
  update(bytes: Uint8Array): void;
  /** Must be called once, at the end. */
  digest(): Uint8Array;
}

/** Starts a keyed hash, for example with `node:crypto`. */
export type CreateHmac = (hash: TsigHash, secret: Uint8Array) => Hmac;

export interface SignedQuery {
  readonly bytes: Uint8Array;
  readonly mac: Uint8Array;
}

/** Why a message is rejected: the server refused the query (`refused`), or the signature is wrong (`malformed`). */
export interface TsigProblem {
  readonly kind: 'refused' | 'malformed';
  /** One sentence without a full stop. */
  readonly message: string;
}

/** Allowed difference between clocks (section 10 recommends 300). */
const FUDGE_SECONDS = 300;

/** Maximum number of consecutive unsigned messages (section 5.3.1). */
const MAX_UNSIGNED_MESSAGES = 99;

/** Offset of ARCOUNT in the header. */
const ADDITIONAL_COUNT_AT = 10;

/**
 * @param query a message without a TSIG record
 * @param nowSeconds since 1970
 */
export function signQuery(
  query: Uint8Array,
  key: TsigKey,
  nowSeconds: number,
  createHmac: CreateHmac,
): SignedQuery {
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

/** Verifies all messages that answer one query, in order. The first problem ends the exchange. */
export class TsigVerifier {
  private readonly key: TsigKey;
  private readonly createHmac: CreateHmac;
  private hmac: Hmac;
  private isFirst = true;
  private unsigned = 0;

  constructor(key: TsigKey, queryMac: Uint8Array, createHmac: CreateHmac) {
    this.key = key;
    this.createHmac = createHmac;
    this.hmac = this.begin(queryMac);
  }

  /**
   * Verifies the next message; returns undefined if it is accepted.
   *
   * @param nowSeconds since 1970
   */
  add(bytes: Uint8Array, message: Message, nowSeconds: number): TsigProblem | undefined {
    const record = message.additionals.at(-1);
    if (record?.type !== rrType.TSIG) return this.addUnsigned(bytes, message);
    const tsig = readTsig(record);
    if (tsig === undefined) return problem('malformed', 'the TSIG record of the answer is malformed');
    if (tsig.error !== 0) return problem('refused', explainError(tsig.error));
    if (
      !equalDomainNames(record.owner, this.key.name) ||
      !equalDomainNames(tsig.algorithm, this.key.algorithm.name)
    ) {
      return problem('malformed', 'the answer is signed with another TSIG key');
    }
    const stripped = withAdditionalCount(bytes.subarray(0, record.start), additionalCount(bytes) - 1);
    stripped[0] = tsig.originalId >>> 8;
    stripped[1] = tsig.originalId & 0xff;
    this.hmac.update(stripped);
    if (this.isFirst) updateVariables(this.hmac, this.key, tsig);
    else updateTimers(this.hmac, tsig);
    const mac = this.hmac.digest();
    if (!equalInConstantTime(mac, tsig.mac)) {
      return problem('malformed', 'the TSIG signature of the answer is wrong');
    }
    if (Math.abs(nowSeconds - tsig.timeSigned) > tsig.fudge) {
      return problem('malformed', 'the time of the signature is too far from ours: compare the clocks');
    }
    this.isFirst = false;
    this.unsigned = 0;
    this.hmac = this.begin(mac);
    return undefined;
  }

  /** Returns undefined if the last message was signed (section 5.3.1). */
  finish(): TsigProblem | undefined {
    const isSigned = !this.isFirst && this.unsigned === 0;
    return isSigned ? undefined : problem('malformed', 'the last message of the answer is not signed');
  }

  private addUnsigned(bytes: Uint8Array, { rcode: code }: Message): TsigProblem | undefined {
    if (this.isFirst && code !== rcode.NOERROR) {
      return problem('refused', `the server answered ${formatRcode(code)} without a signature`);
    }
    this.unsigned++;
    if (this.isFirst || this.unsigned > MAX_UNSIGNED_MESSAGES) {
      return problem('malformed', 'the answer is not signed');
    }
    this.hmac.update(bytes);
    return undefined;
  }

  private begin(priorMac: Uint8Array): Hmac {
    const hmac = this.createHmac(this.key.algorithm.hash, this.key.secret);
    hmac.update(Uint8Array.of(priorMac.length >>> 8, priorMac.length & 0xff));
    hmac.update(priorMac);
    return hmac;
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

/** Section 5.3.1: messages after the first sign only these variables. */
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

/** Compares in a time that depends only on the length. */
function equalInConstantTime(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a[i] ^ b[i];
  return difference === 0;
}

function problem(kind: TsigProblem['kind'], message: string): TsigProblem {
  return { kind, message };
}

function explainError(error: number): string {
  switch (error) {
    case rcode.BADKEY:
      return 'the server does not know the TSIG key by that name and algorithm';
    case rcode.BADSIG:
      return 'the server has another secret for the TSIG key';
    case rcode.BADTIME:
      return 'the server rejects the time of the signature: compare the clocks';
    default:
      return `the server rejects the TSIG signature (${formatRcode(error)})`;
  }
}

function algorithm(text: string, hash: TsigHash): TsigAlgorithm {
  const name = parseDomainName(text);
  assert(name.ok, `${text} is a domain name`);
  return { name: name.value, hash };
}
