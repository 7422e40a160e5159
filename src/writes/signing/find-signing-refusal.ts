import { finishSteps } from '../../base/steps.ts';
import { rrType } from '../../dns/codes.ts';
import { formatRecordType } from '../../dns/type-mnemonic.ts';
import { isRsa, isSigning, signatureCostOf, type ZoneKey } from '../../dnssec/zone-key.ts';
import { MAX_RSA_SIGNED_SETS, MAX_SIGNED_SETS } from '../../model/generated-row.ts';
import type { ZoneName } from '../../model/domain.ts';
import { keysBelow } from '../../model/order-key.ts';
import { quoteText } from '../../model/quote-text.ts';
import { APEX } from '../../model/record-name.ts';
import type { DomainRecord, OwnerKey } from '../../model/record.ts';
import { refused, success, type Refused, type Result } from '../../model/result.ts';
import type { SignableDomain } from './signable-domain.ts';
import type { BatchSigning } from './batch-signing.ts';
import { OwnerIds } from './owner-ids.ts';
import { ownersAbove } from './owners-above.ts';
import { extentOf, keepsChain, type SignedExtent } from './signed-extent.ts';
import { visitAll } from './visit-all.ts';

/**
 * The most names that a write signs again because a delegation or a DNAME above them appears or disappears: about 100 ms of
 * signing, for which others wait; fewer with an RSA key. They are not in the request, so that nobody expects so much work.
 */
export const MAX_RESIGNED_NAMES = 2000;

/**
 * The most sets of such names, which can have hundreds each: two signatures a name, as elsewhere. Without it, one record
 * that is deleted has the writer sign a whole domain while everybody waits.
 */
const MAX_RESIGNED_SETS = 2 * MAX_RESIGNED_NAMES;

/**
 * The most names of a signed domain that one write adds, changes or removes, empty non-terminals of an NSEC3 chain counted
 * too: five seconds of signing outside the writer, and half the rows of the largest import.
 */
export const MAX_CHAINED_NAMES = 100_000;

/** The same with an RSA key, whose signatures take twelve times as long: six seconds. */
export const MAX_RSA_CHAINED_NAMES = 10_000;

/** Types that the service makes itself at the apex of a signed domain. */
export const ownApexTypes: readonly number[] = [rrType.DNSKEY, rrType.CDS, rrType.CDNSKEY, rrType.NSEC3PARAM];

/** A feed entry of the command. */
interface ChangedRow {
  readonly kind: string;
  readonly record: DomainRecord | null;
}

/**
 * Says why the domain could not be signed as the current command leaves it, before the command is kept: signing itself never
 * fails. If it can be, returns the number of names to sign, roughly.
 *
 * @param changes the entries of the command
 */
export function weighSigning(
  domain: SignableDomain,
  changes: readonly ChangedRow[],
  signing: BatchSigning | undefined,
): Result<number> {
  if (domain.current.presignedUntilSeconds !== null) return success(0);
  const extent = extentOf(domain.current);
  if (extent === undefined) return success(0);
  if (signing === undefined || !opensAll(domain, signing)) return refuseUnavailable();
  const owners = new Set<OwnerKey>();
  for (const { record } of changes) if (record !== null) owners.add(record.owner);
  if (domain.isSignedOtherwise()) for (const { owner } of domain.allRecords()) owners.add(owner);
  const names = countNames(domain, owners);
  const refusal =
    findNumberRefusal(domain, names) ??
    findApexRefusal(domain, changes) ??
    findAliasRefusal(domain, extent, changes) ??
    findTypesRefusal(domain, owners);
  if (refusal !== undefined) return refusal;
  const cost = signatureCostOf(domain.keys.all());
  if (domain.isSignedOtherwise()) return success(domain.current.recordCount * cost);
  const below = weighNamesBelow(domain, owners, changes);
  return below.ok ? success((names + below.value) * cost) : below;
}

