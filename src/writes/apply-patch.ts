import { parseRecordType, formatRecordType } from '../dns/rdata/record-type-registry.ts';
import type { ZoneName } from '../model/domain.ts';
import { hasPriority, NO_PRIORITY, parsePriority, splitPriority } from '../model/priority.ts';
import { isGenericData, parseRecordData, type RecordData } from '../model/record-data.ts';
import { parseRecordName } from '../model/record-name.ts';
import type { RecordPatch } from '../model/record-patch.ts';
import type { RecordRules } from '../model/record-rules.ts';
import type { DomainRecord, SentRecord } from '../model/record.ts';
import { memberResult, refuseAll, refused, success, type Result } from '../model/result.ts';
import { parseTtl } from '../model/ttl.ts';

/**
 * Changes some members of a record (contract rule 28) by the rules for new records. Members that are not sent are not
 * checked again, even if the rules have become stricter. Never reads other records.
 */
export function applyPatch(
  record: DomainRecord,
  patch: RecordPatch,
  zone: ZoneName,
  rules: RecordRules,
): Result<SentRecord> {
  const type = checkType(record, patch);
  const name =
    patch.name === undefined ? success({}) : memberResult('name', parseRecordName(patch.name, zone));
  const ttl = patch.ttl === undefined ? success(record.ttl) : memberResult('ttl', parseTtl(patch.ttl, rules));
  const data = patchData(record, patch, rules);
  if (!(type.ok && name.ok && ttl.ok && data.ok)) return refuseAll([type, name, ttl, data]);
  return success({ ...record, ...name.value, ttl: ttl.value, ...data.value });
}

function checkType(record: DomainRecord, patch: RecordPatch): Result<number> {
  if (patch.type === undefined || parseRecordType(patch.type) === record.type) return success(record.type);
  const type = formatRecordType(record.type);
  return refused(
    'invalid_request',
    `The type of a record cannot be changed; this record has type ${type}`,
    'type',
  );
}

/** Data and priority are parsed together: on MX and SRV both are part of the wire data. */
function patchData(
  record: DomainRecord,
  patch: RecordPatch,
  rules: RecordRules,
): Result<Partial<RecordData>> {
  if (patch.data === undefined && patch.priority === undefined) return success({});
  const sent = memberResult('priority', parsePriority(record.type, patch.priority));
  const data = parsePatchedData(record, patch, sent.ok ? sent.value : NO_PRIORITY, rules);
  return sent.ok ? data : refuseAll([sent, data]);
}

function parsePatchedData(
  record: DomainRecord,
  patch: RecordPatch,
  sent: number,
  rules: RecordRules,
): Result<Partial<RecordData>> {
  const priority = patchedPriority(record, patch, sent);
  if (patch.data === undefined && !hasPriority(record.type)) return success({ priority });
  const parsed = parseRecordData(record.type, patch.data ?? record.data, priority, rules);
  if (!parsed.ok || parsed.value.asShown === undefined) return parsed;
  const { asShown, data } = parsed.value;
  if (data === record.data) return success({ priority });
  return asShown.problem === undefined ? parsed : refused('invalid_request', asShown.problem, 'data');
}

/** The priority sent; else, on MX and SRV, the one in front of new data; else the record's own. */
function patchedPriority(record: DomainRecord, patch: RecordPatch, sent: number): number {
  if (patch.priority !== undefined && (sent !== NO_PRIORITY || !hasPriority(record.type))) return sent;
  const data = (patch.data ?? '').trim();
  const carries = isGenericData(data) || splitPriority(record.type, data).carried !== NO_PRIORITY;
  return carries ? NO_PRIORITY : record.priority;
}
