/** Zones in tests of signing: records with absolute owners, from zone files and into them. */
import { compareDomainNames, formatDomainName, parseDomainName, type DomainName } from '../dns/name.ts';
import { formatRdata } from '../dns/rdata/rdata.ts';
import { formatRecordType } from '../dns/type-mnemonic.ts';
import { isProblem, linesOf, readZoneFile } from '../dns/zone-file/read-zone-file.ts';

export interface ZoneRecord {
  /** Absolute. */
  readonly owner: DomainName;
  readonly type: number;
  readonly ttl: number;
  readonly rdata: Uint8Array;
}

/** Reads a zone file. Throws if anything in it is wrong. */
export function readZoneRecords(text: string, origin: DomainName): ZoneRecord[] {
  return [...readZoneFile(linesOf(text), origin)].map((item) => {
    if (isProblem(item)) throw new Error(`line ${item.line}: ${item.message}`);
    const { owner, type, ttl, rdata } = item;
    if (ttl === null) throw new Error(`line ${item.line} has no TTL`);
    return { owner, type, ttl, rdata };
  });
}

/** One line a record, in canonical order of the owners. */
export function formatZoneRecords(records: readonly ZoneRecord[]): string {
  return records
    .toSorted((a, b) => compareDomainNames(a.owner, b.owner) || a.type - b.type)
    .map(
      ({ owner, type, ttl, rdata }) =>
        `${formatDomainName(owner)} ${ttl} IN ${formatRecordType(type)} ${formatRdata(type, rdata)}\n`,
    )
    .join('');
}

/** Throws if the text is no name. */
export function nameOf(text: string): DomainName {
  const name = parseDomainName(text);
  if (!name.ok) throw new Error(name.problem);
  return name.value;
}
