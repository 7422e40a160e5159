/**
 * Compares the NSEC or NSEC3 records of a signed file with those that the service makes of its rows when it serves them: they
 * must be the same, octet by octet, because their signatures cover them.
 */
import { rrType } from '../../dns/codes.ts';
import { nsecRdata } from '../../dns/nsec-rdata.ts';
import { nsec3ParamRdata, nsec3Rdata } from '../../dns/nsec3-rdata.ts';
import { formatBase32Hex } from '../../dns/base64.ts';
import { domainNameAt, lowerDomainName, type DomainName } from '../../dns/name.ts';
import { ownerStatus, provenTypeBitmap, type Denial, type OwnerStatus } from '../../dns/proven-types.ts';
import { visitInSteps, type Steps } from '../../base/steps.ts';
import { APEX } from '../../model/record-name.ts';
import type { OwnerKey } from '../../model/record.ts';
import { negativeTtlOf } from '../../model/soa.ts';
import { ownersAbove } from './owners-above.ts';
import {
  isSame,
  show,
  type FileOwner,
  type FileProblems,
  type FileSet,
  type FileZone,
} from './presigned-sets.ts';

/** A name of the chain with its record. */
export interface ProvenName {
  readonly owner: OwnerKey;
  /** Undefined for an NSEC record. */
  readonly hash: Uint8Array | undefined;
  readonly record: FileSet;
}

export interface FileChain {
  readonly denial: Denial;
  readonly names: readonly ProvenName[];
}

/** A name that owns an NSEC or NSEC3 record; the types of an empty non-terminal are none. */
interface ChainName {
  readonly owner: OwnerKey;
  readonly status: OwnerStatus;
  readonly types: readonly number[];
}

export type HashName = (name: DomainName) => Uint8Array;

/** Undefined if there are problems, which are added to `problems`. */
export function* checkFileChain(
  zone: FileZone,
  hashName: HashName,
  problems: FileProblems,
): Steps<FileChain | undefined> {
  const denial = findDenial(zone, problems);
  if (problems.found.length > 0) return undefined;
  const names = zone.owners.filter(({ status }) => status !== ownerStatus.OCCLUDED).map(chainName);
  const chain =
    denial === 'nsec3'
      ? yield* checkHashes(zone, names, hashName, problems)
      : yield* checkNames(zone, names, problems);
  if (zone.proofs.size > chain.names.length && problems.found.length === 0) addStray(zone, chain, problems);
  return problems.found.length > 0 ? undefined : chain;
}

function chainName({ owner, status, sets }: FileOwner): ChainName {
  return { owner, status, types: owner === APEX ? [...sets.keys(), rrType.SOA] : [...sets.keys()] };
}

/** NSEC3PARAM tells which chain is complete (RFC 5155 section 4). */
function findDenial({ owners, proofs, soa }: FileZone, problems: FileProblems): Denial {
  const apex = owners.find(({ owner }) => owner === APEX);
  const parameters = apex?.sets.get(rrType.NSEC3PARAM);
  const denial = parameters === undefined ? 'nsec' : 'nsec3';
  const wanted = denial === 'nsec' ? rrType.NSEC : rrType.NSEC3;
  for (const set of proofs.values()) {
    if (set.type !== wanted) {
      problems.add(
        set,
        'the zone has NSEC and NSEC3 records, or NSEC3 records without NSEC3PARAM: sign it again with one of them',
      );
      return denial;
    }
  }
  if (apex?.sets.has(rrType.DNSKEY) !== true)
    problems.add(soa, 'the zone has no DNSKEY record: it is not signed');
  const isServed = parameters?.rdatas.every((rdata) => isSame(rdata, nsec3ParamRdata())) ?? true;
  if (parameters !== undefined && !isServed) problems.add(parameters, OTHER_PARAMETERS);
  return denial;
}

const OTHER_PARAMETERS =
  'NSEC3 is served with the parameters 1 0 0 - only, without salt, further iterations and opt-out: sign the zone again with them, as RFC 9276 demands, or with NSEC';

function* checkNames(zone: FileZone, names: readonly ChainName[], problems: FileProblems): Steps<FileChain> {
  const { ids, proofs } = zone;
  const found: ProvenName[] = [];
  let at = 0;
  yield* visitInSteps(names, ({ owner, status, types }) => {
    const next = names[++at % names.length].owner;
    const record = proofs.get(owner);
    if (record === undefined) {
      problems.add(
        placeOf(zone, owner),
        `there is no NSEC record at ${show(owner)}, so that the chain is not complete`,
      );
      return;
    }
    const wanted = nsecRdata(ids.nameOf(next), provenTypeBitmap(types, status, 'nsec'));
    if (isOnly(record, wanted)) checkTtl(zone, record, problems);
    else problems.add(record, describeNsec(record, wanted, owner, next));
    found.push({ owner, hash: undefined, record });
  });
  return { denial: 'nsec', names: found };
}

