// The JSON text of domains, SOA fields and DNSSEC records, as contract rules 14, 31 and 32 define it.
import type { Domain } from '../model/domain.ts';
import { formatDate } from './format-date.ts';
import { jsonString } from './json-string.ts';

/** `{"domain","date_created","dns_sec"}`. */
export function formatDomain(domain: Domain): string {
  return `{"domain":"${domain.name}","date_created":"${formatDate(domain.createdAtSeconds)}","dns_sec":"disabled"}`;
}

/** `{"domain":{…}}`. */
export function formatDomainReply(domain: Domain): string {
  return `{"domain":${formatDomain(domain)}}`;
}

/** `{"dns_soa":{"nsprimary","email"}}`. */
export function formatSoaReply(soa: { readonly primary: string; readonly email: string }): string {
  return `{"dns_soa":{"nsprimary":${jsonString(soa.primary)},"email":${jsonString(soa.email)}}}`;
}

/** `{"dns_sec":[…]}`: DNSKEY and DS records in presentation form, `[]` while signing is disabled. */
export function formatDnssecReply(records: readonly string[]): string {
  return JSON.stringify({ dns_sec: records });
}
