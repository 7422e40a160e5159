// Imports a zone that another signer has signed, and that is served as it is (contract rule 70).
import { createHash } from 'node:crypto';
import { runInSteps, visitInSteps } from '../base/steps.ts';
import { lowerDomainName, parseDomainName, type DomainName } from '../dns/name.ts';
import { assert } from '../base/assert.ts';
import { measureGenerated } from '../dns/zone-file/measure-generated.ts';
import { linesOf, readZoneFile } from '../dns/zone-file/read-zone-file.ts';
import { openVerifyingKey } from '../dnssec/verify-signature.ts';
import { KEY_FLAGS, keyUse, ZONE_KEY_FLAGS, type ZoneKey } from '../dnssec/zone-key.ts';
import type { Domain, ZoneName } from '../model/domain.ts';
import { asciiName } from '../model/idna.ts';
import { MAX_SIGNER_RECORDS, PresignedZoneFile } from '../model/presigned-zone-file.ts';
import type { DomainRecord } from '../model/record.ts';
import { refuseProblems } from '../model/refuse-problems.ts';
import { refused, success, type Result, type WriteResult } from '../model/result.ts';
import { MAX_ZONE_RECORDS } from '../model/write-limits.ts';
import type { PresignedPart } from '../writes/command.ts';
import { makePresignedRows, type PresignedZone } from '../writes/signing/presigned-rows.ts';
import { FileProblems } from '../writes/signing/presigned-sets.ts';
import { findCostRefusal } from './account-limits.ts';
import { commitWrite } from './commit-write.ts';
import type { ImportedZone } from './import-zone.ts';
import { findImportTarget, type ImportTarget } from './import-target.ts';
import { listAdjustments } from './list-adjustments.ts';
import { nameTermsOf } from './name-terms.ts';
import type { OperationContext } from './operation-context.ts';
import { createPause, placeProblems } from './read-zone-content.ts';
import { termsOf, type Requester } from './requester.ts';
import { runForClient } from './run-for-client.ts';
import { signerName, verifyPresignedZone, type VerifiedZone } from './verify-presigned-zone.ts';
import { withShare } from './with-share.ts';
import { generatedWeight, zoneWeight } from './work-weights.ts';
import { afterCommit, findWarnings } from './zone-warnings.ts';

export interface PresignedImport {
  /** The text of the zone file. */
  readonly content: string;
  /** Creates a missing domain in the same step. */
  readonly isCreating: boolean;
}

/** A signature is verified in the time of five rows, and read and written as one more. */
const SIGNATURE_ROWS = 6;

/** Records read before other work gets its turn: some 5 ms. */
const RECORDS_A_STEP = 500;

/** The objects of a record of a signer: of the file, of its set, and of the row. */
const SIGNER_RECORD_OCTETS = 1500;

/**
 * Replaces the content of a domain that is not signed here. Refuses the whole file if a signature is missing, wrong or about to
 * end, or if anything would be served otherwise than the file has it.
 */
export async function importPresignedZone(
  context: OperationContext,
  caller: Requester,
  domainText: string,
  { content, isCreating }: PresignedImport,
): Promise<WriteResult<ImportedZone>> {
  const found = await findImportTarget(context, caller, domainText, isCreating);
  if (!found.ok) return found;
  const target = found.value;
  const generated = await runForClient(measureGenerated(content), caller.getSignal);
  const octets = generatedWeight(generated) + (target.domain === null ? 0 : zoneWeight(target.domain));
  return await withShare(context, caller, octets, async (sharing) => {
    const read = await readPresigned(context, sharing, target.name, content);
    if (!read.ok) return read;
    const { file, zone } = read.value;
    const refusal = await payFor(context, sharing, target.domain, read.value);
    if (refusal !== undefined) return refusal;
    const nowSeconds = Math.floor(context.clock.nowMs() / 1000);
    const apex = apexOf(target.name);
    const verified = await verifyPresignedZone(zone, apex, nowSeconds, caller.getSignal);
    if (!verified.ok) return verified;
    const { denial, rows, serial } = zone;
    const keys = fileKeys(zone, verified.value, context, nowSeconds);
    const { untilSeconds } = verified.value;
    return commitPresigned(context, sharing, target, file, { denial, rows, keys, serial, untilSeconds });
  });
}

interface ReadZone {
  readonly file: PresignedZoneFile;
  readonly zone: PresignedZone;
}

