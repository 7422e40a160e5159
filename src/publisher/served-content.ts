/** Turns stored rows into what the nameserver serves: record sets, the SOA record, and apex NS records in any case. */

import { assert } from '../base/assert.ts';
import { rrType } from '../dns/codes.ts';
import { parseRdata } from '../dns/rdata/rdata.ts';
import { ownerBelow, ownerDomainName } from '../model/record-name.ts';
import type { OwnerKey } from '../model/record.ts';
import { SOA_TTL_SECONDS, soaOf, type SoaDefaults } from '../model/soa.ts';
import type { ServedRecord, ZoneHead } from '../model/zone-update.ts';
import type { ZoneSnapshot } from '../store/store.ts';
import type { RecordSet } from '../zone/encode-record-set.ts';
import type { SoaContent } from '../zone/soa-writer.ts';
import type { OwnerSets } from '../zone/image-builder.ts';

/** TTL of the NS records of a domain that has none of its own. */
const NS_TTL_SECONDS = 3600;

const APEX = '' as OwnerKey;

/** Groups the records of one owner into sets; a set's TTL is the lowest of its records' TTLs (RFC 2181 section 5.2). */
export function ownerSets(
  owner: OwnerKey,
  records: readonly ServedRecord[],
  defaults: SoaDefaults,
): RecordSet[] {
  const sets: { readonly type: number; ttl: number; readonly rdatas: Uint8Array[] }[] = [];
  for (const { type, ttl, rdata } of records) {
    const set = sets.find((candidate) => candidate.type === type);
    if (set === undefined) sets.push({ type, ttl, rdatas: [rdata] });
    else {
      set.ttl = Math.min(set.ttl, ttl);
      set.rdatas.push(rdata);
    }
  }
  const needsNameservers = owner === APEX && !sets.some((set) => set.type === rrType.NS);
  return needsNameservers ? [...sets, ownNameservers(defaults)] : sets;
}

/** Yields a zone's owners; the apex comes first, even without records. */
export function* readOwners(snapshot: ZoneSnapshot, defaults: SoaDefaults): Generator<OwnerSets> {
  const apex = ownerDomainName(APEX, snapshot.head.name);
  let owner = APEX;
  let records: ServedRecord[] = [];
  for (const record of snapshot.records) {
    if (record.owner !== owner) {
      yield { owner: ownerBelow(owner, apex), sets: ownerSets(owner, records, defaults) };
      owner = record.owner;
      records = [];
    }
    records.push(record);
  }
  yield { owner: ownerBelow(owner, apex), sets: ownerSets(owner, records, defaults) };
}

export function soaContent(head: ZoneHead, defaults: SoaDefaults): SoaContent {
  const { rdata } = soaOf(head, defaults);
  const minimum = new DataView(rdata.buffer, rdata.byteOffset).getUint32(rdata.length - 4);
  return {
    serial: head.serial,
    rdata,
    ttl: SOA_TTL_SECONDS,
    negativeTtl: Math.min(SOA_TTL_SECONDS, minimum),
  };
}

/** The configured nameservers: a zone is never served without NS records. */
function ownNameservers(defaults: SoaDefaults): RecordSet {
  const rdatas = defaults.nameservers.map((host) => {
    const rdata = parseRdata(rrType.NS, host);
    assert(rdata.ok, `a configured nameserver is a host name: ${host}`);
    return rdata.value;
  });
  return { type: rrType.NS, ttl: NS_TTL_SECONDS, rdatas };
}
