import { assert } from '../../base/assert.ts';
import { rrType } from '../../dns/codes.ts';
import { equalDomainNames, type DomainName } from '../../dns/name.ts';
import { nsecRdata } from '../../dns/nsec-rdata.ts';
import { nsec3Owner, nsec3Rdata } from '../../dns/nsec3-rdata.ts';
import { ownerStatus, provenTypeBitmap, type Denial } from '../../dns/proven-types.ts';
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
  const served = [...sets];
  if (denial === 'nsec') {
    for (const [at, { owner, status }] of chained.entries()) {
      const next = ownerBelow(chained[(at + 1) % chained.length].owner, apex);
      const name = ownerBelow(owner, apex);
      const bitmap = provenTypeBitmap(typesAt(sets, name), status, denial);
      served.push({
        owner: name,
        type: rrType.NSEC,
        ttl: NEGATIVE_TTL_SECONDS,
        rdata: nsecRdata(next, bitmap),
      });
    }
  }
  for (const { owner, signatures } of owners) {
    for (const signature of signatures)
      served.push(rrsigOf(signature, ownerBelow(owner, apex), served, apex));
  }
  const signedSoa = defined(decodeSignedSoa(defined(stored.find(({ id }) => id === SOA_ID)).rdata));
  for (const signature of signedSoa.signatures) served.push(rrsigOf(signature, apex, sets, apex));
  return [...served, ...hashedChain(stored, sets, apex)];
}

function hashedChain(
  stored: readonly DomainRecord[],
  sets: readonly ZoneRecord[],
  apex: DomainName,
): ZoneRecord[] {
  const rows = stored.filter(({ id }) => id.startsWith('~h'));
  const hashed = rows.map(({ owner, rdata }) => ({ owner, ...defined(decodeHashedName(rdata)) }));
  const statuses = new Map<OwnerKey, DomainRecord>();
  for (const row of stored) if (row.id.startsWith('~s')) statuses.set(row.owner, row);
  return hashed.flatMap(({ owner, hash, signature }, at) => {
    const row = statuses.get(owner);
    const status =
      row === undefined ? ownerStatus.AUTHORITATIVE : defined(decodeOwnerSignatures(row.rdata)).status;
    const bitmap = provenTypeBitmap(typesAt(sets, ownerBelow(owner, apex)), status, 'nsec3');
    const rdata = nsec3Rdata(hashed[(at + 1) % hashed.length].hash, bitmap);
    const nsec3 = { owner: nsec3Owner(hash, apex), type: rrType.NSEC3, ttl: NEGATIVE_TTL_SECONDS, rdata };
    return [nsec3, rrsigOf(signature, nsec3.owner, [nsec3], apex)];
  });
}

/** The customer's sets, those of the keys, and the SOA record; each with its lowest TTL. */
function setsOf(stored: readonly DomainRecord[], apex: DomainName): ZoneRecord[] {
  const sets = stored.filter(({ id }) => !id.startsWith('~') || id.startsWith('~k'));
  const records = sets.map(({ owner, type, rdata }) => {
    const same = sets.filter((other) => other.owner === owner && other.type === type);
    return { owner: ownerBelow(owner, apex), type, ttl: Math.min(...same.map(({ ttl }) => ttl)), rdata };
  });
  const row = defined(stored.find(({ id }) => id === SOA_ID));
  const { rdata } = defined(decodeSignedSoa(row.rdata));
  return [{ owner: apex, type: rrType.SOA, ttl: row.ttl, rdata }, ...records];
}

function typesAt(sets: readonly ZoneRecord[], name: DomainName): number[] {
  return [...new Set(sets.filter(({ owner }) => equalDomainNames(owner, name)).map(({ type }) => type))];
}

function rrsigOf(
  signature: StoredSignature,
  owner: DomainName,
  served: readonly ZoneRecord[],
  apex: DomainName,
): ZoneRecord {
  const covered = served.find(
    ({ type, owner: other }) => type === signature.type && equalDomainNames(other, owner),
  );
  const { ttl } = defined(covered);
  return { owner, type: rrType.RRSIG, ttl, rdata: rrsigRdata(signature, { owner, ttl, apex }) };
}

function defined<T>(value: T | undefined): T {
  assert(value !== undefined, 'a stored row is well-formed');
  return value;
}
