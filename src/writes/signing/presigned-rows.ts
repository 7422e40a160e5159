import { BIND_SIGNING_TYPE, rrType } from '../../dns/codes.ts';
import { ownerStatus, type Denial, type OwnerStatus } from '../../dns/proven-types.ts';
import { formatRecordType } from '../../dns/type-mnemonic.ts';
import type { StoredSignature } from '../../dns/stored-signature.ts';
import { visitInSteps, type Steps } from '../../base/steps.ts';
import {
  encodeHashedName,
  encodeOwnerSignatures,
  encodeSignedSoa,
  generatedType,
  hashedNameId,
  keySetId,
  SOA_ID,
  SOA_OWNER,
} from '../../model/generated-row.ts';
import type { PresignedZoneFile } from '../../model/presigned-zone-file.ts';
import { APEX } from '../../model/record-name.ts';
import type { DomainRecord } from '../../model/record.ts';
import type { ZoneName } from '../../model/domain.ts';
import { checkFileChain, type FileChain, type HashName } from './presigned-chain.ts';
import { collectSets, FileProblems, show, type FileSet, type FileZone } from './presigned-sets.ts';
import { OwnerIds } from './owner-ids.ts';
import { MAX_CHAINED_NAMES } from './find-signing-refusal.ts';
import { generatedRow } from './zone-rows.ts';

/** A zone that another signer has signed, in the form in which it is stored. */
export interface PresignedZone {
  readonly denial: Denial;
  /** Instead of those that signing would make; see `generated-row.ts`. */
  readonly rows: readonly DomainRecord[];
  /** All sets that must have a signature, with those that they have. */
  readonly signedSets: readonly FileSet[];
  /** DNSKEY RDATA. */
  readonly keys: readonly Uint8Array[];
  /** CDNSKEY RDATA; empty if the file asks for nothing. */
  readonly announced: readonly Uint8Array[];
  readonly serial: number;
}

/** The most octets of a row, as of the data of a record. */
const MAX_ROW_OCTETS = 65_535;

/**
 * Turns a signed file into rows, which are served as exactly the records of the file. Refuses everything that would be served
 * otherwise; does not verify the signatures.
 *
 *     file ─▶ sets with their signatures ─▶ chain as it will be served ─▶ rows
 */
export function* makePresignedRows(
  zone: ZoneName,
  file: PresignedZoneFile,
  hashName: HashName,
): Steps<PresignedZone | FileProblems> {
  const problems = new FileProblems();
  const ids = new OwnerIds(zone);
  const sets = yield* collectSets(file, ids, problems);
  if (sets === undefined) return problems;
  const chain = yield* checkFileChain(sets, hashName, problems);
  if (chain === undefined) return problems;
  if (chain.names.length > MAX_CHAINED_NAMES) {
    problems.add(sets.soa, `the zone has more than the ${MAX_CHAINED_NAMES} names that can be imported`);
  }
  const rows: DomainRecord[] = [...apexRows(sets), soaRow(sets)];
  yield* visitInSteps(sets.owners, (owner) => {
    rows.push(signaturesRow(owner, chain, sets, problems));
  });
  yield* visitInSteps(chain.names, ({ owner, hash, record }) => {
    if (hash === undefined) return;
    const { signatures } = record;
    const rdata = encodeHashedName({ hash, signatures });
    rows.push(generatedRow(hashedNameId(hash), owner, generatedType.hashedName, rdata));
  });
  const signedSets = [...signedSetsOf(sets), ...chain.names.map(({ record }) => record)];
  for (const { signatures, type, name, ...place } of signedSets) {
    if (signatures.length === 0) problems.add(place, describeUnsigned(type, name, ids));
  }
  if (problems.found.length > 0) return problems;
  return { denial: chain.denial, rows, signedSets, ...keysOf(sets), serial: serialOf(sets.soa.rdatas[0]) };
}

/** Types of the sets at the apex that are no records of the customer. */
const apexTypes = [
  rrType.DNSKEY,
  rrType.CDS,
  rrType.CDNSKEY,
  rrType.NSEC3PARAM,
  rrType.ZONEMD,
  BIND_SIGNING_TYPE,
] as const;

function apexRows({ owners }: FileZone): DomainRecord[] {
  const apex = owners.find(({ owner }) => owner === APEX);
  return apexTypes.flatMap((type) => {
    const set = apex?.sets.get(type);
    return (set?.rdatas ?? []).map((rdata, at) =>
      generatedRow(keySetId(type, String(at).padStart(3, '0')), APEX, type, rdata, set?.ttl),
    );
  });
}

function soaRow({ soa }: FileZone): DomainRecord {
  const signed = encodeSignedSoa({ rdata: soa.rdatas[0], signatures: soa.signatures });
  return generatedRow(SOA_ID, SOA_OWNER, generatedType.signedSoa, signed, soa.ttl);
}

function signaturesRow(
  { owner, id, status, sets }: FileZone['owners'][number],
  { denial }: FileChain,
  { proofs }: FileZone,
  problems: FileProblems,
): DomainRecord {
  const signatures: StoredSignature[] = [...sets.values()].flatMap((set) => set.signatures);
  if (denial === 'nsec') signatures.push(...(proofs.get(owner)?.signatures ?? []));
  const rdata = encodeOwnerSignatures(
    status,
    signatures.sort((a, b) => a.type - b.type),
  );
  if (rdata.length > MAX_ROW_OCTETS) {
    const [set] = sets.values();
    problems.add(set, `the signatures at ${show(owner)} have more than ${MAX_ROW_OCTETS} octets`);
  }
  return generatedRow(id, owner, generatedType.signatures, rdata);
}

function* signedSetsOf({ soa, owners }: FileZone): Generator<FileSet> {
  yield soa;
  for (const { status, sets } of owners) {
    for (const set of sets.values()) if (isSignedType(status, set.type)) yield set;
  }
}

function isSignedType(status: OwnerStatus, type: number): boolean {
  if (status === ownerStatus.DELEGATION) return type === rrType.DS;
  return status === ownerStatus.AUTHORITATIVE;
}

function describeUnsigned(type: number, name: FileSet['name'], { apex }: OwnerIds): string {
  const where = name.length === apex.length ? 'the apex' : 'this name';
  return `the ${formatRecordType(type)} records of ${where} have no signature`;
}

function keysOf({ owners }: FileZone): Pick<PresignedZone, 'keys' | 'announced'> {
  const apex = owners.find(({ owner }) => owner === APEX);
  const dataOf = (type: number): readonly Uint8Array[] => apex?.sets.get(type)?.rdatas ?? [];
  return { keys: dataOf(rrType.DNSKEY), announced: dataOf(rrType.CDNSKEY) };
}

/** The serial stands before four times (RFC 1035 section 3.3.13). */
function serialOf(soa: Uint8Array): number {
  return new DataView(soa.buffer, soa.byteOffset).getUint32(soa.length - 20);
}
