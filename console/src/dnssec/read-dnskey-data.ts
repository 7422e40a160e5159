/** The data of a DNSKEY record that somebody has copied, whole or in part, as `dig` and zone files show it. The service checks it. */
export function readDnskeyData(record: string): string {
  return record
    .replaceAll(/;[^\n]*|[()]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replace(/^.*?\bDNSKEY\b/i, '')
    .trim();
}
