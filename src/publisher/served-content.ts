/** Turns stored rows into what the nameserver serves: record sets, the SOA record, and apex NS records in any case. */

import { assert } from '../base/assert.ts';
import { rrType } from '../dns/codes.ts';
import type { DomainName } from '../dns/name.ts';
import { ownerStatus, type Denial } from '../dns/proven-types.ts';
import { checkRdata, parseRdata } from '../dns/rdata/rdata.ts';
import {
  decodeHashedName,
  decodeOwnerSignatures,
  decodeSignedSoa,
  generatedType,
  SOA_OWNER,
  type HashedName,
  type OwnerSignatures,
} from '../model/generated-row.ts';
import { ownerBelow, ownerDomainName } from '../model/record-name.ts';
import type { OwnerKey } from '../model/record.ts';
import { groupRows } from '../model/served-sets.ts';
import {
  negativeTtlOf,
  SOA_TTL_SECONDS,
  OWN_NAMESERVERS_TTL_SECONDS,
  soaOf,
  type SoaDefaults,
} from '../model/soa.ts';
import type { ServedRecord, ZoneHead } from '../model/zone-update.ts';
import type { ZoneSnapshot } from '../store/store.ts';
import type { RecordSet } from '../zone/encode-record-set.ts';
import type { OwnerSets } from '../zone/image-builder.ts';
import type { OwnerSigning } from '../zone/owner-signing.ts';
import type { SoaContent } from '../zone/soa-writer.ts';

const APEX = '' as OwnerKey;

export interface ContentOptions {
  readonly soa: SoaDefaults;
  /** Called for a damaged generated row of that owner, which is then ignored. */
  readonly onDamagedRow: (owner: OwnerKey) => void;
}

/** The row that replaces the SOA record made of settings, in a signed zone. */
export interface SignedSoaRow {
  readonly signedSoa: ServedRecord;
}

/** Groups the records of one owner into sets; generated rows become the owner's signing. */
export function ownerPart(
  owner: OwnerKey,
  name: DomainName,
  records: readonly ServedRecord[],
  options: ContentOptions,
): OwnerSets {
  const { sets, generated } = groupRows(records);
  const signing = generated.length === 0 ? undefined : ownerSigning(owner, generated, options);
  if (signing !== undefined) return { owner: name, sets, signing };
  // The nameservers of a signed zone are rows.
  const needsNameservers = owner === APEX && !sets.some((set) => set.type === rrType.NS);
  return { owner: name, sets: needsNameservers ? [...sets, ownNameservers(options.soa)] : sets };
}

/** Yields a zone's owners, and the row of a signed SOA record; the apex comes first, even without records. */
export function* readParts(
  snapshot: ZoneSnapshot,
  options: ContentOptions,
): Generator<OwnerSets | SignedSoaRow> {
  const apex = ownerDomainName(APEX, snapshot.head.name);
  const part = (): OwnerSets => ownerPart(owner, ownerBelow(owner, apex), records, options);
  let owner = APEX;
  let records: ServedRecord[] = [];
  for (const record of snapshot.records) {
    if (record.owner === SOA_OWNER) {
      yield { signedSoa: record };
      continue;
    }
    if (record.owner !== owner) {
      yield part();
      owner = record.owner;
      records = [];
    }
    records.push(record);
  }
  yield part();
}

/** @param row that of a signed zone */
export function soaContent(
  head: ZoneHead,
  row: ServedRecord | undefined,
  options: ContentOptions,
): SoaContent {
  const signed = row === undefined ? undefined : decodeSignedSoa(row.rdata);
  const isUsable = signed !== undefined && checkRdata(rrType.SOA, signed.rdata) === undefined;
  if (row !== undefined && !isUsable) options.onDamagedRow(SOA_OWNER);
  const rdata = isUsable ? signed.rdata : soaOf(head, options.soa).rdata;
  const ttl = isUsable && row !== undefined ? row.ttl : SOA_TTL_SECONDS;
  const negativeTtl = negativeTtlOf(ttl, rdata);
  return { serial: head.serial, rdata, ttl, negativeTtl, ...(isUsable && { signatures: signed.signatures }) };
}

/** The kind of the chain that a zone with that apex has; undefined if the zone is not signed. */
export function denialOf({ signing }: OwnerSets): Denial | undefined {
  if (signing === undefined) return undefined;
  return signing.hash === undefined ? 'nsec' : 'nsec3';
}

/** Undefined if all rows are damaged. An owner with a hash alone is an empty non-terminal. */
function ownerSigning(
  owner: OwnerKey,
  rows: readonly ServedRecord[],
  { onDamagedRow }: ContentOptions,
): OwnerSigning | undefined {
  let signed: OwnerSignatures | undefined;
  let hashed: HashedName | undefined;
  for (const { type, rdata } of rows) {
    if (type === generatedType.signatures) signed = decodeOwnerSignatures(rdata);
    else hashed = decodeHashedName(rdata);
    if ((type === generatedType.signatures ? signed : hashed) === undefined) onDamagedRow(owner);
  }
  if (hashed === undefined) return signed;
  const { status, signatures } = signed ?? { status: ownerStatus.AUTHORITATIVE, signatures: [] };
  return { status, signatures: [...signatures, ...hashed.signatures], hash: hashed.hash };
}

/** The configured nameservers: a zone is never served without NS records. */
function ownNameservers(defaults: SoaDefaults): RecordSet {
  const rdatas = defaults.nameservers.map((host) => {
    const rdata = parseRdata(rrType.NS, host);
    assert(rdata.ok, `a configured nameserver is a host name: ${host}`);
    return rdata.value;
  });
  return { type: rrType.NS, ttl: OWN_NAMESERVERS_TTL_SECONDS, rdatas };
}
