import { assert } from '../../base/assert.ts';
import { ByteWriter } from '../../base/byte-writer.ts';
import { visitInSteps, type Steps } from '../../base/steps.ts';
import {
  generatedType,
  hashedNameId,
  isGeneratedId,
  SOA_ID,
  SOA_OWNER,
  WORK_ID,
} from '../../model/generated-row.ts';
import { APEX } from '../../model/record-name.ts';
import type { OwnerKey } from '../../model/record.ts';
import type { SignableDomain } from './signable-domain.ts';
import { putKeySets, putSoa } from './apex-rows.ts';
import type { BatchSigning } from './batch-signing.ts';
import { chainTypes } from './chain-types.ts';
import { signNsec3Chain } from './nsec3-chain.ts';
import { signNsecChain } from './nsec-chain.ts';
import { extentOf, keepsChain, type ChainExtent } from './signed-extent.ts';
import { signOwners, type ChainChanges, type ChangedTypes } from './sign-owners.ts';
import { isSingleLabel } from './names-after.ts';
import { visitAll } from './visit-all.ts';
import { generatedRow, ZoneRows } from './zone-rows.ts';

/**
 * Brings the generated rows of one domain in line with what the batch has made of its records:
 *
 *     changed owners ─▶ key sets at the apex ─▶ status and signatures of each owner ─▶ NSEC or NSEC3 chain ─▶ SOA
 *
 * Signatures of sets that have not changed stay. A domain that was not signed is signed as a whole, and one that no longer
 * is loses all these rows. A large one is signed in slices (`SigningWork`): the names that a walk has not reached only keep
 * their places.
 */
export function* signDomain(domain: SignableDomain, signing: BatchSigning | undefined): Steps<void> {
  yield* signRows(domain, signing);
  if (domain.storedWork !== null || domain.current.signingWork !== null) markWork(domain);
}

/**
 * Followers learn of a new serial by a row that changes. In a signed zone, that of the SOA record does; while there is none,
 * a slice may change no other row.
 */
function markWork({ current, generated }: SignableDomain): void {
  if (current.denial !== null || current.signingWork === null) {
    generated.drop(WORK_ID, APEX);
    return;
  }
  const serial = new ByteWriter();
  serial.u32(current.serial);
  generated.put(generatedRow(WORK_ID, APEX, generatedType.unfinished, serial.finish()));
}

function* signRows(domain: SignableDomain, signing: BatchSigning | undefined): Steps<void> {
  if (domain.current.presignedUntilSeconds !== null) {
    yield* putPresigned(domain);
    return;
  }
  const isWhole = domain.isSignedOtherwise();
  for (const [id, owner] of domain.dropped) domain.generated.drop(id, owner);
  if (isWhole) yield* dropAll(domain);
  const extent = extentOf(domain.current);
  if (extent === undefined) {
    if (domain.storedDenial !== null) dropApex(domain);
    return;
  }
  assert(signing !== undefined, 'a write to a signed domain is refused without a signer');
  const zone = new ZoneRows(domain, extent, signing);
  const owners = isWhole ? allOwners(domain) : changedOwners(domain);
  if (extent.hasApex) addKeySets(zone, owners);
  const changes = yield* signOwners(zone, yield* takeSigned(zone, owners));
  if (domain.storedDenial === 'nsec3' && !keepsChain(extent, 'nsec3')) dropHashedApex(zone);
  for (const chain of extent.chains) yield* signChain(zone, chain, changes);
  yield* zone.finish();
  if (extent.hasApex) putSoa(zone);
}

function* signChain(zone: ZoneRows, chain: ChainExtent, changes: ChainChanges): Steps<void> {
  const renewed = [...zone.domain.renewals].filter(([, types]) => types.has(chainTypes[chain.denial]));
  const due = renewed.map(([owner]) => owner);
  if (chain.denial === 'nsec3') yield* signNsec3Chain(zone, chain, changes, due);
  else {
    const names = due.map((owner) => ({ owner, id: zone.idOf(owner) }));
    yield* signNsecChain(zone, chain, changes, names);
  }
}

