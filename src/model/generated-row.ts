/**
 * Rows of signed domains that the service makes itself: signatures, hashed names and the sets of keys. They are stored,
 * copied, hashed and backed up with the customer's records, but customers never see them.
 *
 *     ~h<hash>   an entry of the NSEC3 chain          ~o   the SOA record with its signatures
 *     ~k<type>-  a record at the apex: DNSKEY, CDS…   ~s   the signatures of an owner's sets
 *     ~w         work on signatures is in progress
 *
 * While a large domain is signed in slices, rows of type `unfinished` hold the places of those that are still to be made,
 * with the hash of the name as data, or none (`SigningWork`). They mean nothing to anybody else.
 *
 * NSEC and NSEC3 records are not stored: they follow from the order of these rows and from the owner's sets.
 */
import { ByteReader } from '../base/byte-reader.ts';
import { ByteWriter } from '../base/byte-writer.ts';
import { formatBase32Hex } from '../dns/base64.ts';
import { rrType } from '../dns/codes.ts';
import { ownerStatus, type OwnerStatus } from '../dns/proven-types.ts';
import type { StoredSignature } from '../dns/stored-signature.ts';
import type { OwnerKey } from './record.ts';

/** Every id from here on is generated; the ids of customers' records are UUIDs and sort before it. */
export const FIRST_GENERATED_ID = '~';

export const generatedPrefix = { hashedName: '~h', keySet: '~k', signatures: '~s' } as const;

export const SOA_ID = '~o';

/** An unfinished row at the apex while a domain that is not signed has signatures (`SigningWork`); its data is the serial. */
export const WORK_ID = '~w';

/** Not a possible owner: a new serial is no change of the apex. */
export const SOA_OWNER = '.' as OwnerKey;

/** Meta-type numbers, which never occur as data (RFC 6895 section 3.1): customers cannot have records of these types. */
export const generatedType = { signatures: 200, hashedName: 201, signedSoa: 202, unfinished: 203 } as const;

/** The hash of a name in an NSEC3 chain: SHA-1, the only algorithm that is registered (RFC 5155 section 11). */
export const NAME_HASH_OCTETS = 20;

/**
 * How many sets of one owner can be signed: their signatures share one row, whose data must stay below the 65,535 octets
 * of other records. A packed signature has 15 octets and at most 64 of signature; NSEC is one of the sets. While the
 * algorithm changes, each set has two signatures.
 */
export const MAX_SIGNED_SETS = 400;

/** The same with an RSA key, whose signatures have 256 octets: 350 octets for both of a set. */
export const MAX_RSA_SIGNED_SETS = 180;

export function isGeneratedId(id: string): boolean {
  return id >= FIRST_GENERATED_ID;
}

/** @param orderKey see `formatOrderKey` */
export function signaturesId(orderKey: string): string {
  return generatedPrefix.signatures + orderKey;
}

/** The order of these ids is the order of the hashes (RFC 5155 section 1.3). */
export function hashedNameId(hash: Uint8Array): string {
  return generatedPrefix.hashedName + formatBase32Hex(hash);
}

/** @param suffix distinguishes the records of a set, such as the id of a key */
export function keySetId(type: number, suffix: string): string {
  return `${generatedPrefix.keySet}${String(type).padStart(5, '0')}-${suffix}`;
}

export interface OwnerSignatures {
  readonly status: OwnerStatus;
  /** Those of all signed sets of the owner, and of its NSEC record. */
  readonly signatures: readonly StoredSignature[];
}

/** The data of a row of type `generatedType.signatures`. */
export function encodeOwnerSignatures(
  status: OwnerStatus,
  signatures: readonly StoredSignature[],
): Uint8Array {
  scratch.clear();
  scratch.u8(status);
  writeSignatures(scratch, signatures);
  return scratch.finish();
}

/** Returns undefined for other octets, as the other decoders do. The signatures are views on `octets`. */
export function decodeOwnerSignatures(octets: Uint8Array): OwnerSignatures | undefined {
  const wire = new ByteReader(octets);
  const status = statuses.at(wire.u8());
  const signatures = readSignatures(wire);
  if (status === undefined || signatures === undefined) return undefined;
  return { status, signatures };
}

export interface HashedName {
  readonly hash: Uint8Array;
  /** Those of the NSEC3 record: several while keys change. */
  readonly signatures: readonly StoredSignature[];
}

/** The data of a row of type `generatedType.hashedName`. */
export function encodeHashedName({ hash, signatures }: HashedName): Uint8Array {
  const wire = new ByteWriter();
  wire.bytes(hash);
  writeSignatures(wire, signatures);
  return wire.finish();
}

export function decodeHashedName(octets: Uint8Array): HashedName | undefined {
  const wire = new ByteReader(octets);
  const hash = wire.take(NAME_HASH_OCTETS);
  const signatures = readSignatures(wire);
  if (signatures === undefined || signatures.length === 0) return undefined;
  return signatures.every(({ type }) => type === rrType.NSEC3) ? { hash, signatures } : undefined;
}

export interface SignedSoa {
  /** SOA RDATA in uncompressed wire form, with the serial that is signed. */
  readonly rdata: Uint8Array;
  readonly signatures: readonly StoredSignature[];
}

/** The data of the row `SOA_ID`. */
export function encodeSignedSoa({ rdata, signatures }: SignedSoa): Uint8Array {
  const wire = new ByteWriter();
  wire.u16(rdata.length);
  wire.bytes(rdata);
  writeSignatures(wire, signatures);
  return wire.finish();
}

export function decodeSignedSoa(octets: Uint8Array): SignedSoa | undefined {
  const wire = new ByteReader(octets);
  const rdata = wire.take(wire.u16());
  const signatures = readSignatures(wire);
  if (signatures?.every(({ type }) => type === rrType.SOA) !== true) return undefined;
  return { rdata, signatures };
}

/** A large zone is signed name by name. */
const scratch = new ByteWriter();

const statuses = [ownerStatus.OCCLUDED, ownerStatus.AUTHORITATIVE, ownerStatus.DELEGATION];

function writeSignatures(wire: ByteWriter, signatures: readonly StoredSignature[]): void {
  for (const { type, keyTag, algorithm, inception, expiration, signature } of signatures) {
    wire.u16(type);
    wire.u16(keyTag);
    wire.u8(algorithm);
    wire.u32(inception);
    wire.u32(expiration);
    wire.u16(signature.length);
    wire.bytes(signature);
  }
}

/** Reads to the end; undefined if the octets end within a signature, or before. */
function readSignatures(wire: ByteReader): readonly StoredSignature[] | undefined {
  const signatures: StoredSignature[] = [];
  while (wire.remaining > 0) {
    signatures.push({
      type: wire.u16(),
      keyTag: wire.u16(),
      algorithm: wire.u8(),
      inception: wire.u32(),
      expiration: wire.u32(),
      signature: wire.take(wire.u16()),
    });
  }
  return wire.failed ? undefined : signatures;
}
