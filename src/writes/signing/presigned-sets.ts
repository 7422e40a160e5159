import type { PresignedZoneFile, SignerRecord } from '../../model/presigned-zone-file.ts';
import { BIND_SIGNING_TYPE, rrType } from '../../dns/codes.ts';
import { ownerStatus, type OwnerStatus } from '../../dns/proven-types.ts';
import { formatRecordType } from '../../dns/type-mnemonic.ts';
import type { DomainName } from '../../dns/name.ts';
import { decodeRrsig, type RrsigFields } from '../../dnssec/rrsig-fields.ts';
import { signedLabels } from '../../dnssec/signed-data.ts';
import { equalDomainNames } from '../../dns/name.ts';
import { visitInSteps, type Steps } from '../../base/steps.ts';
import { APEX } from '../../model/record-name.ts';
import type { OwnerKey } from '../../model/record.ts';
import type { PartProblem } from '../../model/refuse-problems.ts';
import { MAX_PROBLEMS } from '../../model/refusal.ts';
import type { OwnerIds } from './owner-ids.ts';
import { ownersAbove } from './owners-above.ts';

/** A signature of a set, as the file has it. */
export interface FileSignature extends RrsigFields {
  readonly ttl: number;
  readonly line: number;
  readonly column: number;
}

/** A set of a file, and the signatures that cover it. */
export interface FileSet {
  readonly name: DomainName;
  readonly type: number;
  readonly ttl: number;
  readonly rdatas: Uint8Array[];
  readonly signatures: FileSignature[];
  /** The place of its first record. */
  readonly line: number;
  readonly column: number;
}

/** A name of a file that owns something. */
export interface FileOwner {
  readonly owner: OwnerKey;
  /** That of its row of signatures; the order of these ids is the canonical order of names. */
  readonly id: string;
  readonly status: OwnerStatus;
  /** By type, without NSEC, NSEC3 and SOA. */
  readonly sets: ReadonlyMap<number, FileSet>;
}

/** A signed zone as its file has it, with every signature beside its set. */
export interface FileZone {
  readonly ids: OwnerIds;
  readonly soa: FileSet;
  /** In canonical order. */
  readonly owners: readonly FileOwner[];
  /** NSEC records by owner, and NSEC3 records by the label of their hash. */
  readonly proofs: ReadonlyMap<OwnerKey, FileSet>;
}

/** The first problems of a file; reading may stop before the end. */
export class FileProblems {
  readonly found: PartProblem[] = [];

  get isFull(): boolean {
    return this.found.length >= MAX_PROBLEMS;
  }

  add({ line, column }: Pick<SignerRecord, 'line' | 'column'>, message: string): void {
    if (!this.isFull) this.found.push({ code: 'invalid_request', line, column, message });
  }
}

type OwnerSets = Map<number, FileSet>;

/** Puts the records of a file together. Undefined if there are problems, which are added to `problems`. */
export function* collectSets(
  file: PresignedZoneFile,
  ids: OwnerIds,
  problems: FileProblems,
): Steps<FileZone | undefined> {
  const { soa: soaRecord } = file;
  if (soaRecord === undefined) {
    problems.add({ line: 1, column: 1 }, 'the zone has no SOA record');
    return undefined;
  }
  const owners = new Map<OwnerKey, OwnerSets>();
  const proofs = new Map<OwnerKey, OwnerSets>();
  const addTo =
    (all: Map<OwnerKey, OwnerSets>) =>
    (record: SignerRecord): void =>
      addRecord(all, record, ids, problems);
  yield* visitInSteps(file.content.records, ({ record, line, column }) => {
    addTo(owners)({ ...record, line, column });
  });
  yield* visitInSteps(file.apexRecords, addTo(owners));
  yield* visitInSteps(file.proofs, addTo(proofs));
  const soa = newSet(soaRecord, ids.apex);
  yield* visitInSteps(file.signatures, (record) => {
    const signature = readSignature(record, ids.apex, problems);
    if (signature === undefined) return;
    const set = findSet(record.owner, signature.type);
    if (set === undefined) problems.add(record, describeOrphan(record, signature.type));
    else addSignature(set, signature, problems);
  });
  if (owners.get(APEX)?.has(rrType.NS) !== true)
    problems.add(soaRecord, 'the zone has no NS records of its own');
  const zone = { ids, soa, owners: yield* sortOwners(owners, ids), proofs: onlySets(proofs) };
  checkOccluded(zone, problems);
  return problems.found.length > 0 ? undefined : zone;

  function findSet(owner: OwnerKey, type: number): FileSet | undefined {
    if (type === rrType.SOA) return owner === APEX ? soa : undefined;
    const all = type === rrType.NSEC || type === rrType.NSEC3 ? proofs : owners;
    return all.get(owner)?.get(type);
  }
}

function newSet({ type, ttl, rdata, line, column }: SignerRecord, name: DomainName): FileSet {
  return { name, type, ttl, rdatas: [rdata], signatures: [], line, column };
}

/**
 * The records of a set have one TTL (RFC 2181 section 5.2): with others, it would be served with another one than is signed.
 * A customer's records have been compared already, and each name has one record of the chain.
 */
