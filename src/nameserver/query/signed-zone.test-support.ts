/**
 * Signs the zones of tests all at once, and makes the content of their images. With the content comes what a validator
 * knows of the zone.
 */

import { createHash } from 'node:crypto';
import { formatBase32Hex } from '../../dns/base64.ts';
import { rrType } from '../../dns/codes.ts';
import { formatDomainName, lowerDomainName, parseDomainName, type DomainName } from '../../dns/name.ts';
import { ownerStatus, type Denial, type OwnerStatus } from '../../dns/proven-types.ts';
import type { StoredSignature } from '../../dns/stored-signature.ts';
import { openKeySecrets } from '../../dnssec/key-secrets.ts';
import { createZoneKey } from '../../dnssec/private-key.ts';
import { signWholeZone } from '../../dnssec/sign-whole-zone.test-support.ts';
import { signatureTimes } from '../../dnssec/signature-times.ts';
import type { MadeAlgorithm } from '../../dnssec/zone-key.ts';
import type { ZoneRecord } from '../../dnssec/zone-records.test-support.ts';
import { createZoneSigner } from '../../dnssec/zone-signer.ts';
import type { RecordSet } from '../../zone/encode-record-set.ts';
import type { OwnerSets, ZoneContent } from '../../zone/zone-memory.ts';
import { rdataOf, valueOf } from '../../../test/comparison/own-answers.ts';
import type { TestRecord, TestZone } from '../../../test/comparison/test-zone.ts';
import { typeNumber } from '../../../test/scenarios/wire-names.ts';
import type { CheckedZone } from './check-signed-answer.test-support.ts';
import { isBelowOrEqual, labelsOf } from './signed-message.test-support.ts';

export interface TestSigning {
  readonly denial: Denial;
  readonly algorithm: MadeAlgorithm;
}

export interface SignedZone {
  readonly content: ZoneContent;
  readonly owners: readonly OwnerSets[];
  readonly checked: CheckedZone;
}

/** The clock of signed test zones. */
export const SIGNED_AT_SECONDS = 1_800_000_000;

const { CDNSKEY, CDS, DNSKEY, NS, NSEC, NSEC3, NSEC3PARAM, RRSIG, SOA } = rrType;
const DOMAIN_ID = 1;
const secrets = openKeySecrets(['the secret of the zones in tests']);

/** Types that signing adds; their sets are in the image like others, except the first three. */
const madeTypes: readonly number[] = [RRSIG, NSEC, NSEC3];
export const keyTypes: readonly number[] = [DNSKEY, CDS, CDNSKEY, NSEC3PARAM];

export function signTestZone(
  zone: TestZone,
  { denial, algorithm }: TestSigning,
  nowSeconds = SIGNED_AT_SECONDS,
): SignedZone {
  const apex = lowerDomainName(valueOf(parseDomainName(zone.apex)));
  const wanted = { id: '0198c0de-0000-7000-8000-000000000001', algorithm, createdAtSeconds: 0 };
  const key = createZoneKey(wanted, secrets);
  // A signer knows keys by their ids, which all zones here share.
  const signer = createZoneSigner(secrets);
  const times = signatureTimes(DOMAIN_ID, nowSeconds);
  const records = signWholeZone(zone.records.map(toRecord), { apex, denial, key, signer, times });
  return {
    content: contentOf(records, apex),
    owners: ownersOf(records, apex, denial),
    checked: {
      apex: labelsOf(Buffer.from(apex)),
      dnskeys: [Buffer.from(key.dnskey)],
      nowSeconds,
      cuts: cutsOf(records, apex),
    },
  };
}

/** The records of a zone with the sets of the keys, and without what proves. */
export function unsignedContent({ content, owners }: SignedZone): Pick<SignedZone, 'content' | 'owners'> {
  return {
    content: { ...content, soa: { ...content.soa, signatures: [] } },
    owners: owners
      .filter(({ sets }) => sets.length > 0)
      .map(({ owner, sets }) => ({ owner, sets: sets.filter(({ type }) => !keyTypes.includes(type)) })),
  };
}

function toRecord(record: TestRecord): ZoneRecord {
  const owner = valueOf(parseDomainName(record.owner));
  return { owner, type: typeNumber(record.type), ttl: record.ttl, rdata: rdataOf(record) };
}

