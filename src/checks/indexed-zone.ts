import {
  domainNameAt,
  equalDomainNames,
  isSubdomain,
  lowerDomainName,
  parseDomainName,
  type DomainName,
} from '../dns/name.ts';
import { formatDomainName } from '../dns/name.ts';
import type { Steps } from '../base/steps.ts';
import { assert } from '../base/assert.ts';
import { rrType } from '../dns/codes.ts';
import type { ZoneName } from '../model/domain.ts';
import type { DomainRecord, OwnerKey } from '../model/record.ts';
import type { ZoneFacts } from './zone-facts.ts';

/** An index of a zone for the checks: its records by owner, and the owners above a name. Built once, never changed. */
export interface IndexedZone {
  readonly zone: ZoneName;
  readonly facts: ZoneFacts;
  readonly owners: ReadonlyMap<OwnerKey, readonly DomainRecord[]>;
  /** Owners of hosts that delegations name. */
  readonly glueNames: ReadonlySet<OwnerKey>;
  /** The owner key of a name at or below the apex; undefined for any other name. */
  ownerOf(name: DomainName): OwnerKey | undefined;
  /** Whether the name exists; names that only have records below them exist, too (RFC 8020). */
  exists(owner: OwnerKey): boolean;
  has(owner: OwnerKey, type: number): boolean;
  /** The nearest owner above the name that has records of the type; never the apex. */
  above(owner: OwnerKey, type: number): OwnerKey | undefined;
  /** The wildcard that answers for a name that does not exist (RFC 4592 section 3.3.1). */
  wildcardFor(owner: OwnerKey): OwnerKey | undefined;
}

/** About 0.5 ms. */
const RECORDS_PER_STEP = 250;

/** At one owner, so few records are searched as fast as an index. */
const FEW_RECORDS = 8;

export function* indexZone(
  zone: ZoneName,
  records: readonly DomainRecord[],
  facts: ZoneFacts,
): Steps<IndexedZone> {
  const apex = parseDomainName(zone);
  assert(apex.ok, 'a zone name is a name');
  const owners = new Map<OwnerKey, DomainRecord[]>();
  const names = new Set<OwnerKey>();
  const glueNames = new Set<OwnerKey>();
  for (const [at, record] of records.entries()) {
    const existing = owners.get(record.owner);
    if (existing === undefined) owners.set(record.owner, [record]);
    else existing.push(record);
    addNamesAbove(record.owner, names);
    const host = record.type === rrType.NS && record.owner !== '' ? domainNameAt(record.rdata, 0) : undefined;
    const hostOwner = host && ownerIn(apex.value, host);
    if (hostOwner !== undefined) glueNames.add(hostOwner);
    if ((at + 1) % RECORDS_PER_STEP === 0) yield;
  }
  const typesAt = new Map<OwnerKey, ReadonlySet<number>>();
  const has = (owner: OwnerKey, type: number): boolean => {
    const existing = owners.get(owner) ?? [];
    if (existing.length <= FEW_RECORDS) return existing.some((record) => record.type === type);
    const types = typesAt.get(owner) ?? new Set(existing.map((record) => record.type));
    typesAt.set(owner, types);
    return types.has(type);
  };
  const index: IndexedZone = {
    zone,
    facts,
    owners,
    glueNames,
    has,
    exists: (owner) => owner === '' || names.has(owner),
    ownerOf: (name) => ownerIn(apex.value, name),
    above: (owner, type) => parents(owner).find((parent) => has(parent, type)),
    wildcardFor(owner) {
      const encloser = parents(owner).find((parent) => names.has(parent)) ?? ('' as OwnerKey);
      const wildcard = (encloser === '' ? '*' : `*.${encloser}`) as OwnerKey;
      return owners.has(wildcard) ? wildcard : undefined;
    },
  };
  return index;
}

/** Whether the owner is a zone cut; records below it belong to the child zone, except for glue. */
export function isDelegation(index: IndexedZone, owner: OwnerKey): boolean {
  return owner !== '' && index.has(owner, rrType.NS);
}

/** The owner whose records answer for a name: the name itself or a wildcard. */
export function answererOf(index: IndexedZone, owner: OwnerKey): OwnerKey {
  return index.exists(owner) ? owner : (index.wildcardFor(owner) ?? owner);
}

/** The names above an owner, nearest first, without the apex. Dots inside labels are escaped. */
export function parents(owner: OwnerKey): OwnerKey[] {
  const above: OwnerKey[] = [];
  for (let rest = afterFirstLabel(owner); rest !== ''; rest = afterFirstLabel(rest)) above.push(rest);
  return above;
}

function afterFirstLabel(owner: OwnerKey): OwnerKey {
  for (let at = 0; at < owner.length; at++) {
    if (owner[at] === '\\') at++;
    else if (owner[at] === '.') return owner.slice(at + 1) as OwnerKey;
  }
  return '' as OwnerKey;
}

/** Adds the owner and all names above it, except the apex. */
function addNamesAbove(owner: OwnerKey, names: Set<OwnerKey>): void {
  for (let name = owner; name !== '' && !names.has(name); name = afterFirstLabel(name)) names.add(name);
}

function ownerIn(apex: DomainName, name: DomainName): OwnerKey | undefined {
  if (!isSubdomain(name, apex)) return undefined;
  if (equalDomainNames(name, apex)) return '' as OwnerKey;
  const relative = new Uint8Array(name.length - apex.length + 1) as DomainName;
  relative.set(name.subarray(0, name.length - apex.length));
  return formatDomainName(lowerDomainName(relative)).slice(0, -1) as OwnerKey;
}
