import { assert } from '../../base/assert.ts';
import { rrType } from '../../dns/codes.ts';
import type { DomainName } from '../../dns/name.ts';
import { nsecRdata } from '../../dns/nsec-rdata.ts';
import { nsec3Owner, nsec3Rdata } from '../../dns/nsec3-rdata.ts';
import { ownerStatus, provenTypeBitmap, type Denial, type OwnerStatus } from '../../dns/proven-types.ts';
import type { StoredSignature } from '../../dns/stored-signature.ts';
import { rrsigRdata } from '../../dnssec/signed-data.ts';
import type { ZoneRecord } from '../../dnssec/zone-records.test-support.ts';
import {
  decodeHashedName,
  decodeOwnerSignatures,
  decodeSignedSoa,
  SOA_ID,
} from '../../model/generated-row.ts';
import type { ZoneName } from '../../model/domain.ts';
import { APEX, ownerBelow, ownerDomainName } from '../../model/record-name.ts';
import type { DomainRecord, OwnerKey } from '../../model/record.ts';
import { NEGATIVE_TTL_SECONDS } from '../../model/soa.ts';

/** Makes the records that a signed zone serves of its stored rows, as a zone image does. */
export function servedZone(stored: readonly DomainRecord[], name: ZoneName, denial: Denial): ZoneRecord[] {
  const apex = ownerDomainName(APEX, name);
  const sets = setsOf(stored, apex);
  const rows = stored.filter(({ id }) => id.startsWith('~s'));
  const owners = rows.map(({ owner, rdata }) => ({ owner, ...defined(decodeOwnerSignatures(rdata)) }));
  const chained = owners.filter(({ status }) => status !== ownerStatus.OCCLUDED);
  const byName = new ByName(sets);
  const chain: ZoneRecord[] = denial === 'nsec' ? namesChain(chained, byName, apex) : [];
  const signed = new ByName([...sets, ...chain]);
  const signatures = owners.flatMap((row) =>
    row.signatures.map((signature) => rrsigOf(signature, ownerBelow(row.owner, apex), signed, apex)),
  );
  const { signatures: ofSoa } = defined(
    decodeSignedSoa(defined(stored.find(({ id }) => id === SOA_ID)).rdata),
  );
  const soaSignatures = ofSoa.map((signature) => rrsigOf(signature, apex, signed, apex));
  return [...sets, ...chain, ...signatures, ...soaSignatures, ...hashedChain(stored, byName, apex)];
}

function namesChain(
  chained: readonly { readonly owner: OwnerKey; readonly status: OwnerStatus }[],
  sets: ByName,
  apex: DomainName,
): ZoneRecord[] {
  return chained.map(({ owner, status }, at) => {
    const next = ownerBelow(chained[(at + 1) % chained.length].owner, apex);
    const name = ownerBelow(owner, apex);
    const bitmap = provenTypeBitmap(sets.typesAt(name), status, 'nsec');
    return { owner: name, type: rrType.NSEC, ttl: NEGATIVE_TTL_SECONDS, rdata: nsecRdata(next, bitmap) };
  });
}

function hashedChain(stored: readonly DomainRecord[], sets: ByName, apex: DomainName): ZoneRecord[] {
  const rows = stored.filter(({ id }) => id.startsWith('~h'));
  const hashed = rows.map(({ owner, rdata }) => ({ owner, ...defined(decodeHashedName(rdata)) }));
  const statuses = new Map<OwnerKey, DomainRecord>();
  for (const row of stored) if (row.id.startsWith('~s')) statuses.set(row.owner, row);
  return hashed.flatMap(({ owner, hash, signatures }, at) => {
    const row = statuses.get(owner);
    const status =
      row === undefined ? ownerStatus.AUTHORITATIVE : defined(decodeOwnerSignatures(row.rdata)).status;
    const bitmap = provenTypeBitmap(sets.typesAt(ownerBelow(owner, apex)), status, 'nsec3');
    const rdata = nsec3Rdata(hashed[(at + 1) % hashed.length].hash, bitmap);
    const nsec3 = { owner: nsec3Owner(hash, apex), type: rrType.NSEC3, ttl: NEGATIVE_TTL_SECONDS, rdata };
    const signed = new ByName([nsec3]);
    return [nsec3, ...signatures.map((signature) => rrsigOf(signature, nsec3.owner, signed, apex))];
  });
}

/** The customer's sets, those of the keys, and the SOA record; each with its lowest TTL. */
function setsOf(stored: readonly DomainRecord[], apex: DomainName): ZoneRecord[] {
  const sets = stored.filter(({ id }) => !id.startsWith('~') || id.startsWith('~k'));
  const ttls = new Map<string, number>();
  for (const { owner, type, ttl } of sets) {
    const key = `${type} ${owner}`;
    ttls.set(key, Math.min(ttl, ttls.get(key) ?? ttl));
  }
  const records = sets.map(({ owner, type, rdata }) => {
    const ttl = defined(ttls.get(`${type} ${owner}`));
    return { owner: ownerBelow(owner, apex), type, ttl, rdata };
  });
  const row = defined(stored.find(({ id }) => id === SOA_ID));
  const { rdata } = defined(decodeSignedSoa(row.rdata));
  return [{ owner: apex, type: rrType.SOA, ttl: row.ttl, rdata }, ...records];
}

/** Finds served records by their owner. */
class ByName {
  private readonly records = new Map<string, ZoneRecord[]>();

  constructor(records: readonly ZoneRecord[]) {
    for (const record of records) this.add(record);
  }

  add(record: ZoneRecord): void {
    const key = Buffer.from(record.owner).toString('latin1');
    this.records.set(key, [...(this.records.get(key) ?? []), record]);
  }

  at(name: DomainName): readonly ZoneRecord[] {
    return this.records.get(Buffer.from(name).toString('latin1')) ?? [];
  }

  typesAt(name: DomainName): number[] {
    return [...new Set(this.at(name).map(({ type }) => type))];
  }
}

function rrsigOf(
  signature: StoredSignature,
  owner: DomainName,
  served: ByName,
  apex: DomainName,
): ZoneRecord {
  const { ttl } = defined(served.at(owner).find(({ type }) => type === signature.type));
  return { owner, type: rrType.RRSIG, ttl, rdata: rrsigRdata(signature, { owner, ttl, apex }) };
}

function defined<T>(value: T | undefined): T {
  assert(value !== undefined, 'a stored row is well-formed');
  return value;
}