/** Keys of other providers only stand in the zone. */
function opensAll({ keys }: SignableDomain, { signer }: BatchSigning): boolean {
  return keys.all().every((key) => !isSigning(key) || signer.opens(key));
}

export function refuseUnavailable(): Refused {
  return refused(
    'dnssec_unavailable',
    'This service cannot open the DNSSEC keys of the domain: its operator has to set ZONEWRIGHT_DNSSEC_SECRET as it was',
  );
}

/** Validators refuse a signature that begins in the future, or has ended. */
export function refuseDoubtfulClock(name: ZoneName, fault: string): Refused {
  return refused(
    'dnssec_unavailable',
    `The clock of this service ${fault}: nothing can be signed in domain ${quoteText(name)} until it is right`,
  );
}

/** Those above count as well where they may be empty non-terminals. Counts no further than one beyond the limit. */
function countNames({ current }: Pick<SignableDomain, 'current'>, owners: Iterable<OwnerKey>): number {
  const names = new Set(owners);
  const extent = extentOf(current);
  if (extent === undefined || !keepsChain(extent, 'nsec3')) return names.size;
  for (const owner of [...names]) {
    for (const above of ownersAbove(owner)) names.add(above);
    if (names.size > MAX_CHAINED_NAMES) break;
  }
  return names.size;
}

function findNumberRefusal(domain: SignableDomain, names: number): Refused | undefined {
  const most = signatureCostOf(domain.keys.all()) > 1 ? MAX_RSA_CHAINED_NAMES : MAX_CHAINED_NAMES;
  if (names <= most) return undefined;
  const chain = domain.current.denial === 'nsec3' ? ', empty non-terminals counted too' : '';
  return refused(
    'invalid_request',
    domain.isSignedOtherwise()
      ? `Domain ${quoteText(domain.current.name)} has more than the ${most} names that can be signed in one go${chain}`
      : `The domain is signed, and this write would change more than ${most} of its names${chain}: send it in parts`,
  );
}

function findApexRefusal({ current }: SignableDomain, changes: readonly ChangedRow[]): Refused | undefined {
  const put = changes.flatMap(({ kind, record }) =>
    kind === 'recordPut' && record !== null ? [record] : [],
  );
  const found = put.find(({ owner, type }) => owner === APEX && ownApexTypes.includes(type));
  if (found === undefined) return undefined;
  const type = formatRecordType(found.type);
  return refused(
    'record_conflict',
    `No ${type} record can be added at the apex of ${quoteText(current.name)}: the domain is signed, and the service makes these records itself`,
  );
}

/** It decides about all names, of which some are signed. */
function findAliasRefusal(
  { current }: SignableDomain,
  { hasApex }: SignedExtent,
  changes: readonly ChangedRow[],
): Refused | undefined {
  const isChanged = changes.some(({ record }) => record?.owner === APEX && record.type === rrType.DNAME);
  if (hasApex || !isChanged) return undefined;
  return refused(
    'dnssec_conflict',
    `Domain ${quoteText(current.name)} is being signed: no DNAME record can be added, changed or removed at its apex until that is done`,
  );
}