/** Returns the owners that are signed already, or are now. The places of the others are kept in line with the records. */
function* takeSigned(
  zone: ZoneRows,
  owners: Map<OwnerKey, ChangedTypes>,
): Steps<ReadonlyMap<OwnerKey, ChangedTypes>> {
  const { domain, extent } = zone;
  if (extent.hasApex) return owners;
  const written = new Set<OwnerKey>();
  for (const [before, after] of domain.recordWrites()) {
    if (before !== null) written.add(before.owner);
    if (after !== null) written.add(after.owner);
  }
  const signed = new Map<OwnerKey, ChangedTypes>();
  yield* visitAll(owners, ([owner, types]) => {
    if (owner === APEX) return;
    const id = zone.idOf(owner);
    if (id <= extent.namesUpTo) signed.set(owner, types);
    // The walk has met the other owners in the store.
    else if (written.has(owner) && domain.recordsAt(owner).all.length === 0) domain.generated.drop(id, owner);
    else if (!isSingleLabel(owner)) zone.putPlace({ owner, id });
  });
  return signed;
}

/** Without these rows, the zone is served unsigned; the others are removed in slices. */
function dropApex(domain: SignableDomain): void {
  const { generated } = domain;
  domain.recordsAt(APEX);
  for (const { id } of generated.loadedAt(APEX)) if (isGeneratedId(id)) generated.drop(id, APEX);
  generated.drop(SOA_ID, SOA_OWNER);
}

/** Tells that the zone no longer has NSEC3 records; the other hashes are removed in slices. */
function dropHashedApex({ domain, apex, signing }: ZoneRows): void {
  domain.generated.drop(hashedNameId(signing.signer.hashName(apex)), APEX);
}

/** Without new rows, those that are stored stay. */
function* putPresigned(domain: SignableDomain): Steps<void> {
  const { generated, presignedRows } = domain;
  if (presignedRows === undefined) return;
  yield* dropAll(domain);
  yield* visitInSteps(presignedRows, (row) => generated.put(row));
}

function* dropAll({ generated }: SignableDomain): Steps<void> {
  generated.loadAll();
  yield;
  for (const { id, owner } of generated.all()) if (isGeneratedId(id)) generated.drop(id, owner);
}

function allOwners(domain: SignableDomain): Map<OwnerKey, ChangedTypes> {
  const owners = new Map<OwnerKey, ChangedTypes>([[APEX, 'all']]);
  for (const { owner } of domain.allRecords()) owners.set(owner, 'all');
  return owners;
}

/** Owners of records that were written, and those whose signatures are renewed. */
function changedOwners(domain: SignableDomain): Map<OwnerKey, ChangedTypes> {
  const owners = writtenOwners(domain);
  for (const [owner, types] of domain.renewals) {
    const written = owners.get(owner);
    owners.set(owner, written === undefined ? types : new Set([...written, ...types]));
  }
  return owners;
}

function writtenOwners(domain: SignableDomain): Map<OwnerKey, ReadonlySet<number>> {
  const owners = new Map<OwnerKey, Set<number>>();
  const add = (owner: OwnerKey, type: number): void => {
    const types = owners.get(owner);
    if (types === undefined) owners.set(owner, new Set([type]));
    else types.add(type);
  };
  for (const [before, after] of domain.recordWrites()) {
    if (before !== null) add(before.owner, before.type);
    if (after !== null) add(after.owner, after.type);
  }
  return owners;
}

const noTypes: ChangedTypes = new Set();

/** Other keys, or other uses of them, change the sets of keys, or who signs these. */
function addKeySets(zone: ZoneRows, owners: Map<OwnerKey, ChangedTypes>): void {
  const atApex = owners.get(APEX) ?? (zone.domain.keys.isChanged() ? noTypes : undefined);
  if (atApex === undefined) return;
  const types = putKeySets(zone);
  if (atApex !== 'all') owners.set(APEX, new Set([...atApex, ...types]));
}
