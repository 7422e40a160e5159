import { assert } from '../../base/assert.ts';
import { visitInSteps, type Steps } from '../../base/steps.ts';
import { rrType } from '../../dns/codes.ts';
import { isGeneratedId } from '../../model/generated-row.ts';
import { APEX } from '../../model/record-name.ts';
import type { OwnerKey } from '../../model/record.ts';
import type { SignableDomain } from './signable-domain.ts';
import { putKeySets, putSoa } from './apex-rows.ts';
import type { BatchSigning } from './batch-signing.ts';
import { signNsec3Chain } from './nsec3-chain.ts';
import { signNsecChain } from './nsec-chain.ts';
import { signOwners, type ChangedTypes } from './sign-owners.ts';
import { ZoneRows } from './zone-rows.ts';

/**
 * Brings the generated rows of one domain in line with what the batch has made of its records:
 *
 *     changed owners ─▶ key sets at the apex ─▶ status and signatures of each owner ─▶ NSEC or NSEC3 chain ─▶ SOA
 *
 * Signatures of sets that have not changed stay. A domain that was not signed is signed as a whole, and one that no longer
 * is loses all these rows.
 */
export function* signDomain(domain: SignableDomain, signing: BatchSigning | undefined): Steps<void> {
  const { denial, presignedUntilSeconds } = domain.current;
  if (presignedUntilSeconds !== null) {
    yield* putPresigned(domain);
    return;
  }
  const isWhole = domain.isSignedOtherwise();
  if (isWhole) yield* dropAll(domain);
  if (denial === null) return;
  assert(signing !== undefined, 'a write to a signed domain is refused without a signer');
  const zone = new ZoneRows(domain, denial, signing);
  const changed = isWhole ? allOwners(domain) : changedOwners(domain);
  addKeySets(zone, changed);
  const changes = yield* signOwners(zone, changed);
  const due = [...domain.renewals].filter(([, types]) => types.has(chainTypes[denial]));
  if (denial === 'nsec3')
    yield* signNsec3Chain(
      zone,
      changes,
      due.map(([owner]) => owner),
    );
  else
    yield* signNsecChain(
      zone,
      changes,
      due.map(([owner]) => ({ owner, id: zone.idOf(owner) })),
    );
  putSoa(zone);
}

/** The type of the records that make the chain. */
export const chainTypes = { nsec: rrType.NSEC, nsec3: rrType.NSEC3 } as const;

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
  for (const [owner, types] of domain.renewals) {
    for (const type of types) if (type !== rrType.NSEC3) add(owner, type);
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
