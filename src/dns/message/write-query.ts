import { ByteWriter } from '../../base/byte-writer.ts';
import { rrClass, rrType } from '../codes.ts';
import type { DomainName } from '../name.ts';

export interface Query {
  /** 16 bits. */
  readonly id: number;
  readonly name: DomainName;
  readonly type: number;
  readonly recursionDesired: boolean;
  /** Largest accepted answer over UDP (RFC 6891 section 6.2.3); null: no EDNS. */
  readonly payloadOctets: number | null;
  /** Asks for signatures (RFC 3225); needs EDNS. */
  readonly dnssecOk?: boolean;
  /** A notification that the set has changed (RFC 1996) instead of a question for it. */
  readonly isNotify?: boolean;
}

/** With the bit that asks a resolver whether it has validated the answer (AD, RFC 6840 section 5.7). */
const RECURSION_DESIRED = 0x0120;

/** The opcode NOTIFY, with the bit of an authoritative sender (RFC 1996 section 3.7). */
const NOTIFY = 0x2400;

/** A flag in the TTL of the OPT record (RFC 3225 section 3). */
const DNSSEC_OK = 0x8000;

/** Encodes a message with one question (RFC 1035 section 4.1). */
export function writeQuery({
  id,
  name,
  type,
  recursionDesired,
  payloadOctets,
  dnssecOk = false,
  isNotify = false,
}: Query): Uint8Array {
  const wire = new ByteWriter(64);
  const additional = payloadOctets === null ? 0 : 1;
  const flags = isNotify ? NOTIFY : recursionDesired ? RECURSION_DESIRED : 0;
  for (const field of [id, flags, 1, 0, 0, additional]) wire.u16(field);
  wire.bytes(name);
  wire.u16(type);
  wire.u16(rrClass.IN);
  if (payloadOctets !== null) {
    wire.u8(0);
    wire.u16(rrType.OPT);
    wire.u16(payloadOctets);
    wire.u32(dnssecOk ? DNSSEC_OK : 0);
    wire.u16(0);
  }
  return wire.finish();
}
