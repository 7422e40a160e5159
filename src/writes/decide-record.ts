import { formatRecordType } from '../dns/rdata/record-type-registry.ts';
import { applyPatch } from './apply-patch.ts';
import type { PendingBatch } from './pending-batch.ts';
import { checkPlacement } from './check-placement.ts';
import type { CommandOf } from './command.ts';
import { getOwnDomain } from './decide-domain.ts';
import type { Domain, ZoneName } from '../model/domain.ts';
import { describeTerms } from '../model/describe-terms.ts';
import { quoteText } from '../model/quote-text.ts';
import type { RecordPermission } from '../model/permission.ts';
import type { RecordPatch } from '../model/record-patch.ts';
import type { RecordRules } from '../model/record-rules.ts';
import type { DomainRecord, SentRecord } from '../model/record.ts';
import type { Refusal } from '../model/refusal.ts';
import { refused, success, written, type Refused, type Result, type WriteResult } from '../model/result.ts';
import { refuseUnknownRecord } from '../model/refuse-unknown.ts';
import { withoutAsShown } from './without-as-shown.ts';

/** Ten times the largest zones that people or tools edit; a zone must still fit into memory. */
export const MAX_RECORDS_PER_DOMAIN = 10_000_000;

/** Creates a record; safe to repeat (contract rule 26). */
export function decideCreateRecord(
  command: CommandOf<'createRecord'>,
  batch: PendingBatch,
): WriteResult<DomainRecord> {
  const found = getOwnDomain(command.domain, command.author, batch);
  return found.ok ? createRecord(found.value, command.record, batch) : found;
}

export function decideUpdateRecord(
  command: CommandOf<'updateRecord'>,
  batch: PendingBatch,
): WriteResult<DomainRecord> {
  const found = getOwnDomain(command.domain, command.author, batch);
  if (!found.ok) return found;
  const changed = updateRecord(found.value, command.recordId, command.patch, command.rules, batch);
  if (!changed.ok) return changed;
  const { before, after } = changed.value;
  return written(after, before !== after);
}

export function decideDeleteRecord(
  command: CommandOf<'deleteRecord'>,
  batch: PendingBatch,
): WriteResult<null> {
  const found = getOwnDomain(command.domain, command.author, batch);
  if (!found.ok) return found;
  const record = deleteRecord(found.value, command.recordId, batch);
  return record.ok ? written(null) : record;
}

/** `changed` is false if the same record exists already. */
export function createRecord(
  domain: Domain,
  sent: SentRecord,
  batch: PendingBatch,
): WriteResult<DomainRecord> {
  const forbidden = batch.rights.findRefusal('records:create', domain, sent);
  if (forbidden !== undefined) return { ok: false, refusal: forbidden };
  const existing = batch.recordsAt(domain, sent.owner);
  const duplicate = existing.findSame(sent);
  if (duplicate !== undefined) {
    const isRepeat = duplicate.ttl === sent.ttl && duplicate.priority === sent.priority;
    return isRepeat ? written(duplicate, false) : refuseDuplicate(duplicate);
  }
  const unwritable = sent.asShown?.problem;
  if (unwritable !== undefined) return refused('invalid_request', unwritable, 'data');
  const record = withoutAsShown(sent);
  const refusal = checkPlacement(record, existing, domain.name) ?? checkRoom(domain.name, batch);
  if (refusal !== undefined) return { ok: false, refusal };
  batch.putRecord(domain, record);
  return written(record);
}

/** `before` and `after` are the same object if nothing changes. */
export function updateRecord(
  domain: Domain,
  id: string,
  patch: RecordPatch,
  rules: RecordRules,
  batch: PendingBatch,
): Result<{ before: DomainRecord; after: DomainRecord }> {
  const found = getRecord(domain, id, 'records:update', batch);
  if (!found.ok) return found;
  const before = found.value;
  const patched = applyPatch(before, patch, domain.name, rules);
  if (!patched.ok) return patched;
  const after = withoutAsShown(patched.value);
  const forbidden = batch.rights.findRefusal('records:update', domain, after);
  if (forbidden !== undefined) return { ok: false, refusal: forbidden };
  if (isUnchanged(before, after)) return success({ before, after: before });
  const existing = batch.recordsAt(domain, after.owner);
  const duplicate = existing.findSame(patched.value);
  if (duplicate !== undefined && duplicate.id !== id) return refuseDuplicate(duplicate);
  const refusal = checkPlacement(after, existing, domain.name, before);
  if (refusal !== undefined) return { ok: false, refusal };
  batch.putRecord(domain, after);
  return success({ before, after });
}

/** Returns the record that was removed. */
export function deleteRecord(domain: Domain, id: string, batch: PendingBatch): Result<DomainRecord> {
  const record = getRecord(domain, id, 'records:delete', batch);
  if (record.ok) batch.deleteRecord(domain, record.value);
  return record;
}

function getRecord(
  domain: Domain,
  id: string,
  permission: RecordPermission,
  batch: PendingBatch,
): Result<DomainRecord> {
  const record = batch.findRecord(domain, id);
  if (record === undefined) return refuseUnknownRecord(id, domain.name);
  const refusal = batch.rights.findRefusal(permission, domain, record);
  return refusal === undefined ? success(record) : { ok: false, refusal };
}

/** Wire form and owner follow from these members. */
function isUnchanged(before: DomainRecord, after: DomainRecord): boolean {
  return (
    before.name === after.name &&
    before.data === after.data &&
    before.ttl === after.ttl &&
    before.priority === after.priority
  );
}

function refuseDuplicate(duplicate: DomainRecord): Refused {
  const type = formatRecordType(duplicate.type);
  const sentence = `The same ${type} record exists with ${describeTerms(duplicate)}: it is record ${duplicate.id}`;
  return refused('record_exists', sentence);
}

/** Includes records that the same command has added. */
function checkRoom(name: ZoneName, batch: PendingBatch): Refusal | undefined {
  const recordCount = batch.findDomain(name)?.recordCount ?? 0;
  if (recordCount < MAX_RECORDS_PER_DOMAIN) return undefined;
  return {
    code: 'invalid_request',
    message: `Domain ${quoteText(name)} has ${recordCount} records, the maximum is ${MAX_RECORDS_PER_DOMAIN}`,
  };
}
