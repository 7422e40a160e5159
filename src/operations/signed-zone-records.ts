/**
 * The records that a signed zone is served with, made of its stored rows: sets with their RRSIG records, and the NSEC or
 * NSEC3 records. A zone image makes the same records of the same rows.
 *
 *     row of the SOA record ─▶ SOA, RRSIG        rows of an owner ─▶ sets, RRSIG        names of the chain ─▶ NSEC(3), RRSIG
 */
import { rrType } from '../dns/codes.ts';
import type { DomainName } from '../dns/name.ts';
import { nsecRdata } from '../dns/nsec-rdata.ts';
import { nsec3Owner, nsec3Rdata } from '../dns/nsec3-rdata.ts';
import { ownerStatus, provenTypeBitmap } from '../dns/proven-types.ts';
import type { StoredSignature } from '../dns/stored-signature.ts';
import type { FormattedRecord } from '../dns/zone-file/format-zone-file.ts';
import { rrsigRdata } from '../dnssec/signed-data.ts';
import type { ZoneName } from '../model/domain.ts';
import { decodeHashedName, decodeOwnerSignatures, decodeSignedSoa } from '../model/generated-row.ts';
import { APEX, ownerBelow, ownerDomainName } from '../model/record-name.ts';
import type { DomainRecord, OwnerKey } from '../model/record.ts';
import { groupRows } from '../model/served-sets.ts';
import { negativeTtlOf } from '../model/soa.ts';
import type { ChainRow } from '../store/chain-rows.ts';
import { ZoneDamaged } from '../store/zone-damage.ts';
import { chainedTypes } from '../writes/signing/zone-rows.ts';

export interface SignedZone {
  readonly name: ZoneName;
  readonly apex: DomainName;
  /** The SOA record and its signatures. */
  readonly soa: readonly FormattedRecord[];
  readonly serial: number;
  /** The TTL of NSEC and NSEC3 records. */
  readonly negativeTtl: number;
}

/** @param row that of the SOA record; throws `ZoneDamaged` if it is missing or damaged, as all functions here do */
export function openSignedZone(name: ZoneName, row: DomainRecord | undefined): SignedZone {
  const signed = row && decodeSignedSoa(row.rdata);
  if (row === undefined || signed === undefined || signed.rdata.length < SOA_TIMES_OCTETS)
    throw new ZoneDamaged(name);
  const { ttl } = row;
  const { rdata, signatures } = signed;
  const apex = ownerDomainName(APEX, name);
  const soa = { owner: apex, ttl, type: rrType.SOA, rdata };
  const serial = new DataView(rdata.buffer, rdata.byteOffset).getUint32(rdata.length - SOA_TIMES_OCTETS);
  const withSignatures = [soa, ...signatures.map((signature) => rrsigOf(signature, soa, apex))];
  return { name, apex, soa: withSignatures, serial, negativeTtl: negativeTtlOf(ttl, rdata) };
}

/** The serial and the times behind it (RFC 1035 section 3.3.13). */
const SOA_TIMES_OCTETS = 20;

/** Yields the records of an owner but those of the chain. @param rows all rows of the owner */
export function* ownerRecords(
  { name, apex }: SignedZone,
  owner: OwnerKey,
  rows: readonly DomainRecord[],
): Generator<FormattedRecord> {
  const { sets, generated } = groupRows(rows);
  const signed = generated.length === 0 ? undefined : decodeOwnerSignatures(generated[0].rdata);
  if (signed === undefined) throw new ZoneDamaged(name);
  const domainName = ownerBelow(owner, apex);
  for (const { type, ttl, rdatas } of sets) {
    const set = { owner: domainName, ttl, type };
    for (const rdata of rdatas) yield { ...set, rdata };
    for (const signature of signed.signatures)
      if (signature.type === type) yield rrsigOf(signature, set, apex);
  }
}

/** A name that owns an NSEC or NSEC3 record. */
export interface ChainName {
  /** The owner of the record: the name itself, or its hash below the apex. */
  readonly owner: DomainName;
  /** Undefined in a chain of NSEC records. */
  readonly hash: Uint8Array | undefined;
  readonly bitmap: Uint8Array;
  readonly signatures: readonly StoredSignature[];
}

/** Returns undefined if the name is not in the chain: it is occluded. */
export function chainNameOf(
  { name, apex }: SignedZone,
  { owner, signatures: rdata, hashedName }: ChainRow,
): ChainName | undefined {
  const signed = rdata && decodeOwnerSignatures(rdata);
  const hashed = hashedName && decodeHashedName(hashedName);
  if ((rdata && signed === undefined) || (hashedName && hashed === undefined)) throw new ZoneDamaged(name);
  const denial = hashed === undefined ? 'nsec' : 'nsec3';
  if (signed?.status === ownerStatus.OCCLUDED && hashed === undefined) return undefined;
  const types = signed === undefined ? [] : chainedTypes(owner, signed);
  const bitmap = provenTypeBitmap(types, signed?.status ?? ownerStatus.AUTHORITATIVE, denial);
  if (hashed !== undefined) {
    const { hash, signatures } = hashed;
    return { owner: nsec3Owner(hash, apex), hash, bitmap, signatures };
  }
  const signatures = (signed?.signatures ?? []).filter(({ type }) => type === rrType.NSEC);
  return { owner: ownerBelow(owner, apex), hash: undefined, bitmap, signatures };
}

/** Returns the NSEC or NSEC3 record of a name and its signatures. @param next the first name after the last one */
export function chainRecords(
  { apex, negativeTtl: ttl }: SignedZone,
  { owner, bitmap, signatures }: ChainName,
  next: ChainName,
): readonly FormattedRecord[] {
  const record =
    next.hash === undefined
      ? { owner, ttl, type: rrType.NSEC, rdata: nsecRdata(next.owner, bitmap) }
      : { owner, ttl, type: rrType.NSEC3, rdata: nsec3Rdata(next.hash, bitmap) };
  return [record, ...signatures.map((signature) => rrsigOf(signature, record, apex))];
}

function rrsigOf(
  signature: StoredSignature,
  { owner, ttl }: Pick<FormattedRecord, 'owner' | 'ttl'>,
  apex: DomainName,
): FormattedRecord {
  return { owner, ttl, type: rrType.RRSIG, rdata: rrsigRdata(signature, { owner, ttl, apex }) };
}
