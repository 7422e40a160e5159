import { HashSum } from '../base/hash-sum.ts';
import { sortInSteps, visitInSteps, type Steps } from '../base/steps.ts';
import type { PendingBatch } from './pending-batch.ts';
import type { CommandOf } from './command.ts';
import { decideCreateDomain, getOwnDomain } from './decide-domain.ts';
import { checkPlacement } from './check-placement.ts';
import { createRecord } from './decide-record.ts';
import { DECIDED_PER_STEP, planRecords, type ImportPlan } from './plan-import.ts';
import type { Domain } from '../model/domain.ts';
import { groupByOwner, OwnerRecords } from './owner-records.ts';
import { quoteText } from '../model/quote-text.ts';
import { isNoChange, type RecordsChanged, type SoaSettings } from '../model/record-changes.ts';
import type { DomainRecord, OwnerKey } from '../model/record.ts';
import { addRecord } from '../model/zone-hash.ts';
import { refused, written, type Refused, type WriteResult } from '../model/result.ts';
import { isApexNs, replacesNameservers } from './replaces-nameservers.ts';
import { findImportRefusal } from './presigned-domain.ts';
import { refuseTooLong } from './refuse-history.ts';
import { problemsOf, refuseProblems, type PartProblem } from '../model/refuse-problems.ts';
import type { SoaFields } from '../model/soa.ts';
import { MAX_ZONE_OCTETS, MAX_ZONE_RECORDS } from '../model/write-limits.ts';

/**
 * Imports the records of a zone. A record that exists already, by owner, type and data, keeps its id and spelling; another
 * TTL or priority updates it, and so do other character-strings of the same text.
 *
 *     sent record ─▶ exists? ─▶ keep or update ;  else create ;  existing records that were not sent ─▶ delete (`replace`)
 *
 * Apex NS records stay unless nameservers of the domain are sent: without any, the domain could not be found.
 *
 * If a domain that is replaced is damaged on the disk (its records do not have its hash), every record that was sent is
 * written again, so that the domain is served again.
 */
export function* decideImportZone(
  command: CommandOf<'importZone'>,
  batch: PendingBatch,
): Steps<WriteResult<RecordsChanged>> {
  const found = openDomain(command, batch);
  if (!found.ok) return found;
  const domain = found.value;
  const { presigned } = command;
  const isReplaced = command.mode === 'replace';
  const refusal =
    (isReplaced ? findReplaceRefusal(domain) : undefined) ??
    (presigned && findImportRefusal(domain, presigned, found.changed));
  if (refusal !== undefined) return refusal;
  if (presigned !== undefined) batch.signing.takeSerial(domain, presigned.serial);
  const existing = isReplaced ? batch.recordsOf(domain) : null;
  const isDamaged = existing !== null && (yield* acceptDamaged(domain, existing, batch));
  const isReplacingNs =
    existing !== null && (presigned !== undefined || replacesNs(command, existing, found));
  const kept = new Set<string>();
  const existingAt = existingByOwner(existing, kept, domain, batch);
  const plan = yield* planRecords(command.records, kept, existingAt, isDamaged);
  const problems = [...plan.problems];
  const deleted = (existing ?? []).filter(
    (record) => !kept.has(record.id) && (isReplacingNs || !isApexNs(record)),
  );
  yield* visitInSteps(deleted, (record) => batch.deleteRecord(domain, record), DECIDED_PER_STEP);
  const update = (change: ImportPlan['updated'][number]): void => {
    problems.push(...applyUpdate(domain, change, batch));
  };
  yield* visitInSteps(yield* sortInSteps(plan.updated, byGrowth), update, DECIDED_PER_STEP);
  if (isDamaged && !isReplacingNs) rewriteNameservers(domain, existing, kept, batch);
  const created: DomainRecord[] = [];
  const create = ([index, record]: ImportPlan['creates'][number]): void => {
    const placed = createRecord(domain, record, batch);
    if (placed.ok) created.push(placed.value);
    else problems.push(...problemsOf(placed.refusal, { index }));
  };
  yield* visitInSteps(plan.creates, create, DECIDED_PER_STEP);
  if (problems.length > 0) return refuseProblems(problems);
  const { unchanged, otherwise } = plan;
  const updated = plan.updated.map(([, change]) => change);
  const soa = takeSoa(domain, command.soa, batch);
  if (presigned !== undefined) batch.signing.takePresigned(batch.updateDomain(domain, {}), presigned);
  const changed = { created, updated, deleted, unchanged, ...(soa && { soa }), otherwise };
  const isOtherwise = isDamaged || presigned !== undefined;
  return written(changed, found.changed || isOtherwise || !isNoChange(changed));
}