async function readPresigned(
  context: OperationContext,
  { getSignal, share }: Requester,
  name: ZoneName,
  text: string,
): Promise<Result<ReadZone>> {
  const pause = createPause(getSignal);
  const { recordRules, nameservers } = context.settings;
  const file = new PresignedZoneFile(name, { ...recordRules, nameservers });
  let items = 0;
  for (const item of readZoneFile(linesOf(text), apexOf(name), asciiName)) {
    if (!file.take(item)) break;
    if (++items % RECORDS_A_STEP === 0) await pause();
    if (file.content.records.length + file.content.skipped.length > MAX_ZONE_RECORDS) {
      return refuseTooMany(MAX_ZONE_RECORDS, 'records');
    }
    if (file.count > MAX_SIGNER_RECORDS) {
      return refuseTooMany(MAX_SIGNER_RECORDS, 'RRSIG, NSEC, NSEC3 and DNSKEY records');
    }
  }
  const { problems } = file.content;
  if (problems.length > 0) {
    return refuseProblems(problems.map((problem) => ({ ...problem, code: 'invalid_request' })));
  }
  if (share !== undefined) await share.extendTo(share.octets + file.count * SIGNER_RECORD_OCTETS, getSignal);
  const zone = await runForClient(makePresignedRows(name, file, hashName), getSignal);
  return zone instanceof FileProblems ? refuseProblems(zone.found) : success({ file, zone });
}

function payFor(
  context: OperationContext,
  caller: Requester,
  domain: Domain | null,
  { file, zone }: ReadZone,
): ReturnType<typeof findCostRefusal> {
  let signatures = 0;
  for (const set of zone.signedSets) signatures += set.signatures.length;
  const records = file.content.records.length + (domain?.recordCount ?? 0);
  const rows = records + signatures * SIGNATURE_ROWS;
  return findCostRefusal(context, caller, { rows, octets: domain?.octets ?? 0 });
}

async function commitPresigned(
  context: OperationContext,
  caller: Requester,
  { name: domain, nameservers }: ImportTarget,
  { content }: PresignedZoneFile,
  presigned: PresignedPart,
): Promise<WriteResult<ImportedZone>> {
  const { records: places, soaPrimary, soaEmail, skipped, adjustments } = content;
  const records: DomainRecord[] = [];
  await runInSteps(visitInSteps(places, ({ record }) => records.push({ id: context.newId(), ...record })));
  const soa = { ...(soaPrimary !== null && { soaPrimary }), ...(soaEmail !== null && { soaEmail }) };
  const command = {
    kind: 'importZone',
    ...termsOf(context, caller),
    ...nameTermsOf(context, caller, domain),
    mode: 'replace',
    ...{ records, domain, soa, presigned },
    // The file has those of a domain that is created.
    nameservers: nameservers === undefined ? undefined : [],
  } as const;
  const result = await commitWrite(context, command);
  if (!result.ok) return { ok: false, refusal: placeProblems(result.refusal, places) };
  const { accountId, getSignal, share } = caller;
  const warnings =
    result.difference === undefined
      ? await afterCommit(findWarnings(context, { accountId, name: domain, getSignal, share }))
      : [];
  const read = { records, soa, skipped, adjustments, places };
  const adjusted = listAdjustments(domain, read, result.value);
  return { ...result, value: { changed: result.value, skipped, adjusted, warnings } };
}

/**
 * The keys of the file as the status of the domain shows them. A DS record is wanted of those that the CDNSKEY records name;
 * without any, of all that sign the DNSKEY records and are marked for it. Revoked keys and those of unknown algorithms are
 * served and shown nowhere.
 */
function fileKeys(
  { keys, announced }: PresignedZone,
  { keySigners, zoneSigners }: VerifiedZone,
  { newId }: OperationContext,
  nowSeconds: number,
): ZoneKey[] {
  const wanted = new Set(announced.map(String));
  return keys.flatMap((dnskey) => {
    const key = openVerifyingKey(dnskey);
    const flags = dnskey[1] === (KEY_FLAGS & 0xff) ? KEY_FLAGS : ZONE_KEY_FLAGS;
    if (key === undefined) return [];
    const signsKeys = keySigners.has(signerName(key));
    const isWanted = wanted.size > 0 ? wanted.has(String(dnskey)) : flags === KEY_FLAGS && signsKeys;
    const uses =
      keyUse.PUBLISHED |
      (signsKeys ? keyUse.SIGNS_KEYS : 0) |
      (zoneSigners.has(signerName(key)) ? keyUse.SIGNS_ZONE : 0) |
      (isWanted ? keyUse.ANNOUNCED : 0);
    const { algorithm, tag } = key;
    return {
      ...{ id: newId(), algorithm, flags, tag, dnskey, uses, origin: 'file', rollover: null },
      ...{ sealed: new Uint8Array(), secretId: '', createdAtSeconds: nowSeconds },
    };
  });
}

/** As in the chain of a zone that is signed here (RFC 5155 section 5). */
function hashName(name: DomainName): Uint8Array {
  return new Uint8Array(createHash('sha1').update(lowerDomainName(name)).digest());
}

function apexOf(name: ZoneName): DomainName {
  const apex = parseDomainName(name);
  assert(apex.ok, 'a zone name is a name');
  return apex.value;
}

function refuseTooMany(most: number, what: string): Result<never> {
  return refused(
    'invalid_request',
    `The file has more than ${most} ${what}, the most of a signed zone that can be imported`,
  );
}