function findTypesRefusal(domain: SignableDomain, owners: Iterable<OwnerKey>): Refused | undefined {
  const most = maxSignedSets(domain.keys.all());
  for (const owner of owners) {
    const refusal = findOwnerRefusal(domain, owner, most);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** @param mostTypes see `maxSignedSets` */
export function findOwnerRefusal(
  domain: Pick<SignableDomain, 'current' | 'recordsAt'>,
  owner: OwnerKey,
  mostTypes: number,
): Refused | undefined {
  const records = domain.recordsAt(owner);
  if (isWildcard(owner) && records.findOfType(rrType.NS) !== undefined) return refuseWildcard(domain);
  const types = [...records.types()].length;
  if (types <= mostTypes) return undefined;
  return refused(
    'invalid_request',
    `A name of ${quoteText(domain.current.name)} would have records of ${types} types, and ${mostTypes} can be signed`,
  );
}

/** How many sets of a name can be signed, so that their signatures fit into one row beside those of another key. */
export function maxSignedSets(keys: readonly ZoneKey[]): number {
  const isLarge = keys.some((key) => isSigning(key) && isRsa(key.algorithm));
  return isLarge ? MAX_RSA_SIGNED_SETS : MAX_SIGNED_SETS;
}

function isWildcard(owner: OwnerKey): boolean {
  return owner === '*' || owner.startsWith('*.');
}

/** NS records at a wildcard have no defined meaning (RFC 4592 section 4.2), and validators reject the answers below it. */
function refuseWildcard({ current }: Pick<SignableDomain, 'current'>): Refused {
  return refused(
    'record_conflict',
    `No NS record can exist at a wildcard of ${quoteText(current.name)} while the domain is signed: name the delegations one by one`,
  );
}

/** Counts the names below delegations and DNAMEs that the command adds or removes, unless it changes them itself. */
function weighNamesBelow(
  domain: SignableDomain,
  owners: ReadonlySet<OwnerKey>,
  changes: readonly ChangedRow[],
): Result<number> {
  const ids = new OwnerIds(domain.current.name);
  const cost = signatureCostOf(domain.keys.all());
  const mostNames = Math.floor(MAX_RESIGNED_NAMES / cost);
  const mostSets = Math.floor(MAX_RESIGNED_SETS / cost);
  let names = 0;
  let sets = 0;
  for (const [owner, steps] of stepsOf(changes)) {
    const isOccluding = occludes(domain, owner, noSteps);
    if (occludes(domain, owner, steps) === isOccluding) continue;
    const { from, to } = keysBelow(ids.idOf(owner));
    const limit = mostNames + owners.size + 1;
    const below = domain.generated.committedBetween(from, to, limit);
    const others = below.filter((row) => !owners.has(row.owner));
    names += others.length;
    if (names > mostNames) return refuseTooMany(domain, owner, `${mostNames} names`);
    if (!isOccluding) sets += countSets(domain, others, mostSets);
    if (sets > mostSets) return refuseTooMany(domain, owner, `${mostSets} sets of records`);
  }
  return success(Math.max(names, Math.ceil(sets / 2)));
}

/** The sets of owners; they are counted only if the domain has so many records that they could be too many. */
function countSets(domain: SignableDomain, rows: readonly DomainRecord[], most: number): number {
  if (domain.current.recordCount <= most) return rows.length;
  let sets = 0;
  const count = ({ owner }: DomainRecord): void => {
    sets += [...domain.recordsAt(owner).types()].length;
  };
  finishSteps(visitAll(rows, count));
  return sets;
}

/** How many records more of the types that hide names below an owner has after the command. */
type Steps = ReadonlyMap<number, number>;
const noSteps: Steps = new Map();

function stepsOf(changes: readonly ChangedRow[]): ReadonlyMap<OwnerKey, Steps> {
  const owners = new Map<OwnerKey, Map<number, number>>();
  for (const { kind, record } of changes) {
    if (record === null || (record.type !== rrType.NS && record.type !== rrType.DNAME)) continue;
    const steps = owners.get(record.owner) ?? new Map<number, number>();
    steps.set(record.type, (steps.get(record.type) ?? 0) + (kind === 'recordPut' ? 1 : -1));
    owners.set(record.owner, steps);
  }
  return owners;
}

/** Whether names below are occluded without these steps. */
function occludes(domain: SignableDomain, owner: OwnerKey, steps: Steps): boolean {
  const has = (type: number): boolean =>
    domain.recordsAt(owner).measure(type).records - (steps.get(type) ?? 0) > 0;
  return has(rrType.DNAME) || (owner !== APEX && has(rrType.NS));
}

function refuseTooMany({ current }: SignableDomain, owner: OwnerKey, limit: string): Refused {
  const name = quoteText(owner === APEX ? current.name : `${owner}.${current.name}`);
  return refused(
    'invalid_request',
    `The domain is signed, and more than ${limit} below ${name} would have to be signed again: remove some of them first`,
  );
}
