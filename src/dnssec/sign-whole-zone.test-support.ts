/**
 * Signs a whole zone at once, for tests: what `writes` keeps up to date change by change must be the same in the end.
 *
 *     records ─▶ owners in canonical order with their status ─▶ sets ─▶ chain (NSEC or NSEC3) ─▶ signatures
 */
import { rrType } from '../dns/codes.ts';
import {
  compareDomainNames,
  countLabels,
  equalDomainNames,
  formatDomainName,
  isSubdomain,
  lowerDomainName,
  type DomainName,
} from '../dns/name.ts';
import { nsecRdata } from '../dns/nsec-rdata.ts';
import { nsec3Owner, nsec3ParamRdata, nsec3Rdata } from '../dns/nsec3-rdata.ts';
import { ownerStatus, provenTypeBitmap, type Denial, type OwnerStatus } from '../dns/proven-types.ts';
import type { SignatureTimes } from './signature-times.ts';
import { rrsigRdata, signRrset } from './signed-data.ts';
import type { ZoneKey } from './zone-key.ts';
import type { ZoneRecord } from './zone-records.test-support.ts';
import type { ZoneSigner } from './zone-signer.ts';

export interface Signing {
  readonly apex: DomainName;
  readonly denial: Denial;
  readonly key: ZoneKey;
  readonly signer: ZoneSigner;
  readonly times: SignatureTimes;
}

/** A name of the zone with its sets; an empty non-terminal has none. */
interface Owner {
  readonly name: DomainName;
  readonly status: OwnerStatus;
  readonly sets: Map<number, ZoneRecord[]>;
}

const { OCCLUDED, AUTHORITATIVE, DELEGATION } = ownerStatus;

/**
 * Returns the records given, those of the key (unless the apex has such sets), and all RRSIG, NSEC and NSEC3 records.
 * The records of a set get its lowest TTL, as they are served.
 *
 * @param unsigned with the SOA and NS records; no RRSIG, NSEC or NSEC3 records
 */
export function signWholeZone(unsigned: readonly ZoneRecord[], signing: Signing): ZoneRecord[] {
  const all = ownersOf([...unsigned, ...keyRecords(unsigned, signing)], signing.apex);
  const records = all.flatMap(({ sets }) => [...sets.values()].flat());
  const owners = all.filter(({ status }) => status !== OCCLUDED);
  const chain = signing.denial === 'nsec' ? nsecChain(owners, signing) : nsec3Chain(owners, signing);
  const signed = owners.flatMap(({ status, sets }) =>
    [...sets].filter(([type]) => status === AUTHORITATIVE || type === rrType.DS).map(([, set]) => set),
  );
  const signatures = [...signed, ...chain.map((record) => [record])].map((set) => signSet(set, signing));
  return [...records, ...chain, ...signatures];
}

/** The sets of the key at the apex, with the TTL of the SOA record. */
function keyRecords(unsigned: readonly ZoneRecord[], { apex, denial, key, signer }: Signing): ZoneRecord[] {
  const { ttl } = soaOf(unsigned);
  const wanted: [type: number, rdata: Uint8Array][] = [
    [rrType.DNSKEY, key.dnskey],
    [rrType.CDNSKEY, key.dnskey],
    [rrType.CDS, signer.dsRdata(apex, key.dnskey)],
  ];
  if (denial === 'nsec3') wanted.push([rrType.NSEC3PARAM, nsec3ParamRdata()]);
  return wanted
    .filter(
      ([wantedType]) =>
        !unsigned.some(({ type, owner }) => type === wantedType && equalDomainNames(owner, apex)),
    )
    .map(([type, rdata]) => ({ owner: apex, type, ttl, rdata }));
}