function addRecord(
  all: Map<OwnerKey, OwnerSets>,
  record: SignerRecord,
  ids: OwnerIds,
  problems: FileProblems,
): void {
  const { owner, type, ttl, rdata } = record;
  let sets = all.get(owner);
  if (sets === undefined) all.set(owner, (sets = new Map<number, FileSet>()));
  const set = sets.get(type);
  if (set === undefined) {
    sets.set(type, newSet(record, ids.nameOf(owner)));
    return;
  }
  const isLimited = limitedTypes.has(type);
  if (isLimited && set.rdatas.some((other) => isSame(other, rdata))) return;
  if (set.ttl !== ttl) {
    problems.add(
      record,
      `the records of a set must have one TTL, and line ${set.line} has ${set.ttl}, not ${ttl}`,
    );
  } else if (isLimited && set.rdatas.length >= MAX_SIGNER_SET) {
    problems.add(record, `the set has more than ${MAX_SIGNER_SET} records`);
  } else set.rdatas.push(rdata);
}

/** Types of sets that are small, and of which the file may have repeated records. */
const limitedTypes: ReadonlySet<number> = new Set([
  rrType.DNSKEY,
  rrType.CDS,
  rrType.CDNSKEY,
  rrType.NSEC3PARAM,
  rrType.NSEC,
  rrType.NSEC3,
  rrType.ZONEMD,
  BIND_SIGNING_TYPE,
]);

/** A signer has a few keys at a time. Every key and every signature of a set costs validators time. */
const MAX_SIGNER_SET = 20;
const MAX_SET_SIGNATURES = 8;

function readSignature(
  { owner, ttl, rdata, line, column }: SignerRecord,
  apex: DomainName,
  problems: FileProblems,
): FileSignature | undefined {
  const fields = decodeRrsig(rdata);
  if (fields === undefined) problems.add({ line, column }, 'the RRSIG record is damaged');
  else if (!equalDomainNames(fields.signer, apex))
    problems.add({ line, column }, `the signature of ${show(owner)} names another zone as its signer`);
  else return { ...fields, ttl, line, column };
  return undefined;
}

/** Everything of an RRSIG record that is served as it follows from the set. */
function addSignature(set: FileSet, signature: FileSignature, problems: FileProblems): void {
  const { ttl, originalTtl, labels } = signature;
  if (originalTtl !== set.ttl) {
    problems.add(
      signature,
      `the signature is for the TTL ${originalTtl}, and the set has ${set.ttl}: export the zone as its signer serves it`,
    );
  } else if (ttl !== set.ttl) {
    problems.add(signature, `the RRSIG record has the TTL ${ttl}, and its set ${set.ttl}`);
  } else if (labels !== signedLabels(set.name)) {
    problems.add(signature, `the signature is for a name of ${labels} labels, which is not its owner`);
  } else if (!set.signatures.some((other) => isSame(other.signature, signature.signature))) {
    if (set.signatures.length < MAX_SET_SIGNATURES) set.signatures.push(signature);
    else problems.add(signature, `the set has more than ${MAX_SET_SIGNATURES} signatures`);
  }
}

function describeOrphan({ owner }: SignerRecord, type: number): string {
  return `there is a signature for ${formatRecordType(type)} records at ${show(owner)}, and no such record`;
}

function* sortOwners(all: ReadonlyMap<OwnerKey, OwnerSets>, ids: OwnerIds): Steps<FileOwner[]> {
  const owners: FileOwner[] = [];
  yield* visitInSteps(all, ([owner, sets]) => {
    owners.push({ owner, id: ids.idOf(owner), status: statusOf(owner, all), sets });
  });
  return owners.sort((a, b) => (a.id < b.id ? -1 : 1));
}

function statusOf(owner: OwnerKey, all: ReadonlyMap<OwnerKey, OwnerSets>): OwnerStatus {
  for (const above of ownersAbove(owner)) {
    const sets = all.get(above);
    if (sets?.has(rrType.DNAME) === true) return ownerStatus.OCCLUDED;
    if (above !== APEX && sets?.has(rrType.NS) === true) return ownerStatus.OCCLUDED;
  }
  const isDelegation = owner !== APEX && all.get(owner)?.has(rrType.NS) === true;
  return isDelegation ? ownerStatus.DELEGATION : ownerStatus.AUTHORITATIVE;
}

/** An owner has records of one of both types, because a chain has one kind. */
function onlySets(proofs: ReadonlyMap<OwnerKey, OwnerSets>): Map<OwnerKey, FileSet> {
  const found = new Map<OwnerKey, FileSet>();
  for (const [owner, sets] of proofs) for (const set of sets.values()) found.set(owner, set);
  return found;
}

/** Names below a delegation or a DNAME are not signed (RFC 4035 section 2.2), and neither is the NS set of a delegation. */
function checkOccluded({ owners }: FileZone, problems: FileProblems): void {
  for (const { owner, status, sets } of owners) {
    if (status === ownerStatus.AUTHORITATIVE) continue;
    for (const { type, signatures } of sets.values()) {
      const isSigned = status === ownerStatus.DELEGATION && type === rrType.DS;
      if (isSigned || signatures.length === 0) continue;
      problems.add(
        signatures[0],
        `the ${formatRecordType(type)} records at ${show(owner)} are below a DNAME, or belong to a delegated zone, and must have no signature`,
      );
    }
  }
}

export function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((octet, at) => octet === b[at]);
}

/** The name as people write it in a zone file. */
export function show(owner: OwnerKey): string {
  return owner === APEX ? '@' : owner;
}