function contentOf(records: readonly ZoneRecord[], apex: DomainName): ZoneContent {
  const soa = records.find(({ type }) => type === SOA);
  if (soa === undefined) throw new Error('the zone has no SOA record');
  const minimum = Buffer.from(soa.rdata).readUInt32BE(soa.rdata.length - 4);
  const signatures = signaturesOf(records, apex).filter(({ type }) => type === SOA);
  const negativeTtl = Math.min(soa.ttl, minimum);
  return {
    apex,
    domainId: DOMAIN_ID,
    account: '',
    soa: { serial: 1, rdata: soa.rdata, ttl: soa.ttl, negativeTtl, signatures },
  };
}

function ownersOf(records: readonly ZoneRecord[], apex: DomainName, denial: Denial): OwnerSets[] {
  const hashed = new Map(
    records.filter(({ type }) => type === NSEC3).map(({ owner }) => [labelsOf(Buffer.from(owner))[0], owner]),
  );
  const names = new Map<string, DomainName>();
  for (const { owner, type } of records)
    if (type !== NSEC3 && !hashed.has(labelsOf(Buffer.from(lowerDomainName(owner)))[0]))
      for (const name of withAncestors(lowerDomainName(owner), apex)) names.set(formatDomainName(name), name);
  const apexFirst = [apex, ...[...names.values()].filter((name) => name.length > apex.length)];
  return apexFirst.flatMap((owner) => {
    const hash = createHash('sha1').update(owner).digest();
    const hashOwner = hashed.get(formatBase32Hex(hash));
    const own = records.filter((record) => isOwner(record, owner) && record.type !== SOA);
    const sets = setsOf(own.filter(({ type }) => !madeTypes.includes(type)));
    if (sets.length === 0 && hashOwner === undefined) return [];
    const isChained = denial === 'nsec' ? own.some(({ type }) => type === NSEC) : hashOwner !== undefined;
    const signatures = signaturesOf(records, owner).filter(({ type }) => type !== SOA);
    const ofHash = hashOwner === undefined ? [] : signaturesOf(records, hashOwner);
    const signing = {
      status: statusOf(isChained, own, owner, apex),
      signatures: [...signatures, ...ofHash],
      ...(hashOwner && { hash }),
    };
    return [{ owner, sets, signing }];
  });
}

/** The name and those between it and the apex, which may be empty non-terminals. */
function withAncestors(owner: DomainName, apex: DomainName): DomainName[] {
  const names = [owner];
  for (let name = owner; name.length > apex.length;) {
    name = name.subarray(1 + name[0]) as DomainName;
    if (name.length >= apex.length) names.push(name);
  }
  return names;
}

function statusOf(
  isChained: boolean,
  own: readonly ZoneRecord[],
  owner: DomainName,
  apex: DomainName,
): OwnerStatus {
  if (!isChained) return ownerStatus.OCCLUDED;
  const isCut = owner.length !== apex.length && own.some(({ type }) => type === NS);
  return isCut ? ownerStatus.DELEGATION : ownerStatus.AUTHORITATIVE;
}

function isOwner(record: ZoneRecord, owner: DomainName): boolean {
  return Buffer.compare(lowerDomainName(record.owner), owner) === 0;
}

function setsOf(records: readonly ZoneRecord[]): RecordSet[] {
  return [...new Set(records.map(({ type }) => type))].map((type) => {
    const ofType = records.filter((record) => record.type === type);
    return {
      type,
      ttl: Math.min(...ofType.map(({ ttl }) => ttl)),
      rdatas: ofType.map(({ rdata }) => rdata),
    };
  });
}

function signaturesOf(records: readonly ZoneRecord[], owner: DomainName): StoredSignature[] {
  return records
    .filter((record) => record.type === RRSIG && isOwner(record, lowerDomainName(owner)))
    .map(({ rdata }) => {
      const data = Buffer.from(rdata);
      const signerLength = data.indexOf(0, 18) + 1 - 18;
      return {
        type: data.readUInt16BE(0),
        algorithm: data[2],
        expiration: data.readUInt32BE(8),
        inception: data.readUInt32BE(12),
        keyTag: data.readUInt16BE(16),
        signature: new Uint8Array(data.subarray(18 + signerLength)),
      };
    });
}

function cutsOf(records: readonly ZoneRecord[], apex: DomainName): CheckedZone['cuts'] {
  const cuts = records.filter(({ type, owner }) => type === NS && owner.length !== apex.length);
  const names = cuts.map(({ owner }) => labelsOf(Buffer.from(lowerDomainName(owner))));
  return names.filter((name, i) => names.findIndex((other) => isBelowOrEqual(name, other)) === i);
}
