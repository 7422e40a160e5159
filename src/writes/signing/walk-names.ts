/**
 * One slice of the work on the signatures of a large domain (`SigningWork`): which rows are made, signed or removed with the
 * batch, and how far the walk is then. The signatures are made when the batch is finished (`signDomain`).
 */
import { finishSteps } from '../../base/steps.ts';
import type { Denial } from '../../dns/proven-types.ts';
import type { StoredSignature } from '../../dns/stored-signature.ts';
import { nextRenewalSeconds } from '../../dnssec/signature-times.ts';
import { hasUse, isNamedAlike, keyUse, signatureCostOf, type ZoneKey } from '../../dnssec/zone-key.ts';
import {
  decodeHashedName,
  decodeOwnerSignatures,
  FIRST_GENERATED_ID,
  generatedPrefix,
} from '../../model/generated-row.ts';
import { APEX } from '../../model/record-name.ts';
import type { DomainRecord, OwnerKey } from '../../model/record.ts';
import { nextWalk, type SigningWork } from '../../model/signing-work.ts';
import { findOwnerRefusal, maxSignedSets } from './find-signing-refusal.ts';
import { keySetTypes } from './key-set-types.ts';
import { ownersAbove } from './owners-above.ts';
import { chainTypes } from './chain-types.ts';
import type { WalkedDomain } from './signable-domain.ts';
import type { SliceLimits } from './slice-limits.ts';
import { isSingleLabel, namesAfter, type NamesAfter } from './names-after.ts';
import type { OwnerName } from './owner-ids.ts';
import { visitAll } from './visit-all.ts';

/** Signatures of a name as usual names have them: its set, its NSEC record, and one more. */
const SIGNATURES_A_NAME = 3;

/** Looking at an owner costs so much less than a name that is signed. */
const OWNERS_A_NAME = 16;

/** Placeholders and rows that only are read or removed cost so much less than a name that is signed. */
const LIGHT_ROWS_A_NAME = 4;

/** Notes the rows of the next slice of the domain's work, and how far it is then. */
export function takeSlice(domain: WalkedDomain, work: SigningWork, limits: SliceLimits, now: number): void {
  switch (work.walk) {
    case 'owners':
      walkOwners(domain, work, limits);
      return;
    case 'names':
      walkNames(domain, work, limits);
      return;
    case 'hashes':
      walkHashes(domain, work, limits);
      return;
    case 'apex':
      flip(domain, work, now);
      return;
    case 'rest':
      if (work.kind === 'remove') removeRows(domain, work, LIGHT_ROWS_A_NAME * limits.names);
      else mendRows(domain, work, limits);
  }
}

const none: ReadonlySet<number> = new Set();

/** The most names and signatures of a slice; RSA keys sign slowly. */
function boundsOf(
  { keys }: Pick<WalkedDomain, 'keys'>,
  { names }: SliceLimits,
): { readonly names: number; readonly signatures: number } {
  const most = Math.max(1, Math.floor(names / signatureCostOf(keys.all())));
  return { names: most, signatures: SIGNATURES_A_NAME * most };
}

/** @param last the owner or id that was reached; undefined: the walk is over */
function goOn(domain: WalkedDomain, work: SigningWork, last: string | undefined, done: number): void {
  const signingWork =
    last === undefined ? nextWalk(work) : { ...work, cursor: last, done: work.done + done, problem: null };
  domain.raiseServedSerial();
  domain.change({ signingWork });
}

/** The owner has to remove the cause first. */
function stopAt(domain: WalkedDomain, work: SigningWork, problem: string): void {
  if (work.problem === problem) return;
  domain.raiseServedSerial();
  domain.change({ signingWork: { ...work, problem } });
}

/** The rows after the cursor, of ids with the prefix; with one more than `limit` if there are more. */
function rowsAfter(
  { generated }: WalkedDomain,
  cursor: string,
  from: string,
  to: string,
  limit: number,
): readonly DomainRecord[] {
  // A space sorts before all characters of ids.
  const rows = generated.committedBetween(cursor === '' ? from : `${cursor} `, to, limit + 1);
  generated.learnInOrder(rows);
  return rows;
}

function walkOwners(domain: WalkedDomain, work: SigningWork, { names }: SliceLimits): void {
  const owners = domain.ownersAfter(work.cursor, OWNERS_A_NAME * names + 1);
  const slice = owners.slice(0, OWNERS_A_NAME * names);
  let places = 0;
  let passed = 0;
  for (const { owner, isBare } of slice) {
    if (places === LIGHT_ROWS_A_NAME * names) break;
    passed++;
    if (!isBare || isSingleLabel(owner)) continue;
    places++;
    domain.generated.learnedOwner(owner);
    domain.renew(owner, none);
  }
  goOn(domain, work, passed < owners.length ? slice[passed - 1].owner : undefined, passed);
}

