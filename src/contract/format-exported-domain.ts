// The JSON text of domains in the export of an account (contract rule 84).
import { dnsSecOf, type Domain } from '../model/domain.ts';
import { formatDate } from './format-date.ts';
import { formatSoa } from './format-history.ts';
import { jsonString } from './json-string.ts';

/**
 * `{"domain","date_created","dns_sec","serial","soa":{…},"dnssec":{"denial","keys":[…]},"withheld":[…]}`. The SOA fields are those that the
 * owner has set; `null` stands for those of the service.
 *
 * @param keys see `formatZoneKeys`
 */
export function formatExportedDomain(domain: Domain, keys: string): string {
  const { name, createdAtSeconds, serial, denial, withheld } = domain;
  const signing = denial === null ? 'null' : `{"denial":"${denial}","keys":${keys}}`;
  return `{"domain":${jsonString(name)},"date_created":"${formatDate(createdAtSeconds)}","dns_sec":"${dnsSecOf(domain)}","serial":${serial},"soa":${formatSoa(domain)},"dnssec":${signing},"withheld":${JSON.stringify(withheld)}}`;
}
