/**
 * The generated rows of signed zones for benchmarks, complete but with signatures made of nothing: a nameserver only copies
 * them, and a million names would take a minute to sign.
 */

import { createHash } from 'node:crypto';
import { countLabels, lowerDomainName, type DomainName } from '../../src/dns/name.ts';
import { nsec3ParamRdata } from '../../src/dns/nsec3-rdata.ts';
import { ownerStatus } from '../../src/dns/proven-types.ts';
import { parseRecordType } from '../../src/dns/rdata/record-type-registry.ts';
import { rrType } from '../../src/dns/codes.ts';
import type { StoredSignature } from '../../src/dns/stored-signature.ts';
import { dsRdata } from '../../src/dnssec/ds-rdata.ts';
import { KEY_SET_TTL_SECONDS } from '../../src/dnssec/key-set-ttl.ts';
import { signatureTimes } from '../../src/dnssec/signature-times.ts';
import type { ZoneKey } from '../../src/dnssec/zone-key.ts';
import type { ZoneName } from '../../src/model/domain.ts';
import {
  encodeHashedName,
  encodeOwnerSignatures,
  encodeSignedSoa,
  generatedType,
  hashedNameId,
  keySetId,
  signaturesId,
  SOA_ID,
  SOA_OWNER,
} from '../../src/model/generated-row.ts';
import { formatOrderKey } from '../../src/model/order-key.ts';
import { APEX, ownerBelow, ownerDomainName } from '../../src/model/record-name.ts';
import type { OwnerKey } from '../../src/model/record.ts';
import { SOA_TTL_SECONDS, soaOf } from '../../src/model/soa.ts';
import { BENCH_NAMESERVER, type BenchZone } from './zones.ts';

export interface GeneratedRow {
  readonly id: string;
  readonly owner: OwnerKey;
  readonly type: number;
  readonly ttl: number;
  readonly rdata: Uint8Array;
}

export interface RowSigning {
  readonly key: ZoneKey;
  readonly nowSeconds: number;
}

const SIGNATURE_OCTETS = 64;
const SERIAL = 1;

/** Yields the rows that signing adds to a zone, those of the chain in its order. */
export function* generatedRows(
  zone: BenchZone,
  domainId: number,
  { key, nowSeconds }: RowSigning,
): Generator<GeneratedRow> {
  const { denial = 'nsec' } = zone;
  const name = zone.apex as ZoneName;
  const apex = ownerDomainName(APEX, name);
  const times = signatureTimes(domainId, nowSeconds);
  const sign = (type: number): StoredSignature => ({
    type,
    keyTag: key.tag,
    algorithm: key.algorithm,
    ...times,
    signature: new Uint8Array(SIGNATURE_OCTETS).fill(type),
  });
  const keySets = keySetRows(apex, key, denial === 'nsec3');
  yield* keySets;
  const soa = soaOf({ name, serial: SERIAL, soaPrimary: null, soaEmail: null }, soaDefaults);
  const signedSoa = encodeSignedSoa({ rdata: soa.rdata, signatures: [sign(rrType.SOA)] });
  yield {
    id: SOA_ID,
    owner: SOA_OWNER,
    type: generatedType.signedSoa,
    ttl: SOA_TTL_SECONDS,
    rdata: signedSoa,
  };
  const types = typesByOwner(zone, keySets);
  const signatureRows = Array.from(types, ([owner, ofOwner]): GeneratedRow => {
    const signed = denial === 'nsec' ? [...ofOwner, rrType.NSEC] : [...ofOwner];
    const rdata = encodeOwnerSignatures(ownerStatus.AUTHORITATIVE, signed.sort(byNumber).map(sign));
    const id = signaturesId(formatOrderKey(ownerBelow(owner, apex), countLabels(apex)));
    return { id, owner, type: generatedType.signatures, ttl: 0, rdata };
  });
  yield* signatureRows.sort(byId);
  if (denial === 'nsec') return;
  const signatures = [sign(rrType.NSEC3)];
  const hashedRows = Array.from(withEmptyNonTerminals(types.keys()), (owner): GeneratedRow => {
    const hash = hashOf(ownerBelow(owner, apex));
    const rdata = encodeHashedName({ hash, signatures });
    return { id: hashedNameId(hash), owner, type: generatedType.hashedName, ttl: 0, rdata };
  });
  yield* hashedRows.sort(byId);
}

/** With which the service must be started, so that it signs the same SOA record. */
const soaDefaults = { nameservers: [BENCH_NAMESERVER], mailbox: `hostmaster@${BENCH_NAMESERVER}` };

function keySetRows(apex: DomainName, { id, dnskey }: ZoneKey, isHashed: boolean): GeneratedRow[] {
  const row = (type: number, suffix: string, rdata: Uint8Array): GeneratedRow => {
    return { id: keySetId(type, suffix), owner: APEX, type, ttl: KEY_SET_TTL_SECONDS, rdata };
  };
  const rows = [row(rrType.DNSKEY, id, dnskey), row(rrType.CDNSKEY, id, dnskey)];
  rows.push(row(rrType.CDS, id, dsRdata(apex, dnskey)));
  return isHashed ? [...rows, row(rrType.NSEC3PARAM, '', nsec3ParamRdata())] : rows;
}

function typesByOwner(zone: BenchZone, keySets: readonly GeneratedRow[]): Map<OwnerKey, Set<number>> {
  const types = new Map<OwnerKey, Set<number>>([[APEX, new Set(keySets.map(({ type }) => type))]]);
  for (const record of zone.records) {
    const owner = record.owner as OwnerKey;
    const type = parseRecordType(record.type) ?? 0;
    const known = types.get(owner);
    if (known === undefined) types.set(owner, new Set([type]));
    else known.add(type);
  }
  return types;
}

function withEmptyNonTerminals(owners: Iterable<OwnerKey>): Set<OwnerKey> {
  const all = new Set<OwnerKey>();
  for (const owner of owners) {
    for (let name: string = owner; !all.has(name as OwnerKey);) {
      all.add(name as OwnerKey);
      name = name.includes('.') ? name.slice(name.indexOf('.') + 1) : APEX;
    }
  }
  return all;
}

function hashOf(name: DomainName): Uint8Array {
  return new Uint8Array(createHash('sha1').update(lowerDomainName(name)).digest());
}

function byId(a: GeneratedRow, b: GeneratedRow): number {
  return a.id < b.id ? -1 : 1;
}

function byNumber(a: number, b: number): number {
  return a - b;
}
