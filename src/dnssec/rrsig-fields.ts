import { ByteReader } from '../base/byte-reader.ts';
import { domainNameAt, type DomainName } from '../dns/name.ts';
import type { StoredSignature } from '../dns/stored-signature.ts';

/** All fields of an RRSIG record (RFC 4034 section 3.1). */
export interface RrsigFields extends StoredSignature {
  readonly labels: number;
  readonly originalTtl: number;
  readonly signer: DomainName;
}

/** Undefined for octets that are no RRSIG data. The signature is a view on them. */
export function decodeRrsig(rdata: Uint8Array): RrsigFields | undefined {
  const wire = new ByteReader(rdata);
  const head = {
    type: wire.u16(),
    algorithm: wire.u8(),
    labels: wire.u8(),
    originalTtl: wire.u32(),
    expiration: wire.u32(),
    inception: wire.u32(),
    keyTag: wire.u16(),
  };
  const signer = domainNameAt(rdata, wire.position);
  if (wire.failed || signer === undefined) return undefined;
  const signature = rdata.subarray(wire.position + signer.length);
  return signature.length === 0 ? undefined : { ...head, signer, signature };
}
