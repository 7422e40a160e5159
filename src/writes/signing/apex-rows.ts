import { assert } from '../../base/assert.ts';
import { rrType } from '../../dns/codes.ts';
import { parseDomainName } from '../../dns/name.ts';
import { KEY_SET_TTL_SECONDS } from '../../dnssec/key-set-ttl.ts';
import { hasUse, keyUse, type ZoneKey } from '../../dnssec/zone-key.ts';
import { nsec3ParamRdata } from '../../dns/nsec3-rdata.ts';
import {
  encodeSignedSoa,
  generatedPrefix,
  generatedType,
  keySetId,
  SOA_ID,
  SOA_OWNER,
} from '../../model/generated-row.ts';
import { APEX } from '../../model/record-name.ts';
import type { DomainRecord } from '../../model/record.ts';
import { OWN_NAMESERVERS_TTL_SECONDS, SOA_TTL_SECONDS, soaOf } from '../../model/soa.ts';
import type { SignableDomain } from './signable-domain.ts';
import { generatedRow, type ZoneRows } from './zone-rows.ts';

/** The records at the apex that the service adds to those of the customer: keys, and nameservers if there are none. */
export function keySetRows(domain: SignableDomain): readonly DomainRecord[] {
  domain.recordsAt(APEX);
  return domain.generated.loadedAt(APEX).filter(({ id }) => id.startsWith(generatedPrefix.keySet));
}

/** Writes these records as they must be, and returns the types that changed. */
export function putKeySets(zone: ZoneRows): Set<number> {
  const { generated } = zone.domain;
  const wanted = new Map(wantedRows(zone).map((row) => [row.id, row]));
  const changed = new Set<number>();
  for (const row of keySetRows(zone.domain)) {
    if (wanted.has(row.id)) continue;
    generated.drop(row.id, APEX);
    changed.add(row.type);
  }
  for (const row of wanted.values()) {
    const before = generated.get(row.id, APEX);
    if (before !== undefined && isSameData(before, row)) continue;
    generated.put(row);
    changed.add(row.type);
  }
  return changed;
}

function wantedRows(zone: ZoneRows): DomainRecord[] {
  const { domain, apex, signing } = zone;
  const keys = domain.keys.all();
  const rows = keysWith(keys, keyUse.PUBLISHED).map(({ id, dnskey }) => apexRow(rrType.DNSKEY, id, dnskey));
  if (domain.current.withdrawnAtSeconds === null) {
    for (const { id, dnskey } of keysWith(keys, keyUse.ANNOUNCED)) {
      rows.push(apexRow(rrType.CDS, id, signing.signer.dsRdata(apex, dnskey)));
      rows.push(apexRow(rrType.CDNSKEY, id, dnskey));
    }
  } else {
    rows.push(apexRow(rrType.CDS, 'delete', deleteCds), apexRow(rrType.CDNSKEY, 'delete', deleteCdnskey));
  }
  if (domain.current.denial === 'nsec3') rows.push(apexRow(rrType.NSEC3PARAM, '', nsec3ParamRdata()));
  if (domain.recordsAt(APEX).findOfType(rrType.NS) !== undefined) return rows;
  return [...rows, ...nameserverRows(zone)];
}

/** The data with which CDS and CDNSKEY ask the parent zone to remove all DS records (RFC 8078 section 4). */
const deleteCds = Uint8Array.of(0, 0, 0, 0, 0);
const deleteCdnskey = Uint8Array.of(0, 0, 3, 0, 0);

function keysWith(keys: readonly ZoneKey[], use: number): readonly ZoneKey[] {
  return keys.filter((key) => hasUse(key, use));
}

/** Those that stand already stay: a nameserver that is configured later must not change what has been signed. */
function nameserverRows({ domain, signing }: ZoneRows): DomainRecord[] {
  const existing = keySetRows(domain).filter(({ type }) => type === rrType.NS);
  if (existing.length > 0) return existing;
  return signing.soa.nameservers.map((host, index) => {
    const name = parseDomainName(host);
    assert(name.ok, 'a configured nameserver is a host name');
    return apexRow(rrType.NS, String(index), name.value);
  });
}

function apexRow(type: number, suffix: string, rdata: Uint8Array): DomainRecord {
  const ttl = type === rrType.NS ? OWN_NAMESERVERS_TTL_SECONDS : KEY_SET_TTL_SECONDS;
  return generatedRow(keySetId(type, suffix), APEX, type, rdata, ttl);
}

function isSameData(a: DomainRecord, b: DomainRecord): boolean {
  return (
    a.ttl === b.ttl &&
    a.rdata.length === b.rdata.length &&
    a.rdata.every((octet, at) => octet === b.rdata[at])
  );
}

/** Signs the SOA record with the serial that the domain has now. */
export function putSoa(zone: ZoneRows): void {
  const { domain, apex, signing } = zone;
  const { rdata } = soaOf(domain.current, signing.soa);
  const signatures = zone.sign(apex, { type: rrType.SOA, ttl: SOA_TTL_SECONDS, rdatas: [rdata] });
  const signed = encodeSignedSoa({ rdata, signatures });
  domain.generated.put(generatedRow(SOA_ID, SOA_OWNER, generatedType.signedSoa, signed, SOA_TTL_SECONDS));
}
