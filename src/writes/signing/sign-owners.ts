import { rrType } from '../../dns/codes.ts';
import { ownerStatus, type OwnerStatus } from '../../dns/proven-types.ts';
import type { StoredSignature } from '../../dns/stored-signature.ts';
import type { Steps } from '../../base/steps.ts';
import type { OwnerSignatures } from '../../model/generated-row.ts';
import { keysBelow } from '../../model/order-key.ts';
import { APEX } from '../../model/record-name.ts';
import type { DomainRecord, OwnerKey } from '../../model/record.ts';
import { keySetRows } from './apex-rows.ts';
import { ownersAbove } from './owners-above.ts';
import type { OwnerName } from './owner-ids.ts';
import { keepsChain } from './signed-extent.ts';
import { visitAll } from './visit-all.ts';
import { chainedTypes, occludesBelow, type ServedSet, type ZoneRows } from './zone-rows.ts';

/** The types whose sets at an owner changed; `all` at an owner whose signatures are all made. */
export type ChangedTypes = ReadonlySet<number> | 'all';

/** Changes of the chain that signing owners makes. */
export interface ChainChanges {
  readonly joined: OwnerName[];
  readonly left: OwnerName[];
  /** Owners that stay in the chain with other types. */
  readonly retyped: OwnerName[];
}

const { OCCLUDED, AUTHORITATIVE, DELEGATION } = ownerStatus;

/**
 * Writes the row of signatures of each changed owner, without NSEC: its status first, then a signature for each of its sets
 * that has none or has changed. Where a delegation or a DNAME appears or disappears, everything below changes as well.
 */
export function* signOwners(
  zone: ZoneRows,
  changed: ReadonlyMap<OwnerKey, ChangedTypes>,
): Steps<ChainChanges> {
  const changes: ChainChanges = { joined: [], left: [], retyped: [] };
  const names = Array.from(changed.keys(), (owner) => ({ owner, id: zone.idOf(owner) })).sort(inOrder);
  // Names come before those below them, so that the rows above a name are up to date when it is its turn.
  yield* visitAll(withThoseBelow(zone, names), (visit) => {
    const { name } = visit;
    const types = changed.get(name.owner) ?? noTypes;
    const wasOccluding = isBelowOccluded(zone, name.owner);
    signOwner(zone, name, types, changes);
    visit.isOccludingChanged = isBelowOccluded(zone, name.owner) !== wasOccluding;
  });
  return changes;
}

const noTypes: ChangedTypes = new Set();

interface Visit {
  readonly name: OwnerName;
  /** Set by the visitor: the names below become occluded, or no longer are. */
  isOccludingChanged: boolean;
}

/** The names in order, and all that own something below one whose `isOccludingChanged` was set. */
function* withThoseBelow(zone: ZoneRows, names: readonly OwnerName[]): Generator<Visit> {
  for (let at = 0; at < names.length; at++) {
    const name = names[at];
    const visit = { name, isOccludingChanged: false };
    yield visit;
    if (!visit.isOccludingChanged) continue;
    const { from, to } = keysBelow(name.id);
    const below = new Map<string, OwnerName>();
    // Names that no slice has reached are not signed yet. A space sorts before all characters of ids.
    const end = `${zone.extent.namesUpTo} `;
    const signedTo = to < end ? to : end;
    for (const row of zone.domain.generated.committedBetween(from, signedTo, Number.MAX_SAFE_INTEGER)) {
      below.set(row.id, row);
    }
    for (; at + 1 < names.length && names[at + 1].id < to; at++) below.set(names[at + 1].id, names[at + 1]);
    for (const lower of [...below.values()].sort(inOrder)) yield { name: lower, isOccludingChanged: false };
  }
}

function inOrder(a: OwnerName, b: OwnerName): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

function isBelowOccluded(zone: ZoneRows, owner: OwnerKey): boolean {
  const row = zone.signaturesOf(owner);
  return row === undefined ? isOccluded(zone, owner) : occludesBelow(row);
}

