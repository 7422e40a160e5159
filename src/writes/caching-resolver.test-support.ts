import { expect } from 'vitest';
import { assert } from '../base/assert.ts';
import { rrType } from '../dns/codes.ts';
import { checkSignedZone } from '../dnssec/check-signed-zone.test-support.ts';
import { keyTag, type ZoneKey } from '../dnssec/zone-key.ts';
import type { ZoneRecord } from '../dnssec/zone-records.test-support.ts';
import { APEX, ownerDomainName } from '../model/record-name.ts';
import { zone } from './decide-scene.test-support.ts';
import { servedZone } from './signing/served-zone.test-support.ts';
import type { SignedScene } from './signing/signed-scene.test-support.ts';

const apex = ownerDomainName(APEX, zone);

/** A version of the zone as resolvers may have parts of it in their caches. */
export interface Version {
  readonly name: string;
  readonly records: readonly ZoneRecord[];
  /** Keys whose DS records the parent zone may have while caches have this version. */
  readonly delegated: readonly (readonly ZoneKey[])[];
}

export function versionOf(
  { stored, domain, nowSeconds }: SignedScene,
  name: string,
  delegated: Version['delegated'],
  keys: readonly ZoneKey[] = [],
): Version {
  assert(domain !== undefined && domain.denial !== null, 'the domain is signed');
  const records = servedZone(stored, zone, domain.denial);
  const dnskeys = keys.map(({ dnskey }) => dnskey);
  expect(checkSignedZone(records, apex, nowSeconds, dnskeys)).toEqual([]);
  return { name, records, delegated };
}

interface Signature {
  readonly covered: number;
  readonly algorithm: number;
  readonly tag: number;
}

function signaturesIn({ records }: Version): readonly (Signature & { readonly owner: string })[] {
  return records.flatMap(({ type, owner, rdata }) => {
    if (type !== rrType.RRSIG) return [];
    const octets = Buffer.from(rdata);
    const [covered, tag] = [octets.readUInt16BE(0), octets.readUInt16BE(16)];
    return [{ owner: String(owner), covered, algorithm: octets[2], tag }];
  });
}

/**
 * Says which sets of one version a resolver would reject that has the keys of another version and one of the parent's sets of
 * DS records. It trusts a DNSKEY set that each delegated algorithm has signed, and a set that each of these has signed with a
 * key of that DNSKEY set (RFC 6840 section 5.11 asks zones for it; resolvers may insist on it).
 */
export function rejected(keysFrom: Version, setsFrom: Version, delegated: readonly ZoneKey[]): string[] {
  const keys = keysFrom.records.filter(({ type }) => type === rrType.DNSKEY);
  const isPublished = ({ dnskey }: ZoneKey): boolean =>
    keys.some(({ rdata }) => Buffer.compare(rdata, dnskey) === 0);
  const ofKeys = signaturesIn(keysFrom).filter(({ covered }) => covered === rrType.DNSKEY);
  const isTrusted = delegated.some(
    (key) => isPublished(key) && ofKeys.some(({ tag, algorithm }) => isSigner(key, tag, algorithm)),
  );
  if (!isTrusted) return ['the set of keys'];
  const known = new Set(keys.map(({ rdata }) => `${keyTag(rdata)} ${rdata[3]}`));
  const sets = new Map<string, boolean>();
  for (const { owner, covered, tag, algorithm } of signaturesIn(setsFrom)) {
    const set = `${owner} ${covered}`;
    const isGood = known.has(`${tag} ${algorithm}`) && delegated.some((key) => key.algorithm === algorithm);
    sets.set(set, (sets.get(set) ?? false) || isGood);
  }
  return [...sets].filter(([, isGood]) => !isGood).map(([set]) => set);
}

function isSigner(key: ZoneKey, tag: number, algorithm: number): boolean {
  return key.tag === tag && key.algorithm === algorithm;
}