/** In canonical order. */
function ownersOf(records: readonly ZoneRecord[], apex: DomainName): Owner[] {
  const byName = new Map<string, ZoneRecord[]>();
  for (const record of records) {
    const key = formatDomainName(lowerDomainName(record.owner));
    byName.set(key, [...(byName.get(key) ?? []), record]);
  }
  const sorted = [...byName.values()].sort(([a], [b]) => compareDomainNames(a.owner, b.owner));
  let cut: DomainName | undefined;
  return sorted.map((ofOwner) => {
    const name = lowerDomainName(ofOwner[0].owner);
    const sets = setsOf(ofOwner);
    if (cut !== undefined && isSubdomain(name, cut)) return { name, status: OCCLUDED, sets };
    const isCut = sets.has(rrType.NS) && !equalDomainNames(name, apex);
    if (isCut || sets.has(rrType.DNAME)) cut = name;
    return { name, status: isCut ? DELEGATION : AUTHORITATIVE, sets };
  });
}

function setsOf(records: readonly ZoneRecord[]): Map<number, ZoneRecord[]> {
  const sets = new Map<number, ZoneRecord[]>();
  for (const { type } of records) {
    const set = records.filter((record) => record.type === type);
    const ttl = Math.min(...set.map((record) => record.ttl));
    sets.set(
      type,
      set.map((record) => ({ ...record, ttl })),
    );
  }
  return sets;
}

function nsecChain(owners: readonly Owner[], { denial }: Signing): ZoneRecord[] {
  const ttl = negativeTtl(owners);
  return owners.map(({ name, status, sets }, index) => {
    const next = owners[(index + 1) % owners.length].name;
    const bitmap = provenTypeBitmap([...sets.keys()], status, denial);
    return { owner: name, type: rrType.NSEC, ttl, rdata: nsecRdata(next, bitmap) };
  });
}

function nsec3Chain(owners: readonly Owner[], { apex, denial, signer }: Signing): ZoneRecord[] {
  const ttl = negativeTtl(owners);
  const hashed = withEmptyNonTerminals(owners, apex)
    .map((owner) => ({ ...owner, hash: signer.hashName(owner.name) }))
    .sort((a, b) => Buffer.compare(a.hash, b.hash));
  return hashed.map(({ hash, status, sets }, index) => {
    const next = hashed[(index + 1) % hashed.length].hash;
    const bitmap = provenTypeBitmap([...sets.keys()], status, denial);
    return { owner: nsec3Owner(hash, apex), type: rrType.NSEC3, ttl, rdata: nsec3Rdata(next, bitmap) };
  });
}

/** Adds the names that exist only because of names below them (RFC 5155 section 7.1). */
function withEmptyNonTerminals(owners: readonly Owner[], apex: DomainName): Owner[] {
  const all = new Map(owners.map((owner) => [formatDomainName(owner.name), owner]));
  for (const { name } of owners) {
    let parent = name;
    for (let more = countLabels(name) - countLabels(apex); more > 1; more--) {
      parent = parent.subarray(1 + parent[0]) as DomainName;
      const key = formatDomainName(parent);
      if (!all.has(key)) all.set(key, { name: parent, status: AUTHORITATIVE, sets: new Map() });
    }
  }
  return [...all.values()];
}

function signSet(records: readonly ZoneRecord[], { signer, key, apex, times }: Signing): ZoneRecord {
  const [{ owner, type, ttl }] = records;
  const rdatas = records.map(({ rdata }) => rdata);
  const stored = signRrset(signer, key, { owner, type, ttl, rdatas, apex, ...times });
  return { owner, type: rrType.RRSIG, ttl, rdata: rrsigRdata(stored, { owner, ttl, apex }) };
}

/** The lower of the SOA record's TTL and its MINIMUM field (RFC 9077 section 3). */
function negativeTtl(owners: readonly Owner[]): number {
  const { ttl, rdata } = soaOf(owners.flatMap(({ sets }) => sets.get(rrType.SOA) ?? []));
  return Math.min(ttl, Buffer.from(rdata).readUInt32BE(rdata.length - 4));
}

function soaOf(records: readonly ZoneRecord[]): ZoneRecord {
  const soa = records.find(({ type }) => type === rrType.SOA);
  if (soa === undefined) throw new Error('the zone has no SOA record');
  return soa;
}