/** The nearest name above that owns something tells what is above it in turn. */
function isOccluded(zone: ZoneRows, owner: OwnerKey): boolean {
  for (const above of ownersAbove(owner)) {
    const row = zone.signaturesOf(above);
    if (row !== undefined) return occludesBelow(row);
  }
  // The apex has no row yet while the domain is signed in slices.
  return !zone.extent.hasApex && zone.domain.recordsAt(APEX).findOfType(rrType.DNAME) !== undefined;
}

function signOwner(zone: ZoneRows, name: OwnerName, changed: ChangedTypes, changes: ChainChanges): void {
  const { owner, id } = name;
  const before = zone.signaturesOf(owner);
  const records = recordsAt(zone, owner);
  if (records.length === 0 && owner !== APEX) {
    zone.domain.generated.drop(id, owner);
    if (before !== undefined && before.status !== OCCLUDED) changes.left.push(name);
    return;
  }
  const sets = servedSets(records);
  const status = statusOf(zone, owner, sets);
  const signatures = signSets(zone, name, { status, sets, changed, before });
  zone.putSignatures(name, status, signatures);
  noteChange(name, before, { status, signatures }, changes);
}

/** At the apex also the sets of keys. */
function recordsAt(zone: ZoneRows, owner: OwnerKey): readonly DomainRecord[] {
  const records = zone.domain.recordsAt(owner).all;
  if (owner !== APEX) return records;
  return [...records, ...keySetRows(zone.domain)];
}

/** A set is served with the lowest TTL of its records. */
function servedSets(records: readonly DomainRecord[]): readonly ServedSet[] {
  const sets: { type: number; ttl: number; rdatas: Uint8Array[] }[] = [];
  for (const { type, ttl, rdata } of records) {
    const set = sets.find((other) => other.type === type);
    if (set === undefined) sets.push({ type, ttl, rdatas: [rdata] });
    else {
      set.ttl = Math.min(set.ttl, ttl);
      set.rdatas.push(rdata);
    }
  }
  return sets;
}

function statusOf(zone: ZoneRows, owner: OwnerKey, sets: readonly ServedSet[]): OwnerStatus {
  if (owner === APEX) return AUTHORITATIVE;
  if (isOccluded(zone, owner)) return OCCLUDED;
  return sets.some(({ type }) => type === rrType.NS) ? DELEGATION : AUTHORITATIVE;
}

interface OwnerState {
  readonly status: OwnerStatus;
  readonly sets: readonly ServedSet[];
  readonly changed: ChangedTypes;
  readonly before: OwnerSignatures | undefined;
}

/** NSEC keeps its signature, if there is such a chain, which decides about it. */
function signSets(zone: ZoneRows, { owner }: OwnerName, state: OwnerState): StoredSignature[] {
  const { status, sets, changed, before } = state;
  if (status === OCCLUDED) return [];
  const signatures = keepsChain(zone.extent, 'nsec') ? signaturesOf(before, rrType.NSEC) : [];
  for (const set of sets) {
    const { type } = set;
    if (status === DELEGATION && type !== rrType.DS) continue;
    const reusable = changed === 'all' || changed.has(type) ? [] : signaturesOf(before, type);
    signatures.push(...zone.sign(zone.nameOf(owner), set, reusable));
  }
  return signatures;
}

function signaturesOf(before: OwnerSignatures | undefined, sought: number): StoredSignature[] {
  return before?.signatures.filter(({ type }) => type === sought) ?? [];
}

function noteChange(
  name: OwnerName,
  before: OwnerSignatures | undefined,
  after: OwnerSignatures,
  { joined, left, retyped }: ChainChanges,
): void {
  const wasChained = before !== undefined && before.status !== OCCLUDED;
  if (after.status === OCCLUDED) {
    if (wasChained) left.push(name);
  } else if (!wasChained) joined.push(name);
  else if (!hasSameTypes(name.owner, before, after)) retyped.push(name);
}

function hasSameTypes(owner: OwnerKey, before: OwnerSignatures, after: OwnerSignatures): boolean {
  const [was, is] = [new Set(chainedTypes(owner, before)), chainedTypes(owner, after)];
  return before.status === after.status && was.size === is.length && is.every((type) => was.has(type));
}