function* checkHashes(
  zone: FileZone,
  names: readonly ChainName[],
  hashName: HashName,
  problems: FileProblems,
): Steps<FileChain> {
  const hashed: (ChainName & { readonly hash: Uint8Array; readonly label: string })[] = [];
  yield* visitInSteps(withEmptyNames(names), (name) => {
    const hash = hashName(zone.ids.nameOf(name.owner));
    hashed.push({ ...name, hash, label: formatBase32Hex(hash).toLowerCase() });
  });
  hashed.sort((a, b) => (a.label < b.label ? -1 : 1));
  const found: ProvenName[] = [];
  let at = 0;
  yield* visitInSteps(hashed, ({ owner, status, types, hash, label }) => {
    const next = hashed[++at % hashed.length];
    const record = zone.proofs.get(label as OwnerKey);
    if (record === undefined) {
      problems.add(
        placeOf(zone, owner),
        `there is no NSEC3 record for ${show(owner)} (${label}), so that the chain is not complete: opt-out is not served`,
      );
      return;
    }
    const isServed = record.rdatas.every((rdata) => hasServedParameters(rdata));
    const rdata = nsec3Rdata(next.hash, provenTypeBitmap(types, status, 'nsec3'));
    if (!isServed) problems.add(record, OTHER_PARAMETERS);
    else if (!isOnly(record, rdata)) problems.add(record, describeOther('NSEC3', owner, next.label));
    checkTtl(zone, record, problems);
    found.push({ owner, hash, record });
  });
  return { denial: 'nsec3', names: found };
}

/** The names between those of the chain and the apex have NSEC3 records, too (RFC 5155 section 7.1). */
function withEmptyNames(names: readonly ChainName[]): ChainName[] {
  const known = new Set(names.map(({ owner }) => owner));
  const all = [...names];
  for (const { owner } of names) {
    for (const above of ownersAbove(owner)) {
      if (known.has(above)) break;
      known.add(above);
      all.push({ owner: above, status: ownerStatus.AUTHORITATIVE, types: [] });
    }
  }
  return all;
}

function hasServedParameters(rdata: Uint8Array): boolean {
  return nsec3ParamRdata().every((octet, at) => rdata[at] === octet);
}

function isOnly({ rdatas }: FileSet, wanted: Uint8Array): boolean {
  return rdatas.length === 1 && isSame(rdatas[0], wanted);
}

function checkTtl({ soa }: FileZone, record: FileSet, problems: FileProblems): void {
  const wanted = negativeTtlOf(soa.ttl, soa.rdatas[0]);
  if (record.ttl === wanted) return;
  problems.add(
    record,
    `the TTL must be ${wanted}, the lower one of the SOA record's TTL and its last field (RFC 9077), and is ${record.ttl}`,
  );
}

/** The case of the next name is signed (RFC 6840 section 5.1), and the service serves names in lower case. */
function describeNsec({ rdatas }: FileSet, wanted: Uint8Array, owner: OwnerKey, next: OwnerKey): string {
  const named = domainNameAt(rdatas[0], 0);
  const length = named?.length ?? 0;
  const lower = named && lowerDomainName(named);
  const isSpelling = lower !== undefined && isSame(lower, wanted.subarray(0, length));
  if (rdatas.length === 1 && isSpelling && isSame(rdatas[0].subarray(length), wanted.subarray(length))) {
    return `the NSEC record for ${show(owner)} names ${show(next)} with capital letters, and names are served in lower case: write them so before the zone is signed`;
  }
  return describeOther('NSEC', owner, show(next));
}

function describeOther(type: string, owner: OwnerKey, next: string): string {
  return `the ${type} record for ${show(owner)} must name the types that are there, the next name, ${next}, and nothing else`;
}

function placeOf({ owners, soa }: FileZone, owner: OwnerKey): FileSet {
  const sets = owners.find((one) => one.owner === owner)?.sets.values();
  return sets?.next().value ?? soa;
}

function addStray({ proofs }: FileZone, { names }: FileChain, problems: FileProblems): void {
  const used = new Set(names.map(({ record }) => record));
  for (const set of proofs.values()) {
    if (!used.has(set)) problems.add(set, 'the record belongs to no name of the chain');
  }
}
