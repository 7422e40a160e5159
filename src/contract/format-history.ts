// The JSON text of a domain's history and of deleted domains, as contract rules 46 and 49 define it.
import { dnsSecOf, type DeletedDomain } from '../model/domain.ts';
import type { DomainRecord } from '../model/record.ts';
import type { SoaSettings } from '../model/record-changes.ts';
import { formatDate } from './format-date.ts';
import { formatChangedStrings } from './changed-strings.ts';
import { formatRecord, type ShownRecord } from './format-record.ts';
import { jsonString } from './json-string.ts';

export interface ShownChange {
  readonly serial: number;
  readonly atMs: number;
  readonly keyId: string;
  readonly address: string | null;
  readonly note: string | null;
  readonly action: keyof typeof actionWords;
  readonly old: ChangedRecord | null;
  readonly new: ChangedRecord | null;
  readonly soa: { readonly before: SoaSettings; readonly after: SoaSettings } | null;
}

type ChangedRecord = ShownRecord & Pick<DomainRecord, 'rdata'>;

const actionWords = {
  create: 'create',
  update: 'update',
  delete: 'delete',
  domainCreate: 'domain_create',
  domainUpdate: 'domain_update',
  domainDelete: 'domain_delete',
  domainRestore: 'domain_restore',
  domainWithhold: 'domain_withhold',
  domainRelease: 'domain_release',
} as const;

/** `{"serial","date","key","address","note","action","old","new","soa","strings"?}`. */
export function formatChange(change: ShownChange): string {
  const { serial, atMs, keyId, address, note, action, soa } = change;
  const [before, after] = [change.old, change.new].map((record) =>
    record === null ? 'null' : formatRecord(record),
  );
  const strings =
    change.old === null || change.new === null ? '' : formatChangedStrings(change.old, change.new);
  const about = `"key":${jsonString(keyId)},"address":${textOrNull(address)},"note":${textOrNull(note)}`;
  const soaText =
    soa === null ? 'null' : `{"before":${formatSoa(soa.before)},"after":${formatSoa(soa.after)}}`;
  return `{"serial":${serial},"date":"${formatMoment(atMs)}",${about},"action":"${actionWords[action]}","old":${before},"new":${after},"soa":${soaText}${strings}}`;
}

/** `{"id","domain","date_created","dns_sec","date_deleted"}`. */
export function formatDeletedDomain(domain: DeletedDomain): string {
  const { id, name, createdAtSeconds, deletedAtMs } = domain;
  return `{"id":"${id}","domain":"${name}","date_created":"${formatDate(createdAtSeconds)}","dns_sec":"${dnsSecOf(domain)}","date_deleted":"${formatMoment(deletedAtMs)}"}`;
}

/** `{"nsprimary","email"}`: the SOA fields as the owner set them. */
export function formatSoa({ soaPrimary, soaEmail }: SoaSettings): string {
  return `{"nsprimary":${textOrNull(soaPrimary)},"email":${textOrNull(soaEmail)}}`;
}

function textOrNull(text: string | null): string {
  return text === null ? 'null' : jsonString(text);
}

function formatMoment(ms: number): string {
  return formatDate(Math.floor(ms / 1000));
}