/** The nameservers of a domain that is created now are the service's. */
function replacesNs(
  { records, serviceNameservers = [] }: CommandOf<'importZone'>,
  existing: readonly DomainRecord[],
  { changed: isCreated }: { readonly changed: boolean },
): boolean {
  return !isCreated && replacesNameservers(records, existing, serviceNameservers);
}

/** Other character-strings may need more room. */
function applyUpdate(
  domain: Domain,
  [index, { before, after }]: ImportPlan['updated'][number],
  batch: PendingBatch,
): readonly PartProblem[] {
  const refusal =
    after.rdata.length > before.rdata.length
      ? checkPlacement(after, batch.recordsAt(domain, after.owner), domain.name, before)
      : undefined;
  if (refusal !== undefined) return problemsOf(refusal, { index });
  batch.putRecord(domain, after);
  return [];
}

/** Records that become shorter make room for the others. */
function byGrowth([, a]: ImportPlan['updated'][number], [, b]: ImportPlan['updated'][number]): number {
  const growth = ({ before, after }: typeof a): number => after.rdata.length - before.rdata.length;
  return growth(a) - growth(b);
}

/** Apex NS records that were not sent stay, as they are stored. */
function rewriteNameservers(
  domain: Domain,
  existing: readonly DomainRecord[],
  kept: ReadonlySet<string>,
  batch: PendingBatch,
): void {
  const staying = existing.filter((record) => !kept.has(record.id) && isApexNs(record));
  for (const record of staying) batch.putRecord(domain, record);
}

/** Returns whether the records are not those that were written. */
function* acceptDamaged(
  domain: Domain,
  records: readonly DomainRecord[],
  batch: PendingBatch,
): Steps<boolean> {
  const sum = new HashSum();
  yield* visitInSteps(records, (record) => addRecord(sum, record), DECIDED_PER_STEP);
  return batch.acceptRecords(domain, sum);
}

/** Gets or creates the domain. The records that it is created with do not count as changes of the import. */
function openDomain(command: CommandOf<'importZone'>, batch: PendingBatch): WriteResult<Domain> {
  const { domain: name, author, nameservers } = command;
  if (nameservers === undefined) {
    const found = getOwnDomain(name, author, batch);
    return found.ok ? written(found.value, false) : found;
  }
  const { reservation, takesHeldNames, claim } = command;
  const terms = { author, reservation, takesHeldNames, claim };
  return decideCreateDomain({ kind: 'createDomain', ...terms, name, nameservers, address: null }, batch);
}

/** Gives the existing records of each owner, to which planned ones are added; `all` is null if only some are needed. */
function existingByOwner(
  all: readonly DomainRecord[] | null,
  kept: ReadonlySet<string>,
  domain: Domain,
  batch: PendingBatch,
): (owner: OwnerKey) => OwnerRecords {
  const found = groupByOwner(all ?? []);
  const owners = new Map<OwnerKey, OwnerRecords>();
  return (owner) => {
    let existing = owners.get(owner);
    if (existing === undefined) {
      const committed = all === null ? batch.recordsAt(domain, owner).all : (found.get(owner) ?? []);
      existing = new OwnerRecords([...committed], kept);
      owners.set(owner, existing);
    }
    return existing;
  };
}

function takeSoa(domain: Domain, fields: SoaFields | null, batch: PendingBatch): RecordsChanged['soa'] {
  const { soaPrimary, soaEmail } = domain;
  return changeSoa(domain, { soaPrimary, soaEmail, ...fields }, batch);
}

/** Returns undefined if the fields are the same already. */
export function changeSoa(domain: Domain, after: SoaSettings, batch: PendingBatch): RecordsChanged['soa'] {
  const before = { soaPrimary: domain.soaPrimary, soaEmail: domain.soaEmail };
  if (before.soaPrimary === after.soaPrimary && before.soaEmail === after.soaEmail) return undefined;
  batch.updateDomain(domain, after);
  return { before, after };
}

function findReplaceRefusal(domain: Domain): Refused | undefined {
  const { name, recordCount, octets } = domain;
  if (recordCount <= MAX_ZONE_RECORDS) {
    return octets > MAX_ZONE_OCTETS ? refuseTooLong(domain, 'replaced') : undefined;
  }
  return refused(
    'invalid_request',
    `Domain ${quoteText(name)} has ${recordCount} records, and no more than ${MAX_ZONE_RECORDS} can be replaced at once: merge, or delete in batches`,
  );
}
