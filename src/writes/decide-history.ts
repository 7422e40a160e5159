import { visitInSteps, type Steps } from '../base/steps.ts';
import type { PendingBatch } from './pending-batch.ts';
import type { CommandOf } from './command.ts';
import { changeSoa } from './decide-import.ts';
import { DECIDED_PER_STEP } from './plan-import.ts';
import { findNameRefusal, refuseTaken } from './check-name.ts';
import { getOwnDomain } from './decide-domain.ts';
import type { Domain } from '../model/domain.ts';
import { quoteText } from '../model/quote-text.ts';
import { isNoChange, type RecordsChanged } from '../model/record-changes.ts';
import type { DomainRecord } from '../model/record.ts';
import { refused, written, type WriteResult } from '../model/result.ts';
import { findHistoryRefusal, refuseTooLarge, refuseTooLong } from './refuse-history.ts';
import { refuseUnknownDeleted } from '../model/refuse-unknown.ts';
import { rewindRecords } from './rewind-records.ts';
import { isSameContent } from '../model/same-content.ts';
import { withoutReason } from '../model/withholding.ts';
import { MAX_ZONE_OCTETS, MAX_ZONE_RECORDS } from '../model/write-limits.ts';

/** Reverts records and SOA fields to those at an earlier serial. */
export function* decideRevertRecords(
  command: CommandOf<'revertRecords'>,
  batch: PendingBatch,
): Steps<WriteResult<RecordsChanged>> {
  const found = getOwnDomain(command.domain, command.author, batch);
  if (!found.ok) return found;
  const domain = found.value;
  const later = batch.changesLater(domain, command.to);
  const refusal = findHistoryRefusal(domain, `serial ${command.to}`, later);
  if (refusal !== undefined) return refusal;
  const soa = { soaPrimary: domain.soaPrimary, soaEmail: domain.soaEmail };
  const now = { records: batch.recordsOf(domain), soa };
  const then = yield* rewindRecords(now, later.changes);
  if (then.records.length > MAX_ZONE_RECORDS) return refuseTooLarge(domain.name, 'reverted');
  const changed = yield* becomeRecords(domain, now.records, then.records, batch);
  const soaChanged = changeSoa(domain, then.soa, batch);
  const all = { ...changed, ...(soaChanged && { soa: soaChanged }) };
  if (isNoChange(all)) return written(all, false);
  const { accountId, name } = domain;
  batch.trail.note({ accountId, action: 'domain.revert', object: name, detail: { serial: command.to } });
  return written(all);
}

/** Replaces records by earlier ones, matched by id. Placement needs no check: they existed together before. */
function* becomeRecords(
  domain: Domain,
  now: readonly DomainRecord[],
  then: readonly DomainRecord[],
  batch: PendingBatch,
): Steps<RecordsChanged> {
  const existing = new Map(now.map((record) => [record.id, record]));
  const kept = new Set(then.map(({ id }) => id));
  const deleted = now.filter(({ id }) => !kept.has(id));
  const created: DomainRecord[] = [];
  const updated: { before: DomainRecord; after: DomainRecord }[] = [];
  yield* visitInSteps(deleted, (record) => batch.deleteRecord(domain, record), DECIDED_PER_STEP);
  const restore = (record: DomainRecord): void => {
    const before = existing.get(record.id);
    if (before === undefined) created.push(record);
    else if (isDifferent(before, record)) updated.push({ before, after: record });
    else return;
    batch.putRecord(domain, record);
  };
  yield* visitInSteps(then, restore, DECIDED_PER_STEP);
  return { created, updated, deleted, unchanged: then.length - created.length - updated.length };
}

/** The owner follows from the name. Different TXT content may be shown as the same data. */
function isDifferent(a: DomainRecord, b: DomainRecord): boolean {
  const isSameText = a.name === b.name && a.data === b.data;
  return !isSameText || a.ttl !== b.ttl || a.priority !== b.priority || !isSameContent(a, b);
}

/** However many records the domain has, none of them is read, unless a dry run lists them. */
export function decideRestoreDomain(
  command: CommandOf<'restoreDomain'>,
  batch: PendingBatch,
): WriteResult<Domain> {
  const { name, id, author, dryRun } = command;
  const existing = batch.findDomain(name);
  if (existing !== undefined && existing.accountId === author.accountId) {
    return refused(
      'domain_exists',
      `Domain ${quoteText(name)} exists: only a deleted domain can be restored`,
    );
  }
  const deleted = batch.findDeletedDomain(name, author.accountId, id);
  if (deleted === undefined) return refuseUnknownDeleted(name, id);
  const refusal = existing === undefined ? findNameRefusal(name, command, batch) : refuseTaken(name);
  if (refusal !== undefined) return refusal;
  if (dryRun === true && deleted.recordCount > MAX_ZONE_RECORDS) return refuseTooLarge(name, 'listed');
  if (dryRun === true && deleted.octets > MAX_ZONE_OCTETS) return refuseTooLong(deleted, 'listed');
  if (deleted.presignedUntilSeconds !== null && !batch.isLastOfName(deleted)) {
    return refused(
      'presigned_domain',
      `Domain ${quoteText(name)} was signed elsewhere, and another domain of this name has been served since with a later serial: create it, and import a newly signed zone`,
    );
  }
  const { accountId, id: former } = deleted;
  batch.trail.note({ accountId, action: 'domain.restore', object: name, detail: { id: former } });
  const restored = batch.restoreDomain(deleted);
  // It was deleted after a suspension, before it was its turn to be served again.
  const withheld = withoutReason(restored.withheld, 'suspended');
  return written(withheld === restored.withheld ? restored : batch.withhold(restored, withheld));
}
