// The JSON text of records, as contract rules 19 and 51 define it.
import { formatRecordType } from '../dns/rdata/record-type-registry.ts';
import type { DomainRecord } from '../model/record.ts';
import { jsonString } from './json-string.ts';

/** The members of a record that clients see. */
export type ShownRecord = Pick<DomainRecord, 'id' | 'type' | 'name' | 'data' | 'priority' | 'ttl'>;

/** `{"id","type","name","data","priority","ttl"}`. */
export function formatRecord(record: ShownRecord): string {
  return `{"id":"${record.id}","type":"${formatRecordType(record.type)}","name":${jsonString(record.name)},"data":${jsonString(record.data)},"priority":${record.priority},"ttl":${record.ttl}}`;
}

/** `{"id",…,"ttl","domain"}`, for lists of records of several domains. */
export function formatFoundRecord(record: ShownRecord & { readonly domain: string }): string {
  return `${formatRecord(record).slice(0, -1)},"domain":"${record.domain}"}`;
}

/** A record a line. */
export function formatRecordLines(records: readonly ShownRecord[]): string {
  let text = '';
  for (const record of records) text += `${formatRecord(record)}\n`;
  return text;
}

/** `{"record":{…}}`. */
export function formatRecordReply(record: ShownRecord): string {
  return `{"record":${formatRecord(record)}}`;
}