/** Names differ in how many sets they have, and in how many empty non-terminals are above them. */
function walkNames(domain: WalkedDomain, work: SigningWork, limits: SliceLimits): void {
  const { names, signatures } = boundsOf(domain, limits);
  const denial = work.denial ?? 'nsec';
  const slice = work.kind === 'sign' ? namesToSign(domain, work, names) : signedNames(domain, work, names);
  const types = new Set([chainTypes[denial]]);
  // Names to sign are weighed by their records. Otherwise only the records of those that are taken are read.
  if (work.kind === 'sign') domain.readOwners(slice.names.map(({ owner }) => owner));
  const weighed = weighNames(domain, work, slice.names);
  let weight = 0;
  let taken = 0;
  for (const { owner } of slice.names) {
    const own = weighed[taken];
    if (own.problem !== null && taken === 0) {
      stopAt(domain, work, own.problem);
      return;
    }
    if (own.problem !== null || (taken > 0 && weight + own.weight > signatures)) break;
    weight += own.weight;
    taken++;
    domain.renew(owner, types);
  }
  domain.readOwners(slice.names.slice(0, taken).map(({ owner }) => owner));
  goOn(domain, work, taken < slice.names.length ? slice.names[taken - 1].id : slice.upTo, taken);
}

/** All but the apex, which gets its signatures with the write that is seen. */
function namesToSign(domain: WalkedDomain, work: SigningWork, limit: number): NamesAfter {
  const { signatures } = generatedPrefix;
  const sources = {
    places: (cursor: string, most: number) =>
      rowsAfter(domain, cursor, `${signatures} `, `${signatures}~`, most),
    ownersAfter: (place: string, most: number) => domain.ownersAfter(place, most),
  };
  const found = namesAfter(sources, work.cursor, limit);
  domain.generated.learnPlaces(
    signatures,
    found.names.map(({ id }) => id),
  );
  return found;
}

function signedNames(domain: WalkedDomain, { cursor, denial }: SigningWork, limit: number): NamesAfter {
  const { signatures } = generatedPrefix;
  // The apex gets its NSEC3 record with the write that is seen.
  const first = denial === 'nsec' ? signatures : `${signatures} `;
  const rows = rowsAfter(domain, cursor, first, `${signatures}~`, limit);
  const names = rows.slice(0, limit);
  return { names, upTo: rows.length > limit ? names.at(-1)?.id : undefined };
}

interface WeighedName {
  /** In signatures. */
  readonly weight: number;
  /** Why the name cannot be signed. */
  readonly problem: string | null;
}

function weighNames(
  domain: WalkedDomain,
  { kind, denial }: SigningWork,
  names: readonly OwnerName[],
): readonly WeighedName[] {
  const seen = new Set<OwnerKey>();
  const weighed: WeighedName[] = [];
  const mostTypes = maxSignedSets(domain.keys.all());
  const weigh = ({ owner }: OwnerName): void => {
    let weight = 1;
    if (denial === 'nsec3') {
      for (const above of ownersAbove(owner)) {
        if (seen.has(above)) break;
        seen.add(above);
        weight++;
      }
    }
    // In a domain that is signed, the sets have their signatures.
    if (kind !== 'sign') {
      weighed.push({ weight, problem: null });
      return;
    }
    const refusal = findOwnerRefusal(domain, owner, mostTypes);
    weight += [...domain.recordsAt(owner).types()].length;
    weighed.push({ weight, problem: refusal?.refusal.message ?? null });
  };
  finishSteps(visitAll(names, weigh));
  return weighed;
}

function walkHashes(domain: WalkedDomain, work: SigningWork, limits: SliceLimits): void {
  const { hashedName } = generatedPrefix;
  const { signatures: limit } = boundsOf(domain, limits);
  const rows = rowsAfter(domain, work.cursor, hashedName, `${hashedName}~`, limit);
  const slice = rows.slice(0, limit);
  const types = new Set([chainTypes.nsec3]);
  for (const { owner } of slice) domain.renew(owner, types);
  goOn(domain, work, rows.length > limit ? slice.at(-1)?.id : undefined, slice.length);
}

/**
 * From here on, the domain is signed, or has the other chain. Signatures are as old as the work, so that it says when they
 * are renewed: after a long interruption, at once.
 */
