// The JSON text of domains, SOA fields and DNSSEC records, as contract rules 14, 31 and 32 define it.
import { dnsSecOf, type Domain } from '../model/domain.ts';
import type { Refusal } from '../model/refusal.ts';
import { isServed } from '../model/withholding.ts';
import { formatDate } from './format-date.ts';
import { jsonString } from './json-string.ts';

/** `{"domain","date_created","dns_sec"}`; that of a withheld domain has the reasons (`"withheld":[…]`) at the end. */
export function formatDomain(domain: Domain): string {
  const withheld = isServed(domain) ? '' : `,"withheld":${JSON.stringify(domain.withheld)}`;
  return `{"domain":"${domain.name}","date_created":"${formatDate(domain.createdAtSeconds)}","dns_sec":"${dnsSecOf(domain)}"${withheld}}`;
}

/** `{"domain":{…}}`. */
export function formatDomainReply(domain: Domain): string {
  return `{"domain":${formatDomain(domain)}}`;
}

/** `{"dns_soa":{"nsprimary","email"}}`. */
export function formatSoaReply(soa: { readonly primary: string; readonly email: string }): string {
  return `{"dns_soa":{"nsprimary":${jsonString(soa.primary)},"email":${jsonString(soa.email)}}}`;
}

/** The outcome of a replacement of nameservers for one domain. */
export interface ShownNameservers {
  readonly domain: string;
  readonly changed: boolean;
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly soaPrimary?: { readonly before: string | null; readonly after: string };
  readonly refusal?: Pick<Refusal, 'code' | 'message'>;
}

const NOT_CONCERNED = 'It names none of the former nameservers';

/** `{"domain","changed","before":[…],"after":[…],"nsprimary","code","reason"}` (contract rule 60). */
export function formatNameservers(shown: ShownNameservers): string {
  const { domain, changed, before, after, soaPrimary = null, refusal } = shown;
  return JSON.stringify({
    domain,
    changed,
    before,
    after,
    nsprimary: soaPrimary && { before: soaPrimary.before, after: soaPrimary.after },
    code: refusal?.code ?? null,
    reason: refusal?.message ?? (changed ? null : NOT_CONCERNED),
  });
}

/** `{"dns_sec":[…]}`: DNSKEY and DS records in presentation form, `[]` while signing is disabled. */
export function formatDnssecReply(records: readonly string[]): string {
  return JSON.stringify({ dns_sec: records });
}