function flip(domain: WalkedDomain, work: SigningWork, now: number): void {
  const { denial, startedAtSeconds, kind } = work;
  if (denial === null) return;
  const refusal = findOwnerRefusal(domain, APEX, maxSignedSets(domain.keys.all()));
  if (refusal !== undefined) {
    stopAt(domain, work, refusal.refusal.message);
    return;
  }
  domain.raiseServedSerial();
  domain.renew(APEX, new Set([chainTypes[denial]]));
  const oldest = Math.min(now, startedAtSeconds);
  const renewAtSeconds =
    kind === 'sign' ? nextRenewalSeconds(domain.current.id, oldest) : domain.current.renewAtSeconds;
  const awaitsDsSinceSeconds = kind === 'sign' ? now : domain.current.awaitsDsSinceSeconds;
  domain.change({ denial, renewAtSeconds, awaitsDsSinceSeconds, signingWork: nextWalk(work) });
}

function removeRows(domain: WalkedDomain, work: SigningWork, limit: number): void {
  const rows = rowsAfter(domain, work.cursor, FIRST_GENERATED_ID, `${FIRST_GENERATED_ID}~`, limit);
  const slice = rows.slice(0, limit);
  for (const { id, owner } of slice) domain.dropLater(id, owner);
  goOn(domain, work, rows.length > limit ? slice.at(-1)?.id : undefined, slice.length);
}

/** Passes over rows that are as they should be. */
function mendRows(domain: WalkedDomain, work: SigningWork, limits: SliceLimits): void {
  const { denial } = domain.current;
  if (denial === null) return;
  const limit = LIGHT_ROWS_A_NAME * limits.names;
  const { signatures } = boundsOf(domain, limits);
  const rows = rowsAfter(
    domain,
    work.cursor,
    generatedPrefix.hashedName,
    `${generatedPrefix.signatures}~`,
    limit,
  );
  const signers = domain.keys.all().filter((key) => hasUse(key, keyUse.SIGNS_ZONE));
  let mended = 0;
  let weight = 0;
  let last: string | undefined;
  let passed = 0;
  for (const row of rows.slice(0, limit)) {
    const mending = findMending(row, denial, signers);
    if (mending.weight > 0) {
      if (mended > 0 && weight + mending.weight > signatures) break;
      mended++;
      weight += mending.weight;
      if (mending.isDropped) domain.dropLater(row.id, row.owner);
      else domain.renew(row.owner, mending.types);
    }
    last = row.id;
    passed++;
  }
  goOn(domain, work, passed < rows.length ? last : undefined, passed);
}

interface Mending {
  /** In signatures; 0: the row is as it should be. */
  readonly weight: number;
  readonly isDropped: boolean;
  /** The type of the chain, if its signature is made again. */
  readonly types: ReadonlySet<number>;
}

const nothing: Mending = { weight: 0, isDropped: false, types: none };

function findMending({ id, rdata }: DomainRecord, denial: Denial, signers: readonly ZoneKey[]): Mending {
  if (id.startsWith(generatedPrefix.hashedName)) {
    if (denial === 'nsec') return { weight: 1, isDropped: true, types: none };
    const hashed = decodeHashedName(rdata)?.signatures ?? [];
    if (isSignedBy(hashed, signers)) return nothing;
    return { weight: signers.length, isDropped: false, types: new Set([chainTypes.nsec3]) };
  }
  if (!id.startsWith(generatedPrefix.signatures)) return nothing;
  const all = decodeOwnerSignatures(rdata)?.signatures ?? [];
  const byType = new Map<number, StoredSignature[]>();
  for (const signature of all) {
    const known = byType.get(signature.type);
    if (known === undefined) byType.set(signature.type, [signature]);
    else known.push(signature);
  }
  const isSurplus = denial === 'nsec3' && byType.has(chainTypes.nsec);
  const wrong = [...byType].filter(([type, found]) => !keySetTypes.has(type) && !isSignedBy(found, signers));
  if (wrong.length === 0 && !isSurplus) return nothing;
  const isChainWrong = wrong.some(([type]) => type === chainTypes.nsec);
  const types = denial === 'nsec' && isChainWrong ? new Set([chainTypes.nsec]) : none;
  return { weight: 1 + wrong.length * signers.length, isDropped: false, types };
}

/** Whether there is one signature of each key, and no other one. */
function isSignedBy(signatures: readonly StoredSignature[], signers: readonly ZoneKey[]): boolean {
  return (
    signatures.length === signers.length &&
    signers.every((key) =>
      signatures.some(({ keyTag: tag, algorithm }) => isNamedAlike(key, { tag, algorithm })),
    )
  );
}
